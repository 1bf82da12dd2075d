// Queries of a diagnosis: which snapshots are runs.

import type { Executor } from '../infra/db/database.ts';
import { createSnapshotLists } from '../snapshots/snapshot-lists.ts';

/** Which stored runs are looked at. */
export interface RunFilter {
  readonly projectId: string;
  readonly outcome?: 'passed' | 'failed' | undefined;
  readonly outcomeOf?: string | undefined;
  readonly machineName?: string | undefined;
}

/** Queries of a diagnosis, on one connection. */
export function createDiagnosisRepository(executor: Executor) {
  const { builder } = executor.dialect;
  const lists = createSnapshotLists(executor);
  return {
    /** The newest runs with an outcome, newest first. */
    newestRuns: (filter: RunFilter, limit: number) =>
      lists.newest<{ id: string; outcome: 'passed' | 'failed'; created_at: number; revision: number }>(
        ['id', 'outcome', 'created_at', 'revision'],
        { ...filter, hasOutcome: true },
        limit,
      ),
    /** Which of these snapshots the project has, with their revisions. */
    existing: async (projectId: string, ids: readonly string[]) => {
      const rows = await executor.all<{ id: string; revision: number }>(
        builder('snapshots')
          .select('id', 'revision')
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      );
      return new Map(rows.map(({ id, revision }) => [id, revision]));
    },
  };
}
