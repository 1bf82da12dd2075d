// The list of all migrations, in the order in which they are applied.

import type { Migration } from './migration.ts';
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
import { clientRequestIdsMigration } from './migrations/0210-client-request-ids.ts';
import { keyExpiryMigration } from './migrations/0215-key-expiry.ts';
import { sharesMigration } from './migrations/0240-shares.ts';
import { sessionsMigration } from './migrations/0241-sessions.ts';
import { auditOfActorMigration } from './migrations/0260-audit-of-actor.ts';
import { partialIndexesMigration } from './migrations/0270-partial-indexes.ts';
import { redeliveriesMigration } from './migrations/0280-redeliveries.ts';
import { machinesByNameMigration } from './migrations/0281-machines-by-name.ts';

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
  clientRequestIdsMigration,
  keyExpiryMigration,
  sharesMigration,
  sessionsMigration,
  auditOfActorMigration,
  partialIndexesMigration,
  redeliveriesMigration,
  machinesByNameMigration,
];
