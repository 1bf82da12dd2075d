// Parts of lists. A cursor names an entry by its time and id, so that a page continues where the previous one ended, whatever
// was added or deleted in the meantime.

import { parseMoment } from '@envsnap/shared';
import { AppError } from './app-error.ts';

/** A place in a list: after the entry of that time (milliseconds since the epoch) and id. */
export interface ListPlace {
  readonly createdAt: number;
  readonly id: string;
}

/** The order of lists that have cursors, for Knex. */
export const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

/** A page of rows and the cursor of the next one, null after the last. `rows` holds one row more than `limit` when there is more. */
export function pageOf<Row extends { readonly id: string; readonly created_at: number }>(
  rows: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last ? `${last.created_at}.${last.id}` : null };
}

/** The place that a cursor names: the `next` of a page, or the id of an entry. Errors: `validation_failed` for an unknown id. */
export async function placeOf(
  cursor: string | undefined,
  findTime: (id: string) => Promise<number | undefined>,
): Promise<ListPlace | undefined> {
  if (cursor === undefined) return undefined;
  const dot = cursor.indexOf('.');
  if (dot >= 0) return { createdAt: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
  const createdAt = await findTime(cursor);
  if (createdAt !== undefined) return { createdAt, id: cursor };
  const message = 'is not the id of an entry; it may have been deleted. Use the "next" value of a page';
  throw new AppError('validation_failed', `Invalid query: after ${message}`, [{ path: 'after', message }]);
}

/** A part of a short list in memory, with the other members of its response. */
export function partOf<T>(
  entries: readonly T[],
  { limit, offset }: { readonly limit?: number | undefined; readonly offset: number },
): { readonly part: T[]; readonly info: { total: number; limit: number | null; offset: number } } {
  const part = entries.slice(offset, limit === undefined ? undefined : offset + limit);
  return { part, info: { total: entries.length, limit: limit ?? null, offset } };
}

/** The moment that a query names, in milliseconds since the epoch. */
export function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseMoment(text);
}
