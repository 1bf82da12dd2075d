// Owns the tables of snapshots, what is known of them, files and shares.

import type { Knex } from 'knex';
import type { MigrationTools } from '../../migration.ts';
import { belongsToProject } from './owner-columns.ts';

/** The columns that lists show or filter by, so that an index answers them. */
const listed = 'created_at, id, os, arch, outcome, outcome_of';

/** Creates them. */
export async function createContent({ schema, sql, executor }: MigrationTools): Promise<void> {
  await schema(createSnapshots);
  await schema(createFiles);
  await schema(createShares);
  await sql(`create index snapshots_listed on snapshots (project_id, ${listed})`);
  await sql(`create index snapshots_of_machine on snapshots (project_id, machine_name, ${listed})`);
  // Without all that lists filter by, SQLite reads the index of all snapshots for a list of runs.
  await sql(`create index snapshots_of_runs on snapshots (project_id, ${listed}) where outcome is not null`);
  // On PostgreSQL the primary key goes by the language of the database, on SQLite by bytes.
  if (executor.dialect.name === 'postgresql') {
    await sql(
      `create index machines_by_name on machines (project_id, ${executor.dialect.bytewise('machine_name')})`,
    );
  }
}

function createSnapshots(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
    .createTable('snapshots', (table) => {
      // Small columns first: SQLite reads a large row's later columns only when they are asked for.
      table.uuid('id').primary();
      belongsToProject(table);
      table.bigInteger('created_at').notNullable();
      table.text('machine_name').notNullable();
      table.text('os');
      table.text('arch');
      // How the snapshot's run ended, and its name; the metadata hold both too.
      table.text('outcome');
      table.text('outcome_of');
      // What the large columns take together, as the project's quota counts it.
      table.integer('stored_bytes').notNullable().defaultTo(0);
      table.text('runtime_versions').notNullable();
      table.text('metadata').notNullable();
      // JSON array of the variables' names, so that comparing names decrypts nothing.
      table.text('env_names').notNullable();
      table.binary('env_ciphertext').notNullable();
      table.text('dependencies').notNullable();
    })
    .createTable('snapshot_verdicts', (table) => {
      // What came of comparing a snapshot with an earlier one (health/): JSON. It can be worked out again.
      table.uuid('snapshot_id').notNullable().references('id').inTable('snapshots').onDelete('CASCADE');
      // No reference: it is only looked up beside an id that exists.
      table.uuid('against_id').notNullable();
      // machine or run: what the two are to each other decides what sentences call them.
      table.text('kind').notNullable();
      table.text('verdict').notNullable();
      table.primary(['snapshot_id', 'against_id', 'kind']);
      table.index('against_id');
    })
    .createTable('pending_notices', (table) => {
      // Snapshots whose events are not worked out yet (health/).
      table.uuid('snapshot_id').primary().references('id').inTable('snapshots').onDelete('CASCADE');
      belongsToProject(table);
      table.bigInteger('created_at').notNullable();
      // From when on it may be claimed: a claim moves this to the end of its lease.
      table.bigInteger('due_at').notNullable().index();
      table.integer('attempts').notNullable();
      table.index(['project_id', 'created_at', 'snapshot_id']);
    })
    .createTable('machines', (table) => {
      belongsToProject(table);
      table.text('machine_name').notNullable();
      table.integer('snapshots').notNullable();
      table.primary(['project_id', 'machine_name']);
    });
}

function createFiles(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema
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

function createShares(schema: Knex.SchemaBuilder): Knex.SchemaBuilder {
  return schema.createTable('shares', (table) => {
    table.uuid('id').primary();
    belongsToProject(table);
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
  });
}
