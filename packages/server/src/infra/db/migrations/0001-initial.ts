// Owns the first schema: every table of the service. Times are milliseconds since the epoch, JSON is text, and what
// belongs to a project goes with it (ON DELETE CASCADE), so that deleting a project is one statement.

import type { Knex } from 'knex';
import type { Migration } from '../migration.ts';

type Table = Knex.CreateTableBuilder;

function belongsToProject(table: Table): void {
  table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
}

function createProjects(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('projects', (table) => {
      table.uuid('id').primary();
      table.text('name').notNullable();
      table.text('description');
      table.bigInteger('created_at').notNullable();
      table.bigInteger('updated_at').notNullable();
    })
    .createTable('project_quotas', (table) => {
      table.uuid('project_id').primary().references('id').inTable('projects').onDelete('CASCADE');
      table.integer('max_snapshots').notNullable();
      table.integer('max_files').notNullable();
      table.bigInteger('max_storage_bytes').notNullable();
      table.integer('max_requests_per_minute').notNullable();
      table.integer('max_requests_per_day').notNullable();
      // What is used, beside what is allowed: one conditional UPDATE of one row keeps a quota exact.
      table.integer('snapshots_used').notNullable().defaultTo(0);
      table.integer('files_used').notNullable().defaultTo(0);
      table.bigInteger('storage_used_bytes').notNullable().defaultTo(0);
    });
}

function createKeys(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('master_keys', (table) => {
      // Which master keys this database needs; the keys themselves are never stored. The id is derived from the key.
      table.text('id').primary();
      table.text('label');
      table.bigInteger('created_at').notNullable();
    })
    .createTable('data_keys', (table) => {
      table.uuid('project_id').primary().references('id').inTable('projects').onDelete('CASCADE');
      table.text('master_key_id').notNullable().references('id').inTable('master_keys').index();
      table.binary('wrapped_key').notNullable();
      table.bigInteger('created_at').notNullable();
    })
    .createTable('api_keys', (table) => {
      table.uuid('id').primary();
      belongsToProject(table);
      // SHA-256 of the key, hex.
      table.text('key_hash').notNullable().unique();
      // The first 11 characters: what lists may show.
      table.text('prefix').notNullable();
      table.text('label');
      table.text('role').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('last_used_at');
      table.index(['project_id', 'created_at', 'id']);
    })
    .createTable('memberships', (table) => {
      // The member's role is its key's role: api_keys.role is the only place that holds it.
      table.uuid('id').primary();
      belongsToProject(table);
      table
        .uuid('api_key_id')
        .notNullable()
        .unique()
        .references('id')
        .inTable('api_keys')
        .onDelete('CASCADE');
      // The inviter's key id; no reference, since it stays when that key is revoked.
      table.uuid('invited_by');
      table.bigInteger('joined_at').notNullable();
      table.index(['project_id', 'joined_at', 'id']);
    });
}

function createContent(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('snapshots', (table) => {
      // Small columns first: SQLite reads a large row's later columns only when they are asked for.
      table.uuid('id').primary();
      belongsToProject(table);
      table.bigInteger('created_at').notNullable();
      table.text('machine_name').notNullable();
      table.text('os');
      table.text('arch');
      table.text('runtime_versions').notNullable();
      table.text('metadata').notNullable();
      // JSON array of the variables' names, so that comparing names decrypts nothing.
      table.text('env_names').notNullable();
      table.binary('env_ciphertext').notNullable();
      table.text('dependencies').notNullable();
      table.index(['project_id', 'created_at', 'id']);
      table.index(['project_id', 'machine_name', 'created_at', 'id']);
    })
    .createTable('files', (table) => {
      table.uuid('id').primary();
      belongsToProject(table);
      table.text('filename').notNullable();
      table.text('content_type').notNullable();
      table.bigInteger('size_bytes').notNullable();
      // SHA-256 of the plain bytes, hex.
      table.text('checksum').notNullable();
      table.text('storage_key').notNullable().unique();
      table.bigInteger('created_at').notNullable();
      table.index(['project_id', 'created_at', 'id']);
    })
    .createTable('unneeded_blobs', (table) => {
      // Stored bytes that no file row needs: of deleted files, and of uploads until the file's row is there.
      table.text('storage_key').primary();
      // When they may be removed; an upload moves this on while it lasts.
      table.bigInteger('remove_after').notNullable().index();
    });
}

function createWebhooks(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('webhooks', (table) => {
      table.uuid('id').primary();
      belongsToProject(table);
      table.text('url').notNullable();
      table.text('events').notNullable();
      table.binary('secret_ciphertext').notNullable();
      table.boolean('active').notNullable();
      // Time of the first failure since the last success; null while the endpoint works.
      table.bigInteger('failing_since');
      table.bigInteger('last_success_at');
      table.text('deactivation_reason');
      table.bigInteger('created_at').notNullable();
      table.bigInteger('updated_at').notNullable();
      table.index(['project_id', 'created_at', 'id']);
    })
    .createTable('outbox_events', (table) => {
      table.uuid('id').primary();
      belongsToProject(table);
      table.text('event').notNullable();
      // The exact body that every attempt sends and signs.
      table.text('payload').notNullable();
      table.bigInteger('created_at').notNullable();
      table.index(['project_id']);
      table.index(['created_at']);
    })
    .createTable('webhook_deliveries', (table) => {
      // One event for one webhook: the work of the dispatcher.
      table.uuid('id').primary();
      belongsToProject(table);
      table.uuid('webhook_id').notNullable().references('id').inTable('webhooks').onDelete('CASCADE');
      table.uuid('event_id').notNullable().references('id').inTable('outbox_events').onDelete('CASCADE');
      // pending, delivered, failed or dropped.
      table.text('state').notNullable();
      // Attempts begun: counted when the work is claimed, so that one that kills the process is not repeated for ever.
      table.integer('attempt').notNullable().defaultTo(0);
      table.bigInteger('next_attempt_at').notNullable();
      table.bigInteger('lease_until');
      // Names the claim; a worker that lost its lease cannot record a result any more.
      table.uuid('lease_token');
      table.bigInteger('created_at').notNullable();
      table.bigInteger('finished_at');
      table.index(['project_id']);
      table.index(['webhook_id', 'state']);
      table.index(['event_id']);
    })
    .createTable('webhook_attempts', (table) => {
      // The delivery log.
      table.uuid('id').primary();
      belongsToProject(table);
      table.uuid('webhook_id').notNullable().references('id').inTable('webhooks').onDelete('CASCADE');
      table.uuid('delivery_id').notNullable();
      table.uuid('event_id').notNullable();
      table.text('event').notNullable();
      table.integer('attempt').notNullable();
      table.integer('response_status');
      table.boolean('success').notNullable();
      table.text('error');
      table.integer('duration_ms').notNullable();
      table.bigInteger('attempted_at').notNullable();
      table.index(['project_id']);
      table.index(['webhook_id', 'attempted_at', 'id']);
      table.index(['attempted_at']);
    });
}

function createUsage(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('request_logs', (table) => {
      // Ids grow with time, so the oldest are found without an index on the time.
      table.bigIncrements('id');
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
      table.index(['project_id', 'created_at', 'id']);
    })
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
    .createTable('rate_limit_windows', (table) => {
      // A key's id, or the address of a caller without one. No index but the key: this row changes on every request.
      table.text('subject').primary();
      table.text('kind').notNullable();
      table.uuid('project_id').references('id').inTable('projects').onDelete('CASCADE').index();
      table.binary('counters').notNullable();
      table.bigInteger('updated_at').notNullable();
    })
    .createTable('idempotency_keys', (table) => {
      // SHA-256 over caller, operation and Idempotency-Key, hex.
      table.text('scope').primary();
      // Null for bootstrap, which has no project yet.
      table.uuid('project_id').references('id').inTable('projects').onDelete('CASCADE').index();
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

/** The first schema. */
export const initialMigration: Migration = {
  name: '0001_initial',
  up: async ({ schema, sql, executor }) => {
    await schema(createProjects);
    await schema(createKeys);
    await schema(createContent);
    await schema(createWebhooks);
    await schema(createUsage);
    await sql("create unique index api_keys_one_owner on api_keys (project_id) where role = 'owner'");
    await sql(
      "create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending'",
    );
    await sql(
      "create index webhook_deliveries_due_by_webhook on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending'",
    );
    for (const table of ['rate_limit_windows', 'project_quotas', 'webhook_deliveries']) {
      for (const statement of executor.dialect.tuneForUpdates(table)) await sql(statement);
    }
  },
};
