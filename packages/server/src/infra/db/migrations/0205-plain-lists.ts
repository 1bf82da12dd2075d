// Owns the indexes that lists of snapshots are read by, and the number of runs that a project may keep.

import type { Migration } from '../migration.ts';

const listed = 'created_at, id, os, arch, outcome, outcome_of';

/** Drops the kept counts of lists: an index answers them. Snapshots with an outcome leave the quota of the others. */
export const plainListsMigration: Migration = {
  name: '0205_plain_lists',
  up: async ({ schema, sql }) => {
    await schema((builder) =>
      builder
        .dropTable('snapshot_blocks')
        .dropTable('snapshot_small_blocks')
        .alterTable('snapshots', (table) => {
          table.dropIndex(['project_id', 'created_at', 'id']);
          table.dropIndex([], 'snapshots_of_kind');
          table.dropIndex([], 'snapshots_of_machine');
        })
        .alterTable('project_quotas', (table) => {
          table.integer('max_runs').notNullable().defaultTo(1000);
          table.integer('runs_used').notNullable().defaultTo(0);
        }),
    );
    await sql(`create index snapshots_listed on snapshots (project_id, ${listed})`);
    await sql(`create index snapshots_of_machine on snapshots (project_id, machine_name, ${listed})`);
    // For the oldest runs.
    await sql(
      'create index snapshots_of_runs on snapshots (project_id, created_at, id) where outcome is not null',
    );
    await sql('alter table machines drop column newest_at');
    await sql('alter table machines drop column newest_id');
    await sql('alter table project_quotas drop column machines_used');
    const runs =
      'select count(*) from snapshots where snapshots.project_id = project_quotas.project_id and outcome is not null';
    await sql(`update project_quotas set runs_used = (${runs})`);
    await sql('update project_quotas set snapshots_used = snapshots_used - runs_used');
  },
};
