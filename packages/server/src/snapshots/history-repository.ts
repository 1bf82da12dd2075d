// Queries over many snapshots: which there are, and not what is in them.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { createSnapshotLists } from './snapshot-lists.ts';

/** Which snapshot, of which machine, when; `created_at` in milliseconds since the epoch. */
export interface SnapshotHead {
  id: string;
  machine_name: string;
  created_at: number;
}

interface MachinePage {
  projectId: string;
  limit: number;
  offset: number;
}

const listMachines = defineStatement<MachinePage, SnapshotHead & { snapshots: number }>((qb, p) =>
  qb('machines')
    .select('newest_id as id', 'machine_name', 'newest_at as created_at', 'snapshots')
    .where('project_id', p.projectId)
    .orderBy('machine_name')
    .limit(p.limit)
    .offset(p.offset),
);

const countContents = defineStatement<
  { projectId: string },
  { snapshots_used: number; machines_used: number }
>((qb, p) => qb('project_quotas').select('snapshots_used', 'machines_used').where('project_id', p.projectId));

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
      (await executor.get(countContents, { projectId }))?.machines_used ?? 0,
    /** The newest snapshots, newest first. */
    newest: (projectId: string, machineName: string | undefined, limit: number) =>
      lists.newest<SnapshotHead & { outcome: 'passed' | 'failed' | null }>(
        ['id', 'machine_name', 'created_at', 'outcome'],
        { projectId, machineName },
        limit,
      ),
    async countSnapshots(projectId: string, machineName: string | undefined): Promise<number> {
      if (machineName === undefined)
        return (await executor.get(countContents, { projectId }))?.snapshots_used ?? 0;
      return (await executor.get(countOfMachine, { projectId, machineName }))?.snapshots ?? 0;
    },
  };
}
