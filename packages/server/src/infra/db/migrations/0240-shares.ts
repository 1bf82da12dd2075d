// Owns the table of shares: pages that open without a key.

import type { Migration } from '../migration.ts';

/** Adds the table; it begins empty. */
export const sharesMigration: Migration = {
  name: '0240_shares',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder.createTable('shares', (table) => {
        table.uuid('id').primary();
        table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
        // SHA-256 of the token in the address, hex.
        table.text('token_hash').notNullable().unique();
        table.text('kind').notNullable();
        // No references: the page stays as it was when its snapshots are deleted.
        table.uuid('snapshot_a').notNullable();
        table.uuid('snapshot_b');
        table.uuid('created_by').notNullable();
        table.bigInteger('created_at').notNullable();
        table.bigInteger('expires_at').notNullable().index();
        // HTML, packed with gzip, and the policy that goes with it.
        table.binary('page').notNullable();
        table.text('content_security_policy').notNullable();
        table.index(['project_id', 'created_at']);
      }),
    );
  },
};
