// Counts snapshots by kind from the blocks that snapshot-counts.ts keeps: how many match a filter, of which kinds they
// are, and where to begin behind a large offset. Work is bounded: whole blocks are added up, only the two at the ends of
// a range are looked into.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Executor } from '../infra/db/database.ts';
import type { Bindable } from '../infra/db/dialect.ts';
import { allMachines, type EncodedKind, encodeKindValue, kindColumns } from './snapshot-counts.ts';

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

/** A kind that matches a filter, and how many of its snapshots do. */
export interface MatchingKind extends EncodedKind {
  total: number;
}

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

/** SQL with its values. */
export interface SqlPart {
  readonly sql: string;
  readonly bindings: readonly Bindable[];
}

/** Kinds that one statement reads or counts; between two, others get their turn. */
const kindsPerPage = 256;
const countsPerStatement = 16;
/** Steps within blocks towards an offset, the share of it that each aims at, and what is small enough to be walked. */
const passingSteps = 3;
const passedShare = 0.9;
const smallOffset = 128;
/** Beyond every time that a snapshot can have. */
const never = 8_640_000_000_000_001;
const forever = { fromMs: -never, toMs: never };

/** Which snapshots are of a kind: a condition that both databases look up in an index. */
export function ofKind(filter: SnapshotFilter, kind: EncodedKind): SqlPart {
  const bindings: Bindable[] = [filter.projectId];
  let sql = 'project_id = ?';
  if (filter.machineName !== undefined) {
    sql += ' and machine_name = ?';
    bindings.push(filter.machineName);
  }
  for (const [column, part] of kindColumns) {
    if (kind[part] === '') sql += ` and ${column} is null`;
    else {
      sql += ` and ${column} = ?`;
      bindings.push(kind[part].slice(1));
    }
  }
  return { sql, bindings };
}

/** Counts by kind, on one connection. */
export function createSnapshotKinds(executor: Executor) {
  const { builder } = executor.dialect;

  /** The kinds that match, with the number of their snapshots in the filter's range. */
  async function list(filter: SnapshotFilter): Promise<MatchingKind[]> {
    const found: MatchingKind[] = [];
    const edges: { kind: MatchingKind; fromMs: number; toMs: number }[] = [];
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
    for (let start = 0; start < edges.length; start += countsPerStatement) {
      if (start > 0) await nextTurn();
      await countEdges(filter, edges.slice(start, start + countsPerStatement));
    }
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

  /** Adds what lies in blocks that reach over an end of the range. */
  async function countEdges(
    filter: SnapshotFilter,
    edges: readonly { kind: MatchingKind; fromMs: number; toMs: number }[],
  ): Promise<void> {
    const counts = edges.map(({ kind, fromMs, toMs }, index) => {
      const { sql, bindings } = ofKind(filter, kind);
      return {
        sql: `select ${index} as edge, count(*) as total from snapshots
          where ${sql} and created_at >= ? and created_at <= ?`,
        bindings: [...bindings, fromMs, toMs],
      };
    });
    const rows = await executor.all<{ edge: number; total: number }>(
      builder.raw(
        counts.map(({ sql }) => sql).join(' union all '),
        counts.flatMap(({ bindings }) => bindings) as string[],
      ),
    );
    for (const { edge, total } of rows) {
      const counted = edges[edge];
      if (counted) counted.kind.total += Number(total);
    }
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

  return {
    list,

    /**
     * A time up to which a list may be read instead, newest first, and the offset that is left there: the blocks in
     * between are passed over whole.
     */
    async passOver(
      filter: SnapshotFilter,
      offset: number,
    ): Promise<{ readonly toMs: number; readonly offset: number } | undefined> {
      const { fromMs, toMs } = { ...forever, ...defined(filter) };
      const { sql, bindings } = blocksOf(filter);
      const row = await executor.get<{ last_at: number }>(
        builder.raw(
          `select last_at from (
            select last_at, sum(total) over (order by last_at desc) as passed from snapshot_blocks
            where ${sql} and last_at >= ? and first_at <= ?
          ) as newer where passed > ? order by last_at desc limit 1`,
          [...bindings, fromMs, toMs, offset] as string[],
        ),
      );
      if (!row || row.last_at >= toMs) return undefined;
      let at = {
        toMs: row.last_at,
        offset: offset - sumOf(await list({ ...filter, fromMs: row.last_at + 1, toMs })),
      };
      // Within the blocks that are left, a step goes as far as their snapshots lie close together.
      for (let step = 0; step < passingSteps && at.offset > smallOffset; step += 1) {
        const perMs = await densityAt(filter, at.toMs);
        const earlierMs = at.toMs - Math.floor((passedShare * at.offset) / perMs);
        const count = sumOf(
          await list({ ...filter, fromMs: Math.max(earlierMs + 1, fromMs), toMs: at.toMs }),
        );
        if (!(earlierMs >= fromMs) || count > at.offset) break;
        at = { toMs: earlierMs, offset: at.offset - count };
      }
      return at;
    },
  };
}

/** How many snapshots there are of all these kinds. */
export function sumOf(kinds: readonly MatchingKind[]): number {
  return kinds.reduce((sum, { total }) => sum + total, 0);
}

/** The blocks of the kinds that a filter names. */
function blocksOf(filter: SnapshotFilter): SqlPart {
  const bindings: Bindable[] = [filter.projectId, filter.machineName ?? allMachines];
  let sql = 'project_id = ? and machine_name = ?';
  for (const [column, part] of kindColumns) {
    const value = filter[part];
    if (value === undefined) continue;
    sql += ` and ${column} = ?`;
    bindings.push(encodeKindValue(value));
  }
  if (filter.hasOutcome) sql += " and outcome <> ''";
  return { sql, bindings };
}

function defined({ fromMs, toMs }: SnapshotFilter): { fromMs?: number; toMs?: number } {
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}
