// Owns the tables of the request log and its totals, of rate limits and of idempotency.

import type { Knex } from 'knex';
import type { MigrationTools } from '../../migration.ts';
import { hasTimePartitions, timedTables } from '../../time-partitions.ts';
import { belongsToProject } from './owner-columns.ts';
import { createTimedTable } from './timed-table.ts';

/** Creates them. */
export async function createUsage(tools: MigrationTools): Promise<void> {
  const isPartitioned = hasTimePartitions(tools.executor.dialect);
  await createTimedTable(tools, timedTables.requestLogs, (table) => {
    // Ids grow with time, so the oldest are found without an index on the time.
    table.bigIncrements('id', { primaryKey: !isPartitioned });
    defineRequestLogs(table);
    const inOrder = ['project_id', 'created_at', 'id'];
    if (!isPartitioned) {
      table.index(inOrder);
      return;
    }
    // A partitioned table's key holds what it is partitioned by. With the project, it can be distributed too.
    table.primary(inOrder);
    table.index('id');
  });
  await tools.schema(createTotals);
  await tools.schema(createCounters);
}

function defineRequestLogs(table: Knex.CreateTableBuilder): void {
  belongsToProject(table);
  // No reference: the log outlives a revoked key.
  table.uuid('api_key_id').notNullable();
  table.text('method').notNullable();
  // The real path without the query, and the route's template.
  table.text('path').notNullable();
  table.text('route').notNullable();
  table.integer('status_code').notNullable();
  table.integer('response_time_ms').notNullable();
  table.bigInteger('created_at').notNullable();
}

function createTotals(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('request_totals', (table) => {
      belongsToProject(table);
      // Start of the hour.
      table.bigInteger('hour').notNullable();
      table.text('route').notNullable();
      table.integer('status_code').notNullable();
      table.integer('request_count').notNullable();
      table.bigInteger('total_response_ms').notNullable();
      table.primary(['project_id', 'hour', 'route', 'status_code']);
    })
    .createTable('request_day_totals', (table) => {
      // Long histories are added up from these.
      belongsToProject(table);
      // Start of the day, UTC.
      table.bigInteger('day').notNullable();
      table.text('route').notNullable();
      table.integer('status_code').notNullable();
      table.bigInteger('request_count').notNullable();
      table.bigInteger('total_response_ms').notNullable();
      table.primary(['project_id', 'day', 'route', 'status_code']);
    });
}

function createCounters(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('rate_limit_windows', (table) => {
      // A key's id, or the address of a caller without one. No index but the key: this row changes on every request.
      table.text('subject').primary();
      table.text('kind').notNullable();
      belongsToProject(table, { optional: true }).index();
      table.binary('counters').notNullable();
      table.bigInteger('updated_at').notNullable();
    })
    .createTable('idempotency_keys', (table) => {
      // SHA-256 over caller, operation and Idempotency-Key, hex.
      table.text('scope').primary();
      // Null for bootstrap, which has no project yet.
      belongsToProject(table, { optional: true }).index();
      // SHA-256 of the body, hex.
      table.text('fingerprint').notNullable();
      table.integer('status_code');
      // The first answer's body; ciphertext when `response_encrypted`.
      table.binary('response');
      table.boolean('response_encrypted').notNullable().defaultTo(false);
      table.bigInteger('created_at').notNullable();
      table.bigInteger('expires_at').notNullable().index();
    });
}
