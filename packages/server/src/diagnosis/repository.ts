// Queries of a diagnosis: which snapshots are runs, and their content a few at a time.

import type { Executor } from '../infra/db/database.ts';

/** Which stored runs are looked at. */
export interface RunFilter {
  readonly projectId: string;
  readonly outcome?: 'passed' | 'failed' | undefined;
  readonly outcomeOf?: string | undefined;
  readonly machineName?: string | undefined;
}

/** A run's row with everything that may differ; `created_at` in milliseconds since the epoch. */
export interface RunRow {
  id: string;
  created_at: number;
  machine_name: string;
  os: string | null;
  arch: string | null;
  runtime_versions: string;
  metadata: string;
  dependencies: string;
  env_ciphertext: Buffer;
}

const columns: readonly (keyof RunRow)[] = [
  'id',
  'created_at',
  'machine_name',
  'os',
  'arch',
  'runtime_versions',
  'metadata',
  'dependencies',
  'env_ciphertext',
];

/** Queries of a diagnosis, on one connection. */
export function createDiagnosisRepository(executor: Executor) {
  const { builder } = executor.dialect;
  return {
    /** The newest runs with an outcome, newest first. */
    newestRuns: ({ projectId, outcome, outcomeOf, machineName }: RunFilter, limit: number) => {
      const query = builder('snapshots').where('project_id', projectId).whereNotNull('outcome');
      if (outcome !== undefined) query.where('outcome', outcome);
      if (outcomeOf !== undefined) query.where('outcome_of', outcomeOf);
      if (machineName !== undefined) query.where('machine_name', machineName);
      return executor.all<{ id: string; outcome: 'passed' | 'failed' }>(
        query
          .select('id', 'outcome')
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit),
      );
    },
    /** Which of these snapshots the project has. */
    existing: async (projectId: string, ids: readonly string[]) => {
      const rows = await executor.all<{ id: string }>(
        builder('snapshots')
          .select('id')
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      );
      return new Set(rows.map(({ id }) => id));
    },
    /** The content of these snapshots, in any order. */
    contents: (projectId: string, ids: readonly string[]) =>
      executor.all<RunRow>(
        builder('snapshots')
          .select([...columns])
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      ),
  };
}
