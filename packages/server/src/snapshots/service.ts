// Snapshots: storing within the quota, reading, deleting and comparing. docs/specification.md §4, §8.

import {
  type operations,
  type ResponseOf,
  runOutcome,
  type Snapshot,
  type SnapshotContent,
  type StringMap,
} from '@envsnap/shared';
import type { AuditLog } from '../audit/service.ts';
import type { FingerprintKeyService } from '../fingerprints/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import type { HoldBytes } from '../infra/http/mount.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { type JsonText, jsonFromItems, jsonFromMembers, storedJson } from '../infra/json-text.ts';
import { pageOf, placeOf } from '../infra/list-parts.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { type ComparisonAnswer, type compareInThread, compareStored } from './comparison-job.ts';
import { createSnapshotHistory, type HistoryJobs } from './history.ts';
import {
  createSnapshotRepository,
  type NewSnapshotRow,
  type SnapshotRow,
  type SnapshotSummaryRow,
} from './repository.ts';
import type { SnapshotFilter } from './snapshot-filter.ts';
import type { JobContext, StoredJobs } from './stored-rows.ts';

export interface SnapshotServiceDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
  readonly fingerprintKeys: FingerprintKeyService;
  readonly jobs: HistoryJobs & StoredJobs<{ compare: typeof compareInThread }>;
}

type CreatedSnapshot = ResponseOf<typeof operations.createSnapshot>;

export interface CompareRequest {
  readonly snapshotA: string;
  readonly snapshotB: string;
  readonly includeEnvValues?: boolean | undefined;
  readonly compareEnvValues?: boolean | undefined;
}

export type SnapshotService = ReturnType<typeof createSnapshotService>;

/** The rules of snapshots, on one connection or transaction. */
export function createSnapshotService(
  executor: Executor,
  { clock, newId, dataKeys, audit, outbox, fingerprintKeys, jobs }: SnapshotServiceDeps,
) {
  const repository = createSnapshotRepository(executor);

  async function find(projectId: string, id: string, hold?: HoldBytes): Promise<SnapshotRow> {
    const row = await repository.find(projectId, id, hold);
    if (!row) throw new AppError('snapshot_not_found', 'Snapshot not found');
    return row;
  }

  /** The variables of a row as JSON text. */
  async function openVariables(
    projectId: string,
    row: Pick<SnapshotRow, 'id' | 'env_ciphertext'>,
  ): Promise<string> {
    const cipher = await dataKeys.cipherOf(executor, projectId);
    return cipher.open(variablesPlace(row.id), row.env_ciphertext).toString('utf8');
  }

  /** A new snapshot's row. */
  async function rowOf(projectId: string, content: SnapshotContent): Promise<NewSnapshotRow> {
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

  return {
    /** Reads over many snapshots at once. */
    ...createSnapshotHistory(executor, jobs),

    /** Stores a snapshot. Errors: `snapshot_quota_exceeded`. Call it in a transaction. */
    async create(projectId: string, content: SnapshotContent): Promise<CreatedSnapshot> {
      const [quota, announce] = await Promise.all([
        repository.takeQuota(projectId),
        outbox.open(projectId, 'snapshot.created'),
      ]);
      if (!quota) {
        const max = await repository.maxSnapshots(projectId);
        // Deleted after the key was recognised.
        if (max === undefined) throw new AppError('invalid_api_key', 'Invalid API key');
        throw new AppError('snapshot_quota_exceeded', `Snapshot quota exceeded (max ${max})`);
      }
      const envVars = content.envVars ?? {};
      const metadata = content.metadata ?? {};
      await fingerprintKeys.bringUpToDate(projectId, quota.fingerprint_key_id, { envVars, metadata });
      const row = await rowOf(projectId, { ...content, envVars, metadata });
      repository.insert(row);
      const created = answerOf(row);
      announce(eventDataOf(created));
      return created;
    },

    /** A page of snapshots, newest first, with the number of all that match. */
    async list(
      filter: SnapshotFilter,
      { limit, offset, after }: { limit: number; offset: number; after?: string | undefined },
    ): Promise<JsonText<ResponseOf<typeof operations.listSnapshots>>> {
      const place = await placeOf(after, (id) => repository.findTime(filter.projectId, id));
      const { rows: found, total } = await repository.list(filter, {
        limit: limit + 1,
        offset,
        after: place,
      });
      const { rows, next } = pageOf(found, limit);
      const snapshots = jsonFromItems(rows.map((row) => jsonFromMembers(summaryOf(row))));
      return jsonFromMembers({ snapshots, total, limit, offset, next });
    },

    /**
     * A whole snapshot, its variables decrypted, and its entity tag; stored JSON goes into the answer as it is.
     * Undefined instead of the answer when the caller has that version already.
     */
    async get(
      projectId: string,
      id: string,
      isKnown: (etag: string) => boolean,
      hold: HoldBytes,
    ): Promise<{ etag: string; answer: JsonText<Snapshot> | undefined }> {
      const row = await find(projectId, id, hold);
      // Nothing of a snapshot ever changes but its fingerprints, when their key does.
      const etag = row.revision === 0 ? `"${id}"` : `"${id}.${row.revision}"`;
      if (isKnown(etag)) return { etag, answer: undefined };
      const dependencies = storedJson<Snapshot['dependencies']>(row.dependencies);
      const envVars = storedJson<StringMap>(await openVariables(projectId, row));
      return { etag, answer: jsonFromMembers({ ...summaryOf(row), dependencies, envVars }) };
    },

    /** Deletes a snapshot. Call it in a transaction. */
    async remove(projectId: string, id: string): Promise<void> {
      // The quota's row first, as creation does: two transactions that lock in one order cannot block each other.
      await repository.returnQuota(projectId);
      if (!(await repository.remove(projectId, id)))
        throw new AppError('snapshot_not_found', 'Snapshot not found');
      audit.record({ projectId, action: 'snapshot.deleted', target: { type: 'snapshot', id } });
      await outbox.record(projectId, 'snapshot.deleted', { snapshotId: id });
    },

    /** Compares two snapshots; variables are decrypted only when their values count. Errors: `snapshot_not_found`. */
    async compare(
      { snapshotA, snapshotB, includeEnvValues, compareEnvValues }: CompareRequest,
      context: JobContext,
    ): Promise<ComparisonAnswer | JsonText<ComparisonAnswer>> {
      const { projectId } = context;
      const [a, b] = await Promise.all([
        repository.peek(projectId, snapshotA),
        repository.peek(projectId, snapshotB),
      ]);
      if (!a || !b) {
        const missing = [a ? [] : ['snapshotA'], b ? [] : ['snapshotB']].flat();
        const details = missing.map((path) => ({ path, message: 'does not exist in this project' }));
        throw new AppError('snapshot_not_found', 'Snapshot not found', details);
      }
      const variables = includeEnvValues ? 'values' : compareEnvValues ? 'status' : 'names';
      const input = { snapshotA, snapshotB, variables } as const;
      // What is small costs less here than on its way to another thread, and waits for nobody's large ones.
      if (a.row && b.row) {
        const withVariables = async (row: SnapshotRow) =>
          variables === 'names' ? row : { ...row, env_vars: await openVariables(projectId, row) };
        return compareStored(await withVariables(a.row), await withVariables(b.row), input);
      }
      return jobs.compare(input, context, a.bytes + b.bytes);
    },
  };
}

function answerOf(row: NewSnapshotRow): CreatedSnapshot {
  return { id: row.id, machineName: row.machine_name, createdAt: toTimestamp(row.created_at) };
}

function eventDataOf({ id, machineName }: CreatedSnapshot) {
  return { snapshotId: id, machineName };
}

/** The members that list items and single snapshots share; the stored ones as they are. */
function summaryOf(row: SnapshotSummaryRow) {
  return {
    id: row.id,
    machineName: row.machine_name,
    os: row.os,
    arch: row.arch,
    runtimeVersions: storedJson<Snapshot['runtimeVersions']>(row.runtime_versions),
    metadata: storedJson<Snapshot['metadata']>(row.metadata),
    createdAt: toTimestamp(row.created_at),
  };
}
