// Counts snapshots by kind from the blocks that snapshot-blocks.ts keeps: how many match a filter, of which kinds they
// are, and where to begin behind a large offset. Work is bounded: whole blocks are added up, only what lies at the ends of
// a range is looked into (snapshot-edges.ts).

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Executor } from '../infra/db/database.ts';
import type { Bindable } from '../infra/db/dialect.ts';
import {
  allMachines,
  anyValue,
  type BlockTable,
  type EncodedKind,
  encodeKindValue,
  everyKind,
  kindColumns,
  largeBlocks,
  smallBlocks,
} from './snapshot-blocks.ts';
import { createSnapshotEdges, type Edge } from './snapshot-edges.ts';
import { type MatchingKind, namesKinds, type SnapshotFilter, type SqlPart } from './snapshot-filter.ts';

interface KindRow {
  os: string;
  arch: string;
  outcome: string;
  outcome_of: string;
  /** Snapshots in blocks that lie in the range whole. */
  inside: number;
  /** Blocks that reach over an end of the range. */
  edges: number;
  inside_from: number | null;
  inside_to: number | null;
}

/** Kinds that one statement reads; between two, others get their turn. */
const kindsPerPage = 256;
/** Steps within blocks towards an offset, and what is small enough to be walked. */
const passingSteps = 3;
const smallOffset = 128;
/** Small blocks that are looked at for an offset: those of some large ones. */
const smallBlocksPassed = (4 * largeBlocks.size) / smallBlocks.size;
/** Beyond every time that a snapshot can have. */
const never = 8_640_000_000_000_001;
const forever = { fromMs: -never, toMs: never };

/** Counts by kind, on one connection. */
export function createSnapshotKinds(executor: Executor) {
  const { builder } = executor.dialect;
  const countEdges = createSnapshotEdges(executor);

  /** The kinds that match, with the number of their snapshots in the filter's range. */
  async function list(filter: SnapshotFilter): Promise<MatchingKind[]> {
    const found: MatchingKind[] = [];
    const edges: Edge[] = [];
    const { fromMs, toMs } = { ...forever, ...defined(filter) };
    for (let last: KindRow | undefined; ; ) {
      const rows: KindRow[] = await executor.all<KindRow>(pageOfKinds(filter, { fromMs, toMs }, last));
      for (const row of rows) {
        const kind = { os: row.os, arch: row.arch, outcome: row.outcome, outcomeOf: row.outcome_of };
        const match = { ...kind, total: Number(row.inside) };
        found.push(match);
        if (Number(row.edges) === 0) continue;
        if (row.inside_from === null || row.inside_to === null) edges.push({ kind: match, fromMs, toMs });
        else {
          if (fromMs < row.inside_from) edges.push({ kind: match, fromMs, toMs: row.inside_from - 1 });
          if (toMs > row.inside_to) edges.push({ kind: match, fromMs: row.inside_to + 1, toMs });
        }
      }
      last = rows.at(-1);
      if (rows.length < kindsPerPage) break;
      await nextTurn();
    }
    await countEdges(filter, edges);
    return found.filter(({ total }) => total > 0);
  }

  function pageOfKinds(
    filter: SnapshotFilter,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    after: KindRow | undefined,
  ) {
    const { sql, bindings } = blocksOf(filter);
    const behind = after ? 'and (os, arch, outcome, outcome_of) > (?, ?, ?, ?)' : '';
    return builder.raw(
      `select os, arch, outcome, outcome_of,
        sum(case when first_at >= ? and last_at <= ? then total else 0 end) as inside,
        sum(case when first_at >= ? and last_at <= ? then 0 else 1 end) as edges,
        min(case when first_at >= ? and last_at <= ? then first_at end) as inside_from,
        max(case when first_at >= ? and last_at <= ? then last_at end) as inside_to
      from snapshot_blocks where ${sql} and last_at >= ? and first_at <= ? ${behind}
      group by os, arch, outcome, outcome_of order by os, arch, outcome, outcome_of limit ${kindsPerPage}`,
      [
        ...[fromMs, toMs, fromMs, toMs, fromMs, toMs, fromMs, toMs],
        ...[...bindings, fromMs, toMs],
        ...(after ? [after.os, after.arch, after.outcome, after.outcome_of] : []),
      ] as string[],
    );
  }

  /** Snapshots a millisecond, in the blocks around a moment. */
  async function densityAt(filter: SnapshotFilter, atMs: number): Promise<number> {
    const { sql, bindings } = blocksOf(filter);
    const row = await executor.get<{ per_ms: number | null }>(
      builder.raw(
        `select sum(total * 1.0 / (last_at - first_at + 1)) as per_ms from snapshot_blocks
        where ${sql} and first_at <= ? and last_at >= ?`,
        [...bindings, atMs, atMs] as string[],
      ),
    );
    return Number(row?.per_ms ?? 0);
  }

  /**
   * The newest block behind which more than `offset` snapshots of the range begin, if blocks counted whole: where it ends,
   * and how many the blocks behind it hold.
   */
  async function findBlock(
    filter: SnapshotFilter,
    { name }: BlockTable,
    offset: number,
    most: number | undefined,
  ): Promise<{ readonly toMs: number; readonly newer: number } | undefined> {
    const { fromMs, toMs } = { ...forever, ...defined(filter) };
    const { sql, bindings } = blocksOf(filter);
    const newest = most === undefined ? '' : `order by first_at desc limit ${most}`;
    const row = await executor.get<{ last_at: number; newer: number }>(
      builder.raw(
        `select last_at, passed - total as newer from (
          select last_at, total, sum(total) over (order by last_at desc) as passed from (
            select last_at, total from ${name} where ${sql} and last_at >= ? and first_at <= ? ${newest}
          ) as blocks
        ) as summed where passed > ? order by last_at desc limit 1`,
        [...bindings, fromMs, toMs, offset] as string[],
      ),
    );
    return row && row.last_at < toMs ? { toMs: row.last_at, newer: Number(row.newer) } : undefined;
  }

  /** How many snapshots of these kinds a short range holds. */
  async function countShortRange(
    filter: SnapshotFilter,
    among: readonly EncodedKind[],
    range: { readonly fromMs: number; readonly toMs: number },
  ): Promise<number> {
    const edges = among.map((kind) => ({ kind: { ...kind, total: 0 }, ...range }));
    await countEdges(filter, edges);
    return sumOf(edges.map(({ kind }) => kind));
  }

  /** A step to an earlier time within blocks, as far as their snapshots lie close together. */
  async function stepBack(
    filter: SnapshotFilter,
    among: readonly EncodedKind[],
    { toMs, offset }: Place,
  ): Promise<Place | undefined> {
    const { fromMs } = { ...forever, ...defined(filter) };
    const perMs = await densityAt(filter, toMs);
    // As many fall short of it as chance has it, so that the next step begins close by.
    const aim = offset - 4 * Math.sqrt(offset);
    const earlierMs = toMs - Math.floor(aim / perMs);
    if (!(earlierMs >= fromMs)) return undefined;
    const passed = await countShortRange(filter, among, { fromMs: earlierMs + 1, toMs });
    return passed > offset ? undefined : { toMs: earlierMs, offset: offset - passed };
  }

  /** A step to where a small block of the only series begins. */
  async function passSmallBlocks(filter: SnapshotFilter, { toMs, offset }: Place): Promise<Place> {
    const small = await findBlock({ ...filter, toMs }, smallBlocks, offset, smallBlocksPassed);
    if (!small) return { toMs, offset };
    const passed = await countShortRange(filter, [everyKind], { fromMs: small.toMs + 1, toMs });
    return { toMs: small.toMs, offset: offset - passed };
  }

  return {
    list,

    /**
     * A time up to which a list may be read instead, newest first, and the offset that is left there: the blocks in
     * between are passed over whole. `among` are the kinds of the list; undefined where it has all of them.
     */
    async passOver(
      filter: SnapshotFilter,
      among: readonly EncodedKind[] | undefined,
      offset: number,
    ): Promise<Place | undefined> {
      const found = await findBlock(filter, largeBlocks, offset, undefined);
      if (!found) return undefined;
      const { toMs } = { ...forever, ...defined(filter) };
      const passed =
        // The blocks of one series follow one another: whole ones need not be counted again.
        among === undefined && filter.toMs === undefined
          ? found.newer
          : sumOf(await list({ ...filter, fromMs: found.toMs + 1, toMs }));
      let at: Place = { toMs: found.toMs, offset: offset - passed };
      if (among === undefined) return passSmallBlocks(filter, at);
      for (let step = 0; step < passingSteps && at.offset > smallOffset; step += 1) {
        const earlier = await stepBack(filter, among, at);
        if (!earlier) break;
        at = earlier;
      }
      return at;
    },
  };
}

/** A place in a list, newest first: so many snapshots behind a time. */
interface Place {
  readonly toMs: number;
  readonly offset: number;
}

/** How many snapshots there are of all these kinds. */
export function sumOf(kinds: readonly MatchingKind[]): number {
  return kinds.reduce((sum, { total }) => sum + total, 0);
}

/** The series of blocks that a filter names. */
function blocksOf(filter: SnapshotFilter): SqlPart {
  const bindings: Bindable[] = [filter.projectId, filter.machineName ?? allMachines];
  let sql = 'project_id = ? and machine_name = ?';
  const isOneSeries = !namesKinds(filter);
  for (const [column, part] of kindColumns) {
    const value = filter[part];
    if (value === undefined && !isOneSeries) continue;
    sql += ` and ${column} = ?`;
    bindings.push(value === undefined ? anyValue : encodeKindValue(value));
  }
  if (filter.hasOutcome) sql += ` and outcome not in ('', '${anyValue}')`;
  return { sql, bindings };
}

function defined({ fromMs, toMs }: SnapshotFilter): { fromMs?: number; toMs?: number } {
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}
