// Keeps the counts that lists of snapshots need, in the transaction that adds or removes a snapshot
// (docs/decisions/0101). A kind is what filters look at: operating system, architecture, outcome and its name. For each
// kind, of each machine and of all machines together, blocks of about 2048 snapshots follow one another in time.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** What a snapshot is found by. */
export interface CountedSnapshot {
  readonly projectId: string;
  readonly id: string;
  readonly machineName: string;
  readonly os: string | null;
  readonly arch: string | null;
  readonly outcome: string | null;
  readonly outcomeOf: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A kind as rows of blocks write it: `=` and the value, or nothing where a snapshot has none. */
export interface EncodedKind {
  readonly os: string;
  readonly arch: string;
  readonly outcome: string;
  readonly outcomeOf: string;
}

/** The columns of a kind, with the names of its parts. */
export const kindColumns = [
  ['os', 'os'],
  ['arch', 'arch'],
  ['outcome', 'outcome'],
  ['outcome_of', 'outcomeOf'],
] as const;

/** Stands for all machines together in rows of blocks; no machine has an empty name. */
export const allMachines = '';

/** Snapshots that a block holds before the next one begins; more only while they have the same time. */
export const blockSize = 2048;

/** A value of a kind as rows of blocks write it. */
export function encodeKindValue(value: string | null): string {
  return value === null ? '' : `=${value}`;
}

interface Scope extends EncodedKind {
  projectId: string;
  machineName: string;
  createdAt: number;
}

interface Newest {
  projectId: string;
  machineName: string;
  createdAt: number;
  id: string;
}

const ofKind = 'os = ? and arch = ? and outcome = ? and outcome_of = ?';

/** SQL for what a row of blocks is made from: placeholders, or columns. */
interface BlockSource {
  readonly projectId: string;
  readonly machineName: string;
  /** The parts of the encoded kind, in the order of {@link kindColumns}. */
  readonly kind: readonly string[];
  readonly createdAt: string;
}

/** SQL for the values of a row of {@link addBlocks}: the snapshot's block, and one snapshot. */
export function blockValues({ projectId, machineName, kind, createdAt }: BlockSource): string {
  const isOfKind = kindColumns.map(([column], index) => `${column} = ${kind[index]}`).join(' and ');
  // The block that the time falls into, unless it is full and everything in it is older.
  // PostgreSQL gives the case the name of its last column; the order must not be that of the case.
  return `${projectId}, ${machineName}, ${kind.join(', ')}, coalesce(
      (select case when total >= ${blockSize} and last_at < ${createdAt} then ${createdAt} else first_at end
        from snapshot_blocks
        where project_id = ${projectId} and machine_name = ${machineName} and ${isOfKind} and first_at <= ${createdAt}
        order by snapshot_blocks.first_at desc limit 1), ${createdAt}), ${createdAt}, 1`;
}

/** SQL that counts snapshots in their blocks; `rows` is a `values` or `select` of {@link blockValues}. */
export function addBlocks(rows: string): string {
  return `insert into snapshot_blocks
      (project_id, machine_name, os, arch, outcome, outcome_of, first_at, last_at, total)
    ${rows}
    on conflict (project_id, machine_name, os, arch, outcome, outcome_of, first_at) do update set
      total = snapshot_blocks.total + 1,
      last_at = case when excluded.last_at > snapshot_blocks.last_at
        then excluded.last_at else snapshot_blocks.last_at end`;
}

/** SQL that counts snapshots with their machines; `rows` gives project, machine, 1, time and id of each. */
export function addMachines(rows: string): string {
  return `insert into machines (project_id, machine_name, snapshots, newest_at, newest_id) ${rows}
    on conflict (project_id, machine_name) do update set
      snapshots = machines.snapshots + 1,
      newest_id = case when (excluded.newest_at, excluded.newest_id) > (machines.newest_at, machines.newest_id)
        then excluded.newest_id else machines.newest_id end,
      newest_at = case when excluded.newest_at > machines.newest_at
        then excluded.newest_at else machines.newest_at end`;
}

const addToBlocks = defineStatement<Scope & { all: string }>((qb, p) => {
  const kind = [p.os, p.arch, p.outcome, p.outcomeOf];
  const row = blockValues({
    ...{ projectId: '?', machineName: '?', createdAt: '?' },
    kind: kind.map(() => '?'),
  });
  const bindings = [p.all, p.machineName].map((machineName) => [
    ...[p.projectId, machineName, ...kind],
    ...[p.createdAt, p.createdAt, p.projectId, machineName, ...kind, p.createdAt],
    ...[p.createdAt, p.createdAt],
  ]);
  return qb.raw(addBlocks(`values (${row}), (${row})`), bindings.flat());
});

const takeFromBlocks = defineStatement<Scope & { all: string }>((qb, p) => {
  const kind = [p.os, p.arch, p.outcome, p.outcomeOf];
  return qb.raw(
    `update snapshot_blocks set total = total - 1
    where project_id = ? and machine_name in (?, ?) and ${ofKind} and first_at = (
      select max(first_at) from snapshot_blocks as earlier
      where project_id = ? and earlier.machine_name = snapshot_blocks.machine_name and ${ofKind} and first_at <= ?)`,
    [p.projectId, p.all, p.machineName, ...kind, p.projectId, ...kind, p.createdAt],
  );
});

const dropEmptyBlocks = defineStatement<Scope & { all: string }>((qb, p) =>
  qb.raw(
    `delete from snapshot_blocks where project_id = ? and machine_name in (?, ?) and ${ofKind}
      and first_at <= ? and last_at >= ? and total <= 0`,
    [
      ...[p.projectId, p.all, p.machineName, p.os, p.arch, p.outcome, p.outcomeOf],
      ...[p.createdAt, p.createdAt],
    ],
  ),
);

const addToMachine = defineStatement<Newest>((qb, p) =>
  qb.raw(addMachines('values (?, ?, 1, ?, ?)'), [p.projectId, p.machineName, p.createdAt, p.id]),
);

/** One machine more, if the snapshot that was just added is its only one. */
const countNewMachine = defineStatement<{ projectId: string; machineName: string }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .whereExists(
      qb('machines')
        .select(qb.raw('1'))
        .where({ project_id: p.projectId, machine_name: p.machineName, snapshots: qb.raw('1') }),
    )
    .increment('machines_used', 1),
);

const takeFromMachine = defineStatement<
  { projectId: string; machineName: string },
  { snapshots: number; newest_id: string }
>((qb, p) =>
  qb('machines')
    .where({ project_id: p.projectId, machine_name: p.machineName })
    .decrement('snapshots', 1)
    .returning(['snapshots', 'newest_id']),
);

const dropMachine = defineStatement<{ projectId: string; machineName: string }>((qb, p) =>
  qb('machines').where({ project_id: p.projectId, machine_name: p.machineName }).delete(),
);

const countLostMachine = defineStatement<{ projectId: string }>((qb, p) =>
  qb('project_quotas').where('project_id', p.projectId).decrement('machines_used', 1),
);

const setNewest = defineStatement<Newest>((qb, p) =>
  qb('machines')
    .where({ project_id: p.projectId, machine_name: p.machineName })
    .update({ newest_at: p.createdAt, newest_id: p.id }),
);

/**
 * The counts of a project, in a transaction that holds the project's quotas: everything that changes counts takes that
 * lock first. `findNewest` finds a machine's newest snapshot.
 */
export function createSnapshotCounts(
  executor: Executor,
  findNewest: (
    projectId: string,
    machineName: string,
  ) => Promise<{ readonly id: string; readonly created_at: number } | undefined>,
) {
  function scopeOf(snapshot: CountedSnapshot) {
    const { projectId, machineName, createdAt } = snapshot;
    return {
      projectId,
      machineName,
      createdAt,
      all: allMachines,
      os: encodeKindValue(snapshot.os),
      arch: encodeKindValue(snapshot.arch),
      outcome: encodeKindValue(snapshot.outcome),
      outcomeOf: encodeKindValue(snapshot.outcomeOf),
    };
  }

  return {
    /** Counts a snapshot that is being added; at the latest with the commit. */
    add(snapshot: CountedSnapshot): void {
      const { projectId, machineName, createdAt, id } = snapshot;
      executor.write(addToBlocks, scopeOf(snapshot));
      executor.write(addToMachine, { projectId, machineName, createdAt, id });
      executor.write(countNewMachine, { projectId, machineName });
    },

    /** Takes a snapshot that has been deleted out of the counts. */
    async remove(snapshot: CountedSnapshot): Promise<void> {
      const { projectId, machineName, id } = snapshot;
      const scope = scopeOf(snapshot);
      await executor.run(takeFromBlocks, scope);
      await executor.run(dropEmptyBlocks, scope);
      const machine = await executor.get(takeFromMachine, { projectId, machineName });
      if (!machine) return;
      if (machine.snapshots <= 0) {
        await executor.run(dropMachine, { projectId, machineName });
        await executor.run(countLostMachine, { projectId });
      } else if (machine.newest_id === id) {
        const newest = await findNewest(projectId, machineName);
        if (newest) {
          await executor.run(setNewest, {
            ...{ projectId, machineName },
            ...{ createdAt: newest.created_at, id: newest.id },
          });
        }
      }
    },
  };
}
