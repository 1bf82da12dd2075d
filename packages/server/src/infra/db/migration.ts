// Owns the shape of a migration.

import type { Knex } from 'knex';
import type { Executor } from './database.ts';

/** The tools of a migration; everything it does is one transaction. */
export interface MigrationTools {
  schema(build: (schema: Knex.SchemaBuilder) => Knex.SchemaBuilder): Promise<void>;
  /** Runs one statement that is valid on both databases and that Knex's schema builder cannot express. */
  sql(statement: string): Promise<void>;
  readonly executor: Executor;
}

/** One step of the schema's history. Once released it never changes: a new one follows it. */
export interface Migration {
  /** Unique, sorts after every earlier one, is stored in the database. */
  readonly name: string;
  up(tools: MigrationTools): Promise<void>;
}
