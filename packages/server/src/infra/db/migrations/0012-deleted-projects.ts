// Owns the mark of projects that have been deleted and whose rows are still being removed.

import type { Migration } from '../migration.ts';

/** Lets a project be gone before all its rows are (docs/decisions/0102). */
export const deletedProjectsMigration: Migration = {
  name: '0012_deleted_projects',
  up: async ({ schema, sql }) => {
    await schema((builder) => builder.alterTable('projects', (table) => table.bigInteger('deleted_at')));
    await sql('create index projects_deleted on projects (deleted_at) where deleted_at is not null');
  },
};
