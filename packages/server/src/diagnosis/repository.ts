// Queries of a diagnosis: which snapshots are runs, and their content a few at a time.

import type { Executor } from '../infra/db/database.ts';
import { createSnapshotLists } from '../snapshots/snapshot-lists.ts';

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
  const lists = createSnapshotLists(executor);
  return {
    /** The newest runs with an outcome, newest first. */
    newestRuns: (filter: RunFilter, limit: number) =>
      lists.newest<{ id: string; outcome: 'passed' | 'failed'; created_at: number }>(
        ['id', 'outcome', 'created_at'],
        { ...filter, hasOutcome: true },
        limit,
      ),
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
    /** The metadata of these snapshots as JSON, in any order. */
    metadata: (projectId: string, ids: readonly string[]) =>
      executor.all<Pick<RunRow, 'id' | 'metadata'>>(
        builder('snapshots')
          .select(['id', 'metadata'])
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      ),
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
