// Queries over many snapshots. Large columns are asked for by the ids of a few rows only.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { SnapshotRow } from './repository.ts';
import { createSnapshotLists } from './snapshot-lists.ts';

/** A column that a key reads its value from. */
export type KeyColumn = 'os' | 'arch' | 'runtime_versions' | 'metadata' | 'dependencies' | 'env_ciphertext';

/** A row with the columns that were asked for. */
export type ValueRow = { id: string } & Partial<Pick<SnapshotRow, KeyColumn>>;

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
  const { builder } = executor.dialect;
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
    /** The rows of these ids, with these columns. */
    withColumns: (projectId: string, ids: readonly string[], columns: readonly KeyColumn[]) =>
      executor.all<ValueRow>(
        builder('snapshots')
          .select('id', ...new Set(columns))
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      ),
  };
}
