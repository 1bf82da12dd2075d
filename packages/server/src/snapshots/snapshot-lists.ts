// Finds the snapshots of a list, newest first, and how many match in all. One index holds all that filters look at, so a list
// reads that index and the rows of its page. It reads slices, between which other requests get their turn.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Executor } from '../infra/db/database.ts';
import type { Bindable } from '../infra/db/dialect.ts';
import { findQuotas } from '../infra/db/project-quotas.ts';
import type { ListPlace } from '../infra/list-parts.ts';

/** Filters of a list; times in milliseconds since the epoch, both ends included. */
export interface SnapshotFilter {
  readonly projectId: string;
  readonly machineName?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly outcome?: string | undefined;
  readonly outcomeOf?: string | undefined;
  /** Only snapshots of runs whose end is known. */
  readonly hasOutcome?: boolean | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface ListPart {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after?: ListPlace | undefined;
}

interface ListPlaceRow {
  readonly id: string;
  readonly created_at: number;
}

interface Condition {
  readonly sql: string;
  readonly bindings: readonly Bindable[];
}

/** Snapshots that one statement looks at: some milliseconds of SQLite's, which nobody else has meanwhile. */
const sliceSize = 20_000;
const newestFirst = 'order by created_at desc, id desc';

export function createSnapshotLists(executor: Executor) {
  const { builder } = executor.dialect;
  const query = ({ sql, bindings }: Condition) => builder.raw(sql, bindings as string[]);

  /** The filter's snapshots in slices of time, newest first. Several of one moment are never parted. */
  async function* slicesOf(filter: SnapshotFilter): AsyncGenerator<Condition> {
    const own = ownersOf(filter);
    const values = conditionOf(valuesOf(filter));
    let { toMs } = filter;
    for (let isLast = false; !isLast; ) {
      const range = all(own, rangeOf(filter.fromMs, toMs));
      const end = await executor.get<{ created_at: number }>(
        query({
          sql: `select created_at from snapshots where ${range.sql} ${newestFirst} limit 1 offset ?`,
          bindings: [...range.bindings, sliceSize],
        }),
      );
      isLast = end === undefined;
      yield all(own, rangeOf(end?.created_at ?? filter.fromMs, toMs), values);
      toMs = (end?.created_at ?? 0) - 1;
      await nextTurn();
    }
  }

  /** How many of a slice match, and how many of them lie behind the place where the part begins. */
  async function countSlice(slice: Condition, after: ListPlace | undefined) {
    if (!after) {
      const sql = `select count(*) as total from snapshots where ${slice.sql}`;
      const total = Number((await executor.get<{ total: number }>(query({ ...slice, sql })))?.total ?? 0);
      return { total, behind: total };
    }
    const row = await executor.get<{ total: number; behind: number }>(
      query({
        sql: `select count(*) as total, count(case when (created_at, id) < (?, ?) then 1 end) as behind
          from snapshots where ${slice.sql}`,
        bindings: [after.createdAt, after.id, ...slice.bindings],
      }),
    );
    return { total: Number(row?.total ?? 0), behind: Number(row?.behind ?? 0) };
  }

  function rowsOf<Row>(
    columns: readonly string[],
    condition: Condition,
    { limit, offset = 0, after }: ListPart,
  ): Promise<Row[]> {
    const part = after
      ? all(condition, { sql: '(created_at, id) < (?, ?)', bindings: [after.createdAt, after.id] })
      : condition;
    // The page's ids first, from the index alone.
    return executor.all<Row>(
      query({
        sql: `select ${columns.join(', ')} from snapshots where id in (
          select id from snapshots where ${part.sql} ${newestFirst} limit ? offset ?) ${newestFirst}`,
        bindings: [...part.bindings, limit, offset],
      }),
    );
  }

  async function countProject(projectId: string): Promise<number> {
    const quotas = await executor.get(findQuotas, { projectId });
    return quotas ? quotas.snapshots_used + quotas.runs_used : 0;
  }

  return {
    countProject,

    async page<Row extends ListPlaceRow>(
      columns: readonly string[],
      filter: SnapshotFilter,
      part: ListPart,
    ): Promise<{ rows: Row[]; total: number }> {
      if (Object.entries(filter).every(([name, value]) => name === 'projectId' || value === undefined)) {
        const [rows, total] = await Promise.all([
          rowsOf<Row>(columns, ownersOf(filter), part),
          countProject(filter.projectId),
        ]);
        return { rows, total };
      }
      const { limit, offset = 0, after } = part;
      const rows: Row[] = [];
      let total = 0;
      let passed = 0;
      for await (const slice of slicesOf(filter)) {
        const counted = await countSlice(slice, after);
        total += counted.total;
        const skipped = Math.max(0, offset - passed);
        passed += counted.behind;
        if (rows.length < limit && counted.behind > skipped)
          rows.push(
            ...(await rowsOf<Row>(columns, slice, { limit: limit - rows.length, offset: skipped, after })),
          );
      }
      return { rows, total };
    },

    async newest<Row extends ListPlaceRow>(
      columns: readonly string[],
      filter: SnapshotFilter,
      limit: number,
    ): Promise<Row[]> {
      const rows: Row[] = [];
      for await (const slice of slicesOf(filter)) {
        rows.push(...(await rowsOf<Row>(columns, slice, { limit: limit - rows.length })));
        if (rows.length >= limit) break;
      }
      return rows;
    },
  };
}

/** Whose snapshots are looked at: an index holds those of a project, of a machine, and of the runs of a project. */
function ownersOf({ projectId, machineName, hasOutcome, outcome, outcomeOf }: SnapshotFilter): Condition {
  const isOfRuns = hasOutcome || outcome !== undefined || outcomeOf !== undefined;
  return all(
    conditionOf([
      ['project_id = ?', projectId],
      ['machine_name = ?', machineName],
    ]),
    { sql: isOfRuns ? 'outcome is not null' : '', bindings: [] },
  );
}

function valuesOf({ os, arch, outcome, outcomeOf }: SnapshotFilter): [string, Bindable | undefined][] {
  return [
    ['os = ?', os],
    ['arch = ?', arch],
    ['outcome = ?', outcome],
    ['outcome_of = ?', outcomeOf],
  ];
}

function rangeOf(fromMs: number | undefined, toMs: number | undefined): Condition {
  return conditionOf([
    ['created_at >= ?', fromMs],
    ['created_at <= ?', toMs],
  ]);
}

function conditionOf(parts: readonly (readonly [sql: string, value: Bindable | undefined])[]): Condition {
  const given = parts.filter(([, value]) => value !== undefined);
  return all(...given.map(([sql, value]) => ({ sql, bindings: [value as Bindable] })));
}

function all(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions
      .map(({ sql }) => sql)
      .filter(Boolean)
      .join(' and '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}
