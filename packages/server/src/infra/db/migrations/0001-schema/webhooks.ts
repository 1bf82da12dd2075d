// Owns the tables of webhooks: their queue and their log, which PostgreSQL keeps in partitions by day.

import type { Knex } from 'knex';
import type { MigrationTools } from '../../migration.ts';
import { hasTimePartitions, timedTables } from '../../time-partitions.ts';
import { belongsToProject } from './owner-columns.ts';
import { createTimedTable } from './timed-table.ts';

/** Creates them. */
export async function createWebhooks(tools: MigrationTools): Promise<void> {
  const { schema, sql, executor } = tools;
  await schema((builder) => builder.createTable('webhooks', defineWebhooks));
  await createTimedTable(tools, timedTables.events, defineEvents);
  await createTimedTable(tools, timedTables.deliveries, (table) => {
    defineDeliveries(table);
    // Partitions of events and of deliveries are dropped separately; events that are deleted one by one take their
    // deliveries along (delivery-retention.ts).
    if (hasTimePartitions(executor.dialect)) return;
    table.foreign('event_id').references('id').inTable('outbox_events').onDelete('CASCADE');
  });
  await createTimedTable(tools, timedTables.attempts, defineAttempts);
  const pending = "where state = 'pending'";
  await sql('create index webhooks_failing on webhooks (failing_since) where failing_since is not null');
  await sql('create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null');
  await sql(`create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) ${pending}`);
  await sql(
    `create index webhook_deliveries_due_by_webhook on webhook_deliveries (webhook_id, next_attempt_at) ${pending}`,
  );
}

function belongsToWebhook(table: Knex.CreateTableBuilder): void {
  table.uuid('webhook_id').notNullable().references('id').inTable('webhooks').onDelete('CASCADE');
}

function defineWebhooks(table: Knex.CreateTableBuilder): void {
  table.uuid('id').primary();
  belongsToProject(table);
  table.text('url').notNullable();
  table.text('events').notNullable();
  table.text('format').notNullable().defaultTo('standard');
  // Where the console was when the webhook was made or changed; null where there is none.
  table.text('console_url');
  table.binary('secret_ciphertext').notNullable();
  table.boolean('active').notNullable();
  // Time of the first failure since the last success; null while the endpoint works.
  table.bigInteger('failing_since');
  table.bigInteger('last_success_at');
  table.text('deactivation_reason');
  table.bigInteger('created_at').notNullable();
  table.bigInteger('updated_at').notNullable();
  // The webhook is gone; its log is still being removed (docs/decisions/0003).
  table.bigInteger('deleted_at');
  table.index(['project_id', 'created_at', 'id']);
}

function defineEvents(table: Knex.CreateTableBuilder): void {
  table.uuid('id').primary();
  belongsToProject(table).index();
  table.text('event').notNullable();
  // The exact body that every attempt sends and signs.
  table.text('payload').notNullable();
  table.bigInteger('created_at').notNullable().index();
  // Lets a delivery continue the trace of the request that caused it, however much later it is made.
  table.text('traceparent');
}

/** One event for one webhook: the work of the dispatcher. */
function defineDeliveries(table: Knex.CreateTableBuilder): void {
  table.uuid('id').primary();
  belongsToProject(table).index();
  belongsToWebhook(table);
  table.uuid('event_id').notNullable().index();
  // pending, delivered, failed or dropped.
  table.text('state').notNullable();
  // Attempts begun: counted when the work is claimed, so that one that kills the process is not repeated for ever.
  table.integer('attempt').notNullable().defaultTo(0);
  // Those of them that were redeliveries, which are rows beside this one: the retries go on by their schedule.
  table.integer('redeliveries').notNullable().defaultTo(0);
  // A person asked for it and waits: one attempt without retries, to an inactive webhook too.
  table.boolean('requested').notNullable().defaultTo(false);
  table.bigInteger('next_attempt_at').notNullable();
  table.bigInteger('lease_until');
  // Names the claim; a worker that lost its lease cannot record a result any more.
  table.uuid('lease_token');
  table.bigInteger('created_at').notNullable();
  table.bigInteger('finished_at');
  table.index(['webhook_id', 'state']);
}

/** The delivery log. */
function defineAttempts(table: Knex.CreateTableBuilder): void {
  table.uuid('id').primary();
  belongsToProject(table).index();
  belongsToWebhook(table);
  table.uuid('delivery_id').notNullable();
  table.uuid('event_id').notNullable();
  table.text('event').notNullable();
  table.integer('attempt').notNullable();
  table.integer('response_status');
  table.boolean('success').notNullable();
  table.text('error');
  table.integer('duration_ms').notNullable();
  table.bigInteger('attempted_at').notNullable().index();
  table.index(['webhook_id', 'attempted_at', 'id']);
}
