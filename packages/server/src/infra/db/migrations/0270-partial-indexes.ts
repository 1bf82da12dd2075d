// Owns two indexes of the few rows among many that a statement is after.

import type { Migration } from '../migration.ts';

/**
 * Adds one of the fingerprint keys that open still, and gives that of runs all that lists filter by: without it, SQLite reads the
 * index of all snapshots for them.
 */
export const partialIndexesMigration: Migration = {
  name: '0270_partial_indexes',
  up: async ({ schema, sql }) => {
    await sql(
      'create index fingerprint_keys_kept on fingerprint_keys (project_id) where wrapped_key is not null',
    );
    await schema((builder) =>
      builder.alterTable('snapshots', (table) => table.dropIndex([], 'snapshots_of_runs')),
    );
    await sql(
      `create index snapshots_of_runs on snapshots (project_id, created_at, id, os, arch, outcome, outcome_of)
        where outcome is not null`,
    );
  },
};
