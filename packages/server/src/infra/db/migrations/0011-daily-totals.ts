// Owns the daily totals of requests, which long histories are added up from.

import type { Migration } from '../migration.ts';

const dayMs = 86_400_000;

/** Adds daily totals, made from the hourly ones. */
export const dailyTotalsMigration: Migration = {
  name: '0011_daily_totals',
  up: async ({ schema, sql }) => {
    await schema((builder) =>
      builder.createTable('request_day_totals', (table) => {
        table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
        // Start of the day, UTC.
        table.bigInteger('day').notNullable();
        table.text('route').notNullable();
        table.integer('status_code').notNullable();
        table.bigInteger('request_count').notNullable();
        table.bigInteger('total_response_ms').notNullable();
        table.primary(['project_id', 'day', 'route', 'status_code']);
      }),
    );
    await sql(
      `insert into request_day_totals (project_id, day, route, status_code, request_count, total_response_ms)
      select project_id, hour - hour % ${dayMs}, route, status_code, sum(request_count), sum(total_response_ms)
      from request_totals group by project_id, hour - hour % ${dayMs}, route, status_code`,
    );
  },
};
