// Owns small blocks of snapshots, and those of all kinds together, so that a range or an offset looks into few snapshots.

import type { Migration } from '../migration.ts';

const kind = ['os', 'arch', 'outcome', 'outcome_of'];
const columns = kind.join(', ');
const encodedKind = kind.map((column) => `coalesce('=' || ${column}, '') as ${column}`).join(', ');
const everyKind = kind.map((column) => `'*' as ${column}`).join(', ');

/** Counts stored snapshots of all machines, as 0010 does; equal times share a rank, so that no block ends between two. */
function fillBlocks(table: string, size: number, series: string): string {
  return `
    insert into ${table} (project_id, machine_name, ${columns}, first_at, last_at, total)
    select project_id, '', ${columns}, min(created_at), max(created_at), count(*)
    from (
      select project_id, ${columns}, created_at,
        (rank() over (partition by project_id, ${columns} order by created_at) - 1) / ${size} as block
      from (select project_id, ${series}, created_at from snapshots) as own
    ) as ranked
    group by project_id, ${columns}, block`;
}

/** Keeps more counts of lists. */
export const smallBlocksMigration: Migration = {
  name: '0056_small_blocks',
  up: async ({ schema, sql, executor }) => {
    await schema((builder) =>
      builder.createTable('snapshot_small_blocks', (table) => {
        table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
        // As in `snapshot_blocks`.
        table.text('machine_name').notNullable();
        for (const column of kind) table.text(column).notNullable();
        table.bigInteger('first_at').notNullable();
        table.bigInteger('last_at').notNullable();
        table.integer('total').notNullable();
        table.primary(['project_id', 'machine_name', ...kind, 'first_at']);
        // For the removal of a project, in slices.
        table.index(['project_id', 'first_at']);
      }),
    );
    await sql(fillBlocks('snapshot_blocks', 2048, everyKind));
    await sql(fillBlocks('snapshot_small_blocks', 64, everyKind));
    await sql(fillBlocks('snapshot_small_blocks', 64, encodedKind));
    for (const statement of executor.dialect.tuneForUpdates('snapshot_small_blocks')) await sql(statement);
  },
};
