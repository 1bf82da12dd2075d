// Counts what lies where a range begins or ends within a large block: in small blocks first, then in the few snapshots that
// are left. The ranges of many kinds are one query, which looks into an index once for each.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Executor } from '../infra/db/database.ts';
import type { Bindable } from '../infra/db/dialect.ts';
import { allMachines, anyValue, kindColumns, smallBlocks } from './snapshot-blocks.ts';
import type { MatchingKind, SnapshotFilter, SqlPart } from './snapshot-filter.ts';

/** A range of a kind whose snapshots are still to be added to its total; times in milliseconds, both ends included. */
export interface Edge {
  readonly kind: MatchingKind;
  readonly fromMs: number;
  readonly toMs: number;
}

interface SmallBlocksRow {
  edge: number;
  inside: number;
  inside_from: number;
  inside_to: number;
}

/** Ranges of one statement; between two, others get their turn. A range of a machine may hold a large block. */
const edgesPerStatement = 64;
const machineEdgesPerStatement = 16;

const columns = kindColumns.map(([column]) => column);
const row = `(cast(? as integer), ${columns.map(() => 'cast(? as text)').join(', ')}, cast(? as bigint), cast(? as bigint))`;

/** Creates the step that adds to the totals of kinds what their ranges hold, on one connection. */
export function createSnapshotEdges(executor: Executor) {
  const { builder } = executor.dialect;

  /** Adds what small blocks hold whole; returns the ranges that are left at their ends. */
  async function addSmallBlocks(projectId: string, edges: readonly Edge[]): Promise<Edge[]> {
    const table = tableOf('edges', [...edges.entries()]);
    const rows = await executor.all<SmallBlocksRow>(
      builder.raw(
        `with ${table.sql}
        select edges.edge, sum(total) as inside, min(first_at) as inside_from, max(last_at) as inside_to
        from edges cross join ${smallBlocks.name} as blocks
        where blocks.project_id = ? and blocks.machine_name = ?
          and ${columns.map((column) => `blocks.${column} = edges.${column}`).join(' and ')}
          and first_at >= from_at and first_at <= to_at and last_at <= to_at
        group by edges.edge`,
        [...table.bindings, projectId, allMachines] as string[],
      ),
    );
    const found = new Map(rows.map((block) => [block.edge, block]));
    return edges.flatMap((edge, index) => {
      const blocks = found.get(index);
      if (!blocks) return [edge];
      edge.kind.total += Number(blocks.inside);
      const before = { ...edge, toMs: blocks.inside_from - 1 };
      const behind = { ...edge, fromMs: blocks.inside_to + 1 };
      return [before, behind].filter(({ fromMs, toMs }) => fromMs <= toMs);
    });
  }

  async function addSnapshots(filter: SnapshotFilter, edges: readonly Edge[]): Promise<void> {
    // A column that is null is looked up by another condition than one with a value.
    const alike = Map.groupBy(edges.entries(), ([, { kind }]) => conditionsOf(kind));
    const parts = [...alike].map(([conditions, numbered], index) => {
      const table = tableOf(`edges_${index}`, numbered);
      const { sql, bindings } = ownersOf(filter);
      return {
        table,
        bindings,
        sql: `select edge, (
          select count(*) from snapshots where ${sql}${conditions} and created_at >= from_at and created_at <= to_at
        ) as total from edges_${index} as edges`,
      };
    });
    const counted = await executor.all<{ edge: number; total: number }>(
      builder.raw(
        `with ${parts.map(({ table }) => table.sql).join(', ')} ${parts.map(({ sql }) => sql).join(' union all ')}`,
        [
          ...parts.flatMap(({ table }) => table.bindings),
          ...parts.flatMap(({ bindings }) => bindings),
        ] as string[],
      ),
    );
    for (const { edge, total } of counted) (edges[edge] as Edge).kind.total += Number(total);
  }

  return async (filter: SnapshotFilter, edges: readonly Edge[]): Promise<void> => {
    const isOfMachine = filter.machineName !== undefined;
    const perStatement = isOfMachine ? machineEdgesPerStatement : edgesPerStatement;
    for (let start = 0; start < edges.length; start += perStatement) {
      if (start > 0) await nextTurn();
      const batch = edges.slice(start, start + perStatement);
      const left = isOfMachine ? batch : await addSmallBlocks(filter.projectId, batch);
      if (left.length > 0) await addSnapshots(filter, left);
    }
  };
}

/** A table of numbered ranges. */
function tableOf(name: string, numbered: readonly (readonly [number, Edge])[]): SqlPart {
  return {
    sql: `${name} (edge, ${columns.join(', ')}, from_at, to_at) as (values ${numbered.map(() => row).join(', ')})`,
    bindings: numbered.flatMap(([number, { kind, fromMs, toMs }]): Bindable[] => [
      number,
      ...kindColumns.map(([, part]) => kind[part]),
      ...[fromMs, toMs],
    ]),
  };
}

function ownersOf({ projectId, machineName }: SnapshotFilter): SqlPart {
  if (machineName === undefined) return { sql: 'project_id = ?', bindings: [projectId] };
  return { sql: 'project_id = ? and machine_name = ?', bindings: [projectId, machineName] };
}

/** Which snapshots are of the kind of a row of ranges. */
function conditionsOf(kind: MatchingKind): string {
  return kindColumns
    .filter(([, part]) => kind[part] !== anyValue)
    .map(([column, part]) =>
      kind[part] === ''
        ? ` and snapshots.${column} is null`
        : ` and snapshots.${column} = substr(edges.${column}, 2)`,
    )
    .join('');
}
