// Keeps the counts that lists of snapshots need, in the transaction that adds or removes a snapshot
// (docs/decisions/0101): blocks (snapshot-blocks.ts), and each machine with its newest snapshot.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { blockStatements, type CountedSnapshot, scopeOf } from './snapshot-blocks.ts';

interface Newest {
  projectId: string;
  machineName: string;
  createdAt: number;
  id: string;
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
  return {
    /** Counts a snapshot that is being added; at the latest with the commit. */
    add(snapshot: CountedSnapshot): void {
      const { projectId, machineName, createdAt, id } = snapshot;
      for (const { add } of blockStatements) executor.write(add, scopeOf(snapshot));
      executor.write(addToMachine, { projectId, machineName, createdAt, id });
      executor.write(countNewMachine, { projectId, machineName });
    },

    /** Takes a snapshot that has been deleted out of the counts. */
    async remove(snapshot: CountedSnapshot): Promise<void> {
      const { projectId, machineName, id } = snapshot;
      const scope = scopeOf(snapshot);
      for (const statement of blockStatements.flatMap(({ remove }) => remove))
        executor.write(statement, scope);
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
