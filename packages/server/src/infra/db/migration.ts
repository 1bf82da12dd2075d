// Owns the shape of a migration and the list of all of them, in the order they are applied.

import type { Knex } from 'knex';
import type { Executor } from './database.ts';
import { initialMigration } from './migrations/0001-initial.ts';
import { fingerprintKeysMigration } from './migrations/0002-fingerprint-keys.ts';
import { moreQuotasMigration } from './migrations/0003-more-quotas.ts';
import { outcomesMigration } from './migrations/0007-outcomes.ts';
import { keptCountsMigration } from './migrations/0010-kept-counts.ts';
import { dailyTotalsMigration } from './migrations/0011-daily-totals.ts';
import { deletedProjectsMigration } from './migrations/0012-deleted-projects.ts';
import { auditLogMigration } from './migrations/0030-audit-log.ts';
import { failingWebhooksMigration } from './migrations/0031-failing-webhooks.ts';
import { tracedEventsMigration } from './migrations/0032-traced-events.ts';
import { timePartitionsMigration } from './migrations/0040-time-partitions.ts';
import { deletedWebhooksMigration } from './migrations/0050-deleted-webhooks.ts';
import { smallBlocksMigration } from './migrations/0056-small-blocks.ts';
import { plainListsMigration } from './migrations/0205-plain-lists.ts';
import { keyExpiryMigration } from './migrations/0215-key-expiry.ts';

/** What a migration works with; everything it does is one transaction. */
export interface MigrationTools {
  /** Builds and runs schema changes with Knex's schema builder. */
  schema(build: (schema: Knex.SchemaBuilder) => Knex.SchemaBuilder): Promise<void>;
  /** Runs one statement that is valid on both databases and that Knex's schema builder cannot express. */
  sql(statement: string): Promise<void>;
  /** Reads and changes rows. */
  readonly executor: Executor;
}

/** One step of the schema's history. Once released it never changes: a new one follows it. */
export interface Migration {
  /** Unique, sorts after every earlier one, is stored in the database. */
  readonly name: string;
  up(tools: MigrationTools): Promise<void>;
}

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  initialMigration,
  fingerprintKeysMigration,
  moreQuotasMigration,
  outcomesMigration,
  keptCountsMigration,
  dailyTotalsMigration,
  deletedProjectsMigration,
  auditLogMigration,
  failingWebhooksMigration,
  tracedEventsMigration,
  timePartitionsMigration,
  deletedWebhooksMigration,
  smallBlocksMigration,
  plainListsMigration,
  keyExpiryMigration,
];
