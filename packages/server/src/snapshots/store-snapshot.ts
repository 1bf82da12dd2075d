// Stores a snapshot within its quota, with its event. docs/specification.md §8.

import { type operations, type ResponseOf, runOutcome, type SnapshotContent } from '@envsnap/shared';
import type { FingerprintKeyService } from '../fingerprints/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { createSnapshotRepository, type NewSnapshotRow } from './repository.ts';

type CreatedSnapshot = ResponseOf<typeof operations.createSnapshot>;

export interface CreationDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly outbox: Outbox;
  readonly fingerprintKeys: FingerprintKeyService;
}

/**
 * Stores a snapshot. One of a run counts among the runs, whose oldest leave; every other takes from the quota. Call it in a
 * transaction. Errors: `snapshot_quota_exceeded`, `invalid_api_key` when the project is gone.
 */
export async function storeSnapshot(
  executor: Executor,
  deps: CreationDeps,
  projectId: string,
  content: SnapshotContent,
): Promise<CreatedSnapshot> {
  const repository = createSnapshotRepository(executor);
  const envVars = content.envVars ?? {};
  const metadata = content.metadata ?? {};
  const isRun = runOutcome(metadata) !== undefined;
  const quota = await (isRun ? repository.takeRun(projectId) : repository.takeQuota(projectId));
  if (!quota) {
    const max = await repository.maxSnapshots(projectId);
    // Deleted after the key was recognised.
    if (max === undefined) throw new AppError('invalid_api_key', 'Invalid API key');
    throw new AppError('snapshot_quota_exceeded', `Snapshot quota exceeded (max ${max})`);
  }
  await deps.fingerprintKeys.bringUpToDate(projectId, quota.fingerprint_key_id, { envVars, metadata });
  const row = await rowOf(executor, deps, projectId, { ...content, envVars, metadata });
  repository.insert(row);
  if (quota.is_listened_to) {
    const data = { snapshotId: row.id, machineName: row.machine_name };
    await deps.outbox.record(projectId, 'snapshot.created', data);
  }
  return { id: row.id, machineName: row.machine_name, createdAt: toTimestamp(row.created_at) };
}

/** A new snapshot's row, its variables encrypted. */
async function rowOf(
  executor: Executor,
  { clock, newId, dataKeys }: CreationDeps,
  projectId: string,
  content: SnapshotContent,
): Promise<NewSnapshotRow> {
  const id = newId();
  const envVars = content.envVars ?? {};
  const metadata = content.metadata ?? {};
  const cipher = await dataKeys.cipherOf(executor, projectId);
  const run = runOutcome(metadata);
  return {
    id,
    project_id: projectId,
    created_at: clock.nowMs(),
    machine_name: content.machineName,
    os: content.os ?? null,
    arch: content.arch ?? null,
    runtime_versions: JSON.stringify(content.runtimeVersions ?? {}),
    metadata: JSON.stringify(metadata),
    dependencies: JSON.stringify(content.dependencies ?? {}),
    outcome: run?.result ?? null,
    outcome_of: run?.of ?? null,
    env_names: JSON.stringify(Object.keys(envVars)),
    env_ciphertext: cipher.seal(variablesPlace(id), Buffer.from(JSON.stringify(envVars))),
  };
}
