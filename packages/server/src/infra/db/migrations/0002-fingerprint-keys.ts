// Owns the fingerprint keys of projects, and what says how far stored snapshots have been fingerprinted anew.

import type { Migration } from '../migration.ts';

/** Adds fingerprint keys. Projects that are there get theirs from the server, which has the master key. */
export const fingerprintKeysMigration: Migration = {
  name: '0002_fingerprint_keys',
  up: async ({ schema, sql }) => {
    await schema((builder) =>
      builder.createTable('fingerprint_keys', (table) => {
        table.uuid('id').primary();
        table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
        // 1 for the first key of a project.
        table.integer('generation').notNullable();
        table.text('master_key_id').references('id').inTable('master_keys').index();
        // Null once the key has been replaced and no snapshot is left to be fingerprinted with it.
        table.binary('wrapped_key');
        table.bigInteger('created_at').notNullable();
        // Snapshots up to this time are to be fingerprinted anew with this key; null when none is left.
        table.bigInteger('pending_until');
        // The last snapshot that has been.
        table.bigInteger('done_created_at').notNullable().defaultTo(-1);
        table.uuid('done_id').notNullable().defaultTo('00000000-0000-0000-0000-000000000000');
        table.unique(['project_id', 'generation']);
      }),
    );
    await sql(
      'create index fingerprint_keys_pending on fingerprint_keys (project_id, generation) where pending_until is not null',
    );
    await schema((builder) =>
      builder
        // The current key, in the row that both a new snapshot and a rotation lock: neither misses the other.
        .alterTable('project_quotas', (table) => table.uuid('fingerprint_key_id'))
        // Counts how often the snapshot's fingerprints were replaced: its version, for entity tags.
        .alterTable('snapshots', (table) => table.integer('revision').notNullable().defaultTo(0)),
    );
  },
};
