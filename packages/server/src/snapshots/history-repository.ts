// Queries over many snapshots. Large columns are asked for by the ids of a few rows only.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { SnapshotRow } from './repository.ts';

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

const newestOfMachines = defineStatement<MachinePage, SnapshotHead & { snapshots: number }>((qb, p) =>
  qb
    .with('ranked', (ranked) =>
      ranked
        .select('id', 'machine_name', 'created_at')
        .rowNumber('place', (order) =>
          order.partitionBy('machine_name').orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ]),
        )
        .select(qb.raw('count(*) over (partition by machine_name) as snapshots'))
        .from('snapshots')
        .where('project_id', p.projectId),
    )
    .select('id', 'machine_name', 'created_at', 'snapshots')
    .from('ranked')
    .where('place', qb.raw('1'))
    .orderBy('machine_name')
    .limit(p.limit)
    .offset(p.offset),
);

const countMachines = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('snapshots').countDistinct({ total: 'machine_name' }).where('project_id', p.projectId),
);

/** Queries over many snapshots of a project. */
export function createHistoryRepository(executor: Executor) {
  const { builder } = executor.dialect;
  const ofMachine = (projectId: string, machineName: string | undefined) => {
    const query = builder('snapshots').where('project_id', projectId);
    return machineName === undefined ? query : query.where('machine_name', machineName);
  };

  return {
    /** The newest snapshot of each machine, by machine name, with how many the machine has. */
    newestOfMachines: (projectId: string, limit: number, offset: number) =>
      executor.all(newestOfMachines, { projectId, limit, offset }),
    countMachines: async (projectId: string) =>
      (await executor.get(countMachines, { projectId }))?.total ?? 0,
    /** The newest snapshots, newest first. */
    newest: (projectId: string, machineName: string | undefined, limit: number) =>
      executor.all<SnapshotHead & { outcome: 'passed' | 'failed' | null }>(
        ofMachine(projectId, machineName)
          .select('id', 'machine_name', 'created_at', 'outcome')
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit),
      ),
    countSnapshots: async (projectId: string, machineName: string | undefined) =>
      (await executor.get<{ total: number }>(ofMachine(projectId, machineName).count({ total: '*' })))
        ?.total ?? 0,
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
