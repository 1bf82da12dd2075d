// Owns the tables of the audit log, and of the keys that were revoked: they show whose project a failed sign-in concerns.

import type { Migration } from '../migration.ts';

/** Adds the audit log; it begins empty. */
export const auditLogMigration: Migration = {
  name: '0030_audit_log',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder
        .createTable('audit_log', (table) => {
          // Ids grow with time, so the oldest are found without an index on the time alone.
          table.uuid('id').primary();
          // Null for what concerns the whole server, and for the deletion of a project.
          table.uuid('project_id').references('id').inTable('projects').onDelete('CASCADE');
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
          table.text('client_address');
          table.index(['project_id', 'created_at', 'id']);
          table.index(['project_id', 'action', 'created_at', 'id']);
          table.index(['project_id', 'actor', 'created_at', 'id']);
        })
        .createTable('revoked_keys', (table) => {
          // SHA-256 of the key, hex.
          table.text('key_hash').primary();
          table
            .uuid('project_id')
            .notNullable()
            .references('id')
            .inTable('projects')
            .onDelete('CASCADE')
            .index();
          table.uuid('api_key_id').notNullable();
          table.text('label');
          table.bigInteger('revoked_at').notNullable().index();
          // When somebody last called with it, as far as the audit log shows.
          table.bigInteger('last_failure_at');
        }),
    );
  },
};
