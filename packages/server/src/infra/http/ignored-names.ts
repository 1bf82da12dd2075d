// Unknown names in a request: they change nothing, and the response lists them.

import type { ServerResponse } from 'node:http';
import type { Operation } from '@envsnap/shared';

const mostNames = 20;
const longestName = 64;
const longestHeader = 2048;

/** The first few members of the input that the schema does not have. */
export function unknownNames(schema: Operation['query'], sent: unknown): string[] {
  const shape = schema?._zod.def as { readonly shape?: object } | undefined;
  const names: string[] = [];
  for (const name of Object.keys(sent ?? {})) {
    if (names.length === mostNames) break;
    if (!Object.hasOwn(shape?.shape ?? {}, name)) names.push(name);
  }
  return names;
}

/** Lists the names in a response header, percent-encoded, because they may hold anything. */
export function listIgnored(response: ServerResponse, names: readonly string[]): void {
  let list = '';
  for (const name of new Set(names.slice(0, mostNames))) {
    const next = encodeURIComponent(name.slice(0, longestName).toWellFormed());
    if (list.length + next.length > longestHeader) break;
    list += list === '' ? next : `, ${next}`;
  }
  if (list !== '') response.setHeader('X-Ignored-Parameters', list);
}
