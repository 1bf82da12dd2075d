// Stores a snapshot within its quota, with its event. docs/specification.md §8.

import type { operations, ResponseOf } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, ofExisting, type QuotasRow } from '../infra/db/project-quotas.ts';
import type { IdGenerator } from '../infra/ids.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import type { NewSnapshot } from './new-snapshot.ts';
import { insertSnapshot, takeQuota, takeRun } from './repository.ts';

type CreatedSnapshot = ResponseOf<typeof operations.createSnapshot>;

export interface CreationDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly outbox: Outbox;
}

/**
 * Stores a snapshot. A run replaces the oldest runs beyond their limit; any other snapshot counts against the quota. Call it in a
 * transaction. Errors: `snapshot_quota_exceeded`, `snapshot_storage_quota_exceeded`, `invalid_api_key` if the project is gone.
 */
export async function storeSnapshot(
  executor: Executor,
  { clock, newId, dataKeys, outbox }: CreationDeps,
  projectId: string,
  { envVars, ...columns }: NewSnapshot,
): Promise<CreatedSnapshot> {
  const isRun = columns.outcome !== null;
  const bytes = columns.stored_bytes;
  const quota = await (isRun
    ? takeRun(executor, projectId, bytes)
    : executor.get(takeQuota, { projectId, bytes }));
  if (!quota) throw overQuota(ofExisting(await executor.get(findQuotas, { projectId })));
  const id = newId();
  const createdAt = clock.nowMs();
  const cipher = await dataKeys.cipherOf(executor, projectId);
  const env_ciphertext = cipher.seal(variablesPlace(id), envVars);
  const row = { ...columns, id, project_id: projectId, created_at: createdAt, env_ciphertext };
  insertSnapshot(executor, row, Boolean(quota.is_noticed));
  const machineName = columns.machine_name;
  if (quota.is_listened_to)
    await outbox.record(projectId, 'snapshot.created', { snapshotId: id, machineName });
  return { id, machineName, createdAt: toTimestamp(createdAt) };
}

function overQuota({ max_snapshots, snapshots_used, max_snapshot_bytes }: QuotasRow): AppError {
  return snapshots_used >= max_snapshots
    ? new AppError('snapshot_quota_exceeded', `Snapshot quota exceeded (max ${max_snapshots})`)
    : new AppError(
        'snapshot_storage_quota_exceeded',
        `Snapshot storage quota exceeded (max ${max_snapshot_bytes} bytes)`,
      );
}
