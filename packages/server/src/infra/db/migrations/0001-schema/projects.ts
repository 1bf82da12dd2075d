// Owns the tables of projects, keys, members, sessions and the audit log.

import type { Knex } from 'knex';
import type { MigrationTools } from '../../migration.ts';
import { belongsToKey, belongsToProject } from './owner-columns.ts';

/** Creates them. */
export async function createProjects({ schema, sql }: MigrationTools): Promise<void> {
  await schema(createProjectTables);
  await schema(createEncryptionKeys);
  await schema(createApiKeys);
  await schema(createSessions);
  await schema(createAuditLog);
  await sql('create index projects_deleted on projects (deleted_at) where deleted_at is not null');
  await sql("create unique index api_keys_one_owner on api_keys (project_id) where role = 'owner'");
  // Most keys have no end and are not in this index.
  await sql('create index api_keys_expiring on api_keys (expires_at) where expiry_announced_at is null');
}

function createProjectTables(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('projects', (table) => {
      table.uuid('id').primary();
      table.text('name').notNullable();
      table.text('description');
      table.bigInteger('created_at').notNullable();
      table.bigInteger('updated_at').notNullable();
      // The project is gone; its rows are still being removed (docs/decisions/0003).
      table.bigInteger('deleted_at');
    })
    .createTable('project_quotas', (table) => {
      table.uuid('project_id').primary().references('id').inTable('projects').onDelete('CASCADE');
      table.integer('max_snapshots').notNullable();
      table.integer('max_runs').notNullable().defaultTo(1000);
      table.bigInteger('max_snapshot_bytes').notNullable().defaultTo(268_435_456);
      table.integer('max_files').notNullable();
      table.bigInteger('max_storage_bytes').notNullable();
      table.integer('max_webhooks').notNullable().defaultTo(100);
      table.integer('max_api_keys').notNullable().defaultTo(1000);
      table.integer('max_requests_per_minute').notNullable();
      table.integer('max_requests_per_day').notNullable();
      // Who made the project: all projects of one payer share a turn for work on stored data. Without one, the project is it.
      table.text('payer');
      // What is used, beside what is allowed: one conditional UPDATE of one row keeps a quota exact. Webhooks and keys
      // are counted when one is added, under the lock of this row.
      table.integer('snapshots_used').notNullable().defaultTo(0);
      table.integer('runs_used').notNullable().defaultTo(0);
      table.bigInteger('snapshot_bytes_used').notNullable().defaultTo(0);
      table.integer('files_used').notNullable().defaultTo(0);
      table.bigInteger('storage_used_bytes').notNullable().defaultTo(0);
    });
}

function createEncryptionKeys(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
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
    .createTable('fingerprint_keys', (table) => {
      table.uuid('project_id').primary().references('id').inTable('projects').onDelete('CASCADE');
      table.uuid('id').notNullable();
      table.text('master_key_id').notNullable().references('id').inTable('master_keys').index();
      table.binary('wrapped_key').notNullable();
      table.bigInteger('created_at').notNullable();
    });
}

function createApiKeys(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
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
      // Null for a key that works until it is revoked.
      table.bigInteger('expires_at');
      // When its end was announced to the webhooks of its project.
      table.bigInteger('expiry_announced_at');
      table.index(['project_id', 'created_at', 'id']);
    })
    .createTable('revoked_keys', (table) => {
      // They show whose project a failed sign-in concerns. SHA-256 of the key, hex.
      table.text('key_hash').primary();
      belongsToProject(table).index();
      table.uuid('api_key_id').notNullable();
      table.text('label');
      table.bigInteger('revoked_at').notNullable().index();
      // When somebody last called with it, as far as the audit log shows.
      table.bigInteger('last_failure_at');
    })
    .createTable('memberships', (table) => {
      // The member's role is its key's role: api_keys.role is the only place that holds it.
      table.uuid('id').primary();
      belongsToProject(table);
      belongsToKey(table).unique();
      // The inviter's key id; no reference, since it stays when that key is revoked.
      table.uuid('invited_by');
      table.bigInteger('joined_at').notNullable();
      table.index(['project_id', 'joined_at', 'id']);
    });
}

function createSessions(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('sessions', (table) => {
      table.uuid('id').primary();
      // SHA-256 of what the browser keeps, hex.
      table.text('token_hash').notNullable().unique();
      belongsToProject(table);
      belongsToKey(table);
      table.bigInteger('created_at').notNullable();
      // To the minute.
      table.bigInteger('last_used_at').notNullable().index();
      table.bigInteger('expires_at').notNullable().index();
      table.index(['project_id', 'created_at']);
      table.index(['api_key_id', 'created_at']);
    })
    .createTable('console_links', (table) => {
      // Links that sign in once. SHA-256 of the token in the link, hex.
      table.text('token_hash').primary();
      belongsToProject(table).index();
      belongsToKey(table).index();
      // Where it leads to, below the console.
      table.text('page').notNullable();
      table.bigInteger('expires_at').notNullable().index();
    });
}

function createAuditLog(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema.createTable('audit_log', (table) => {
    // Ids grow with time, so the oldest are found without an index on the time alone.
    table.uuid('id').primary();
    // Null for what concerns the whole server, and for the deletion of a project.
    belongsToProject(table, { optional: true });
    table.bigInteger('created_at').notNullable();
    table.text('action').notNullable();
    table.text('actor_type').notNullable();
    // A key's id; no reference, since the entry outlives the key. Else the actor's type, to be found by.
    table.text('actor').notNullable();
    table.text('actor_label');
    table.text('actor_role');
    table.uuid('actor_member_id');
    table.text('target_type').notNullable();
    table.uuid('target_id');
    table.text('target_name');
    // JSON object.
    table.text('details').notNullable();
    table.text('request_id');
    // The id that the caller gave its request.
    table.text('client_request_id');
    table.text('client_address');
    table.index(['project_id', 'created_at', 'id']);
    table.index(['project_id', 'action', 'created_at', 'id']);
    table.index(['project_id', 'actor', 'created_at', 'id']);
    // A rare pair of action and actor would be looked for among all entries of one of them.
    table.index(['project_id', 'action', 'actor', 'created_at', 'id'], 'audit_log_of_actor');
  });
}
