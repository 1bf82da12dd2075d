// Owns what lists of snapshots are counted and found by: blocks, machines, and an index for each filter.

import type { Migration } from '../migration.ts';

/** Snapshots that a block holds before the next one begins. */
const blockSize = 2048;

/** What makes snapshots of one kind, as blocks write it: `=` before a value, nothing where there is none. */
const kind = ['os', 'arch', 'outcome', 'outcome_of'];
const encodedKind = kind.map((column) => `coalesce('=' || ${column}, '') as ${column}`).join(', ');

/** Counts stored snapshots. The database reads, ranks and groups them itself, on its disk where they are many. */
function fillBlocks(machineName: string): string {
  const series = `project_id, ${machineName}, ${kind.join(', ')}`;
  // Equal times share a rank, so that no block ends between two of them.
  return `
    insert into snapshot_blocks (project_id, machine_name, ${kind.join(', ')}, first_at, last_at, total)
    select project_id, name, ${kind.join(', ')}, min(created_at), max(created_at), count(*)
    from (
      select project_id, ${machineName} as name, ${encodedKind}, created_at,
        (rank() over (partition by ${series} order by created_at) - 1) / ${blockSize} as block
      from snapshots
    ) as ranked
    group by project_id, name, ${kind.join(', ')}, block`;
}

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

/** Keeps the counts of lists, and the machines of a project as rows. */
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
        .createTable('snapshot_blocks', (table) => {
          table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
          // Empty for the blocks of all machines together.
          table.text('machine_name').notNullable();
          for (const column of kind) table.text(column).notNullable();
          // The snapshots of a kind from this time up to the next block's are of this block.
          table.bigInteger('first_at').notNullable();
          table.bigInteger('last_at').notNullable();
          table.integer('total').notNullable();
          table.primary(['project_id', 'machine_name', ...kind, 'first_at']);
        })
        .alterTable('project_quotas', (table) => table.integer('machines_used').notNullable().defaultTo(0))
        .alterTable('snapshots', (table) => {
          table.index(['project_id', ...kind, 'created_at', 'id'], 'snapshots_of_kind');
          table.index(['project_id', 'machine_name', ...kind, 'created_at', 'id'], 'snapshots_of_machine');
          table.dropIndex(['project_id', 'machine_name', 'created_at', 'id']);
        }),
    );
    await sql('drop index snapshots_outcome');
    await sql(fillBlocks("''"));
    await sql(fillBlocks('machine_name'));
    await sql(fillMachines);
    await sql(
      'update project_quotas set machines_used = ' +
        '(select count(*) from machines where machines.project_id = project_quotas.project_id)',
    );
    for (const table of ['machines', 'snapshot_blocks']) {
      for (const statement of executor.dialect.tuneForUpdates(table)) await sql(statement);
    }
  },
};
