// Owns what lists of snapshots are found by: machines, and an index for each filter. Counts that were kept here too are gone
// since 0205.

import type { Migration } from '../migration.ts';

/** What makes snapshots of one kind. */
const kind = ['os', 'arch', 'outcome', 'outcome_of'];

const fillMachines = `
  insert into machines (project_id, machine_name, snapshots, newest_at, newest_id)
  select project_id, machine_name, snapshots, created_at, id
  from (
    select project_id, machine_name, created_at, id,
      count(*) over (partition by project_id, machine_name) as snapshots,
      row_number() over (partition by project_id, machine_name order by created_at desc, id desc) as place
    from snapshots
  ) as ranked
  where place = 1`;

/** Keeps the machines of a project as rows. */
export const keptCountsMigration: Migration = {
  name: '0010_kept_counts',
  up: async ({ schema, sql, executor }) => {
    // Longer names than a flag takes would not fit into PostgreSQL's indexes; the metadata keep them.
    await sql(
      'update snapshots set outcome_of = null where outcome is not null and length(outcome_of) > 255',
    );
    await schema((builder) =>
      builder
        .createTable('machines', (table) => {
          table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
          table.text('machine_name').notNullable();
          table.integer('snapshots').notNullable();
          // Its newest snapshot.
          table.bigInteger('newest_at').notNullable();
          table.uuid('newest_id').notNullable();
          table.primary(['project_id', 'machine_name']);
        })
        .alterTable('project_quotas', (table) => table.integer('machines_used').notNullable().defaultTo(0))
        .alterTable('snapshots', (table) => {
          table.index(['project_id', ...kind, 'created_at', 'id'], 'snapshots_of_kind');
          table.index(['project_id', 'machine_name', ...kind, 'created_at', 'id'], 'snapshots_of_machine');
          table.dropIndex(['project_id', 'machine_name', 'created_at', 'id']);
        }),
    );
    await sql('drop index snapshots_outcome');
    await sql(fillMachines);
    await sql(
      'update project_quotas set machines_used = ' +
        '(select count(*) from machines where machines.project_id = project_quotas.project_id)',
    );
    for (const statement of executor.dialect.tuneForUpdates('machines')) await sql(statement);
  },
};
