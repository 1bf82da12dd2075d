// Finds the snapshots of a list, newest first, and the total number of matches. One index has all columns for filters, so a list
// reads that index and the rows of its page. SQLite reads it in slices, between which other requests run.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas } from '../infra/db/project-quotas.ts';
import { type ListPlace, newestFirst } from '../infra/list-parts.ts';

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

/** Snapshots that one statement reads: some milliseconds of SQLite, in which all others wait. */
const sliceSize = 20_000;

type Conditions = readonly (readonly [sql: string, value: string | number | undefined])[];

/** A query for some snapshots. It is a function, since a query is a promise too. */
type Slice = () => Knex.QueryBuilder;

/** The query for snapshots that meet the given conditions. */
function narrowed(query: Knex.QueryBuilder, conditions: Conditions): Knex.QueryBuilder {
  for (const [sql, value] of conditions) if (value !== undefined) query.whereRaw(sql, [value]);
  return query;
}

export function createSnapshotLists(executor: Executor) {
  const { builder } = executor.dialect;

  /** The snapshots to read. There are indexes for a project, for a machine, and for the runs of a project. */
  function ofOwner(filter: SnapshotFilter, fromMs: number | undefined, toMs: number | undefined) {
    const { projectId, machineName, hasOutcome, outcome, outcomeOf } = filter;
    const query = narrowed(builder('snapshots'), [
      ['project_id = ?', projectId],
      ['machine_name = ?', machineName],
      ['created_at >= ?', fromMs],
      ['created_at <= ?', toMs],
    ]);
    const isOfRuns = hasOutcome || outcome !== undefined || outcomeOf !== undefined;
    return isOfRuns ? query.whereRaw('outcome is not null') : query;
  }

  /** The filter's snapshots in slices of time, newest first. Snapshots of one moment stay together. */
  async function* slicesOf(filter: SnapshotFilter): AsyncGenerator<Slice> {
    const { fromMs, os, arch, outcome, outcomeOf } = filter;
    let { toMs } = filter;
    for (let isLast = false; !isLast; ) {
      const ends = ofOwner(filter, fromMs, toMs).select('created_at').orderBy(newestFirst).limit(1);
      const end = executor.dialect.isEmbedded
        ? await executor.get<{ created_at: number }>(ends.offset(sliceSize))
        : undefined;
      isLast = end === undefined;
      const [first, last] = [end?.created_at ?? fromMs, toMs];
      yield () =>
        narrowed(ofOwner(filter, first, last), [
          ['os = ?', os],
          ['arch = ?', arch],
          ['outcome = ?', outcome],
          ['outcome_of = ?', outcomeOf],
        ]);
      toMs = (end?.created_at ?? 0) - 1;
      await nextTurn();
    }
  }

  /** How many of a slice match, and how many of them come after the place where the part begins. */
  async function countSlice(slice: Slice, after: ListPlace | undefined) {
    const query = slice().select(builder.raw('count(*) as total'));
    if (after)
      query.select(
        builder.raw('count(case when (created_at, id) < (?, ?) then 1 end) as behind', [
          after.createdAt,
          after.id,
        ]),
      );
    const { total = 0, behind = total } =
      (await executor.get<{ total: number; behind?: number }>(query)) ?? {};
    return { total: Number(total), behind: Number(behind) };
  }

  function rowsOf<Row>(
    columns: readonly string[],
    slice: Slice,
    { limit, offset = 0, after }: ListPart,
  ): Promise<Row[]> {
    // The page's ids first, from the index alone.
    const ids = slice().select('id').orderBy(newestFirst).limit(limit).offset(offset);
    if (after) ids.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
    const shown = columns.map((column) => builder.raw(column));
    return executor.all<Row>(builder('snapshots').select(shown).whereIn('id', ids).orderBy(newestFirst));
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
          rowsOf<Row>(columns, () => ofOwner(filter, undefined, undefined), part),
          countProject(filter.projectId),
        ]);
        return { rows, total };
      }
      const { limit, offset = 0, after } = part;
      const rows: Row[] = [];
      let total = 0;
      let passed = 0;
      for await (const slice of slicesOf(filter)) {
        const missing = limit - rows.length;
        const read = (skipped: number) =>
          rowsOf<Row>(columns, slice, { limit: missing, offset: skipped, after });
        // A slice whose rows all fit on the page needs no count.
        const isRead = missing > 0 && offset <= passed && after === undefined;
        const found = isRead ? await read(0) : [];
        const isCounted = isRead && found.length < missing;
        const counted = isCounted
          ? { total: found.length, behind: found.length }
          : await countSlice(slice, after);
        total += counted.total;
        const skipped = Math.max(0, offset - passed);
        passed += counted.behind;
        if (!isRead && missing > 0 && counted.behind > skipped) found.push(...(await read(skipped)));
        rows.push(...found);
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
