// Queries over many snapshots: which there are, and not what is in them.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { createSnapshotLists, type SnapshotFilter } from './snapshot-lists.ts';

/** Which snapshot, of which machine, when; `created_at` in milliseconds since the epoch. */
export interface SnapshotHead {
  id: string;
  machine_name: string;
  created_at: number;
}

/** The same, with how the run ended that it is of, what that is called, and how often its fingerprints were replaced. */
interface RunHead extends SnapshotHead {
  outcome: 'passed' | 'failed' | null;
  outcome_of: string | null;
  revision: number;
}

interface MachinePage {
  projectId: string;
  limit: number;
  offset: number;
}

const listMachines = defineStatement<MachinePage, SnapshotHead & { snapshots: number }>((qb, p) =>
  qb.raw(
    `select newest.id, machine.machine_name, newest.created_at, machine.snapshots from (
      select project_id, machine_name, snapshots from machines where project_id = ?
      order by machine_name limit ? offset ?
    ) as machine join snapshots as newest on newest.id = (
      select id from snapshots
      where snapshots.project_id = machine.project_id and snapshots.machine_name = machine.machine_name
      order by created_at desc, id desc limit 1
    ) order by machine.machine_name`,
    [p.projectId, p.limit, p.offset],
  ),
);

const countMachines = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('machines').count({ total: '*' }).where('project_id', p.projectId),
);

const countAll = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('project_quotas').select(qb.raw('snapshots_used + runs_used as total')).where('project_id', p.projectId),
);

const countOfMachine = defineStatement<{ projectId: string; machineName: string }, { snapshots: number }>(
  (qb, p) =>
    qb('machines').select('snapshots').where({ project_id: p.projectId, machine_name: p.machineName }),
);

/** Queries over many snapshots of a project. */
export function createHistoryRepository(executor: Executor) {
  const lists = createSnapshotLists(executor);

  return {
    /** The newest snapshot of each machine, by machine name, with how many the machine has. */
    newestOfMachines: (projectId: string, limit: number, offset: number) =>
      executor.all(listMachines, { projectId, limit, offset }),
    countMachines: async (projectId: string) =>
      (await executor.get(countMachines, { projectId }))?.total ?? 0,
    /** The newest snapshots that match, newest first. */
    newest: (filter: SnapshotFilter, limit: number) =>
      lists.newest<RunHead>(
        ['id', 'machine_name', 'created_at', 'outcome', 'outcome_of', 'revision'],
        filter,
        limit,
      ),
    async countSnapshots(projectId: string, machineName: string | undefined): Promise<number> {
      if (machineName === undefined) return (await executor.get(countAll, { projectId }))?.total ?? 0;
      return (await executor.get(countOfMachine, { projectId, machineName }))?.snapshots ?? 0;
    },
  };
}
