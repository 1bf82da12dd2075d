// Finds the snapshots of a list, newest first: whatever the filter, as many entries of an index are read as the page has.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Executor } from '../infra/db/database.ts';
import type { Bindable } from '../infra/db/dialect.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { ListPlace } from '../infra/list-parts.ts';
import type { EncodedKind } from './snapshot-blocks.ts';
import { namesKinds, ofKind, type SnapshotFilter } from './snapshot-filter.ts';
import { createSnapshotKinds, sumOf } from './snapshot-kinds.ts';

/** Which part of a list. */
export interface ListPart {
  readonly limit: number;
  readonly offset?: number | undefined;
  /** The part begins behind this place. */
  readonly after?: ListPlace | undefined;
}

/** Kinds whose newest snapshots one statement looks up; SQLite takes 500. */
const kindsPerStatement = 64;
/** An offset from which blocks are passed over whole. */
const largeOffset = 2048;

const newestFirst = 'order by created_at desc, id desc';
/** Within a kind this is the same order, and the one of the index in PostgreSQL's eyes too, where a value is null. */
const newestFirstOfKind =
  'order by os desc, arch desc, outcome desc, outcome_of desc, created_at desc, id desc';

const countAll = defineStatement<{ projectId: string }, { snapshots_used: number }>((qb, p) =>
  qb('project_quotas').select('snapshots_used').where('project_id', p.projectId),
);

/** Lists of snapshots, on one connection. */
export function createSnapshotLists(executor: Executor) {
  const { builder } = executor.dialect;
  const kinds = createSnapshotKinds(executor);

  /** Rows of a part, newest first. */
  async function rowsOf<Row extends ListPlaceRow>(
    columns: readonly string[],
    filter: SnapshotFilter,
    among: readonly EncodedKind[] | undefined,
    { limit, offset = 0, after }: ListPart,
  ): Promise<Row[]> {
    const passed =
      offset >= largeOffset && after === undefined ? await kinds.passOver(filter, among, offset) : undefined;
    const range = { ...filter, ...(passed && { toMs: passed.toMs }) };
    const left = passed?.offset ?? offset;
    const selected = columns.join(', ');
    if (!among) {
      const { sql, bindings } = within(range, after);
      return executor.all<Row>(
        builder.raw(
          `select ${selected} from snapshots where project_id = ?${sql} ${newestFirst} limit ? offset ?`,
          [filter.projectId, ...bindings, limit, left] as string[],
        ),
      );
    }
    let rows: Row[] = [];
    for (let start = 0; start < among.length; start += kindsPerStatement) {
      if (start > 0) await nextTurn();
      const part = among.slice(start, start + kindsPerStatement);
      const isWhole = part.length === among.length;
      // With more kinds than one statement takes, the offset counts in what all of them found together.
      const [most, skipped] = isWhole ? [limit, left] : [limit + left, 0];
      const found = await executor.all<Row>(newestOf(selected, range, part, after, most, skipped));
      if (isWhole) return found;
      rows = [...rows, ...found].sort(compareNewestFirst).slice(0, limit + left);
    }
    return rows.slice(left, left + limit);
  }

  function newestOf(
    selected: string,
    filter: SnapshotFilter,
    among: readonly EncodedKind[],
    after: ListPlace | undefined,
    limit: number,
    offset: number,
  ) {
    const range = within(filter, after);
    const each = among.map((kind) => {
      const { sql, bindings } = ofKind(filter, kind);
      return {
        sql: `select id, created_at from (select id, created_at from snapshots
          where ${sql}${range.sql} ${newestFirstOfKind} limit ?) as one_kind`,
        bindings: [...bindings, ...range.bindings, limit + offset],
      };
    });
    return builder.raw(
      `select ${selected} from snapshots where id in (
        select id from (${each.map(({ sql }) => sql).join(' union all ')}) as every_kind
        ${newestFirst} limit ? offset ?
      ) ${newestFirst}`,
      [...each.flatMap(({ bindings }) => bindings), limit, offset] as string[],
    );
  }

  return {
    /** A part of a list, newest first, and how many snapshots match in all. */
    async page<Row extends ListPlaceRow>(
      columns: readonly string[],
      filter: SnapshotFilter,
      part: ListPart,
    ): Promise<{ rows: Row[]; total: number }> {
      if (!namesKinds(filter)) {
        const hasRange = filter.fromMs !== undefined || filter.toMs !== undefined;
        const [rows, total] = await Promise.all([
          rowsOf<Row>(columns, filter, undefined, part),
          hasRange ? kinds.list(filter).then(sumOf) : countProject(filter.projectId),
        ]);
        return { rows, total };
      }
      const found = await kinds.list(filter);
      const total = sumOf(found);
      if (total <= (part.offset ?? 0)) return { rows: [], total };
      return { rows: await rowsOf<Row>(columns, filter, found, part), total };
    },

    /** The newest snapshots that match. */
    async newest<Row extends ListPlaceRow>(
      columns: readonly string[],
      filter: SnapshotFilter,
      limit: number,
    ): Promise<Row[]> {
      const found = namesKinds(filter) ? await kinds.list(filter) : undefined;
      if (found?.length === 0) return [];
      return rowsOf<Row>(columns, filter, found, { limit });
    },
  };

  async function countProject(projectId: string): Promise<number> {
    return (await executor.get(countAll, { projectId }))?.snapshots_used ?? 0;
  }
}

interface ListPlaceRow {
  readonly id: string;
  readonly created_at: number;
}

function within({ fromMs, toMs }: SnapshotFilter, after: ListPlace | undefined) {
  const bindings: Bindable[] = [];
  let sql = '';
  if (fromMs !== undefined) {
    sql += ' and created_at >= ?';
    bindings.push(fromMs);
  }
  if (toMs !== undefined) {
    sql += ' and created_at <= ?';
    bindings.push(toMs);
  }
  if (after) {
    sql += ' and (created_at, id) < (?, ?)';
    bindings.push(after.createdAt, after.id);
  }
  return { sql, bindings };
}

function compareNewestFirst(x: ListPlaceRow, y: ListPlaceRow): number {
  return y.created_at - x.created_at || (x.id < y.id ? 1 : -1);
}
