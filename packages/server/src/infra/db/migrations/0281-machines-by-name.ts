// Owns the index that lists machines by name on PostgreSQL, whose primary key goes by the language of the database.

import type { Migration } from '../migration.ts';

/** Adds the index; on SQLite the primary key itself goes by bytes. */
export const machinesByNameMigration: Migration = {
  name: '0281_machines_by_name',
  up: async ({ executor, sql }) => {
    if (executor.dialect.name === 'sqlite') return;
    const name = executor.dialect.bytewise('machine_name');
    await sql(`create index machines_by_name on machines (project_id, ${name})`);
  },
};
