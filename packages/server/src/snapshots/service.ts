// Snapshots: storing within the quota, reading, deleting and comparing. docs/specification.md §4, §8.

import type { operations, RequestOf, ResponseOf, Snapshot, StringMap } from '@envsnap/shared';
import type { AuditLog } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import { type Clock, toTimestamp } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, ofExisting, type QuotasRow } from '../infra/db/project-quotas.ts';
import type { HoldBytes } from '../infra/http/mount.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { type JsonText, jsonFromItems, jsonFromMembers, storedJson } from '../infra/json-text.ts';
import { pageOf, placeOf } from '../infra/list-parts.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import type { ComparedRow, ComparisonAnswer, compareInThread } from './comparison-job.ts';
import { createSnapshotHistory, type HistoryJobs } from './history.ts';
import type { Intake } from './intake.ts';
import type { NewSnapshot } from './new-snapshot.ts';
import * as rows from './repository.ts';
import { insertSnapshot, takeQuota, takeRun } from './repository.ts';
import type { SnapshotFilter } from './snapshot-lists.ts';
import type { JobContext, StoredJobs } from './snapshot-rows.ts';

interface SnapshotServiceDeps extends CreationDeps {
  readonly audit: AuditLog;
  readonly jobs: SnapshotJobs;
}

type SnapshotJobs = HistoryJobs & StoredJobs<{ compare: typeof compareInThread }>;

type CompareRequest = RequestOf<typeof operations.compareSnapshots>['body'];

type OpenVariables = (
  projectId: string,
  row: Pick<rows.SnapshotRow, 'id' | 'env_ciphertext'>,
) => Promise<Buffer>;

export function createSnapshotService(executor: Executor, deps: SnapshotServiceDeps) {
  const openVariables: OpenVariables = async (projectId, { id, env_ciphertext }) => {
    const cipher = await deps.dataKeys.cipherOf(executor, projectId);
    return cipher.open(variablesPlace(id), env_ciphertext);
  };

  return {
    ...createSnapshotHistory(executor, deps.jobs),
    ...createReads(executor, openVariables),

    create: (projectId: string, content: NewSnapshot) => storeSnapshot(executor, deps, projectId, content),

    async remove(projectId: string, id: string): Promise<void> {
      if (!(await rows.removeSnapshot(executor, projectId, id)))
        throw new AppError('snapshot_not_found', 'Snapshot not found');
      deps.audit.record(projectId, 'snapshot.deleted', { type: 'snapshot', id });
      await deps.outbox.record(projectId, 'snapshot.deleted', { snapshotId: id });
    },

    /**
     * Compares two snapshots completely, and says what counts. `compareRows` compares small ones. Errors: `snapshot_not_found`,
     * `too_much_work`.
     */
    compare: (request: CompareRequest, context: JobContext, compareRows: Intake['compare']) =>
      compare({ executor, openVariables, jobs: deps.jobs, compareRows }, request, context),
  };
}

async function compare(
  deps: {
    readonly executor: Executor;
    readonly openVariables: OpenVariables;
    readonly jobs: SnapshotJobs;
    readonly compareRows: Intake['compare'];
  },
  { snapshotA, snapshotB, includeEnvValues, compareEnvValues }: CompareRequest,
  context: JobContext,
): Promise<JsonText<ComparisonAnswer>> {
  const { executor, openVariables, jobs, compareRows } = deps;
  const { projectId } = context;
  const [a, b] = await Promise.all([
    rows.peekSnapshot(executor, projectId, snapshotA),
    rows.peekSnapshot(executor, projectId, snapshotB),
  ]);
  if (!a || !b) {
    const missing = [a ? [] : ['snapshotA'], b ? [] : ['snapshotB']].flat();
    const details = missing.map((path) => ({ path, message: 'does not exist in this project' }));
    throw new AppError('snapshot_not_found', 'Snapshot not found', details);
  }
  const variables = includeEnvValues ? 'values' : compareEnvValues ? 'status' : 'names';
  const input = { snapshotA, snapshotB, variables } as const;
  // Small snapshots are read at once and do not wait for large ones.
  if (a.row && b.row) {
    context.hold(a.bytes + b.bytes);
    const open = async ({
      env_ciphertext,
      env_names,
      id,
      ...row
    }: rows.SnapshotRow): Promise<ComparedRow> => ({
      ...row,
      env_vars: (await openVariables(projectId, { id, env_ciphertext })).toString(),
    });
    return compareRows({ ...input, rows: { a: await open(a.row), b: await open(b.row) } }, context);
  }
  return jobs.compare(input, context, a.bytes + b.bytes);
}

function createReads(executor: Executor, openVariables: OpenVariables) {
  return {
    machineOf: async (projectId: string, id: string) =>
      (await executor.get(rows.findTime, { projectId, id }))?.machine_name,

    async list(
      filter: SnapshotFilter,
      { limit, offset, after }: { limit: number; offset: number; after?: string | undefined },
      hold: HoldBytes,
    ): Promise<JsonText<ResponseOf<typeof operations.listSnapshots>>> {
      const { projectId } = filter;
      const timeOf = async (id: string) => (await executor.get(rows.findTime, { projectId, id }))?.created_at;
      const place = await placeOf(after, timeOf);
      const { rows: found, total } = await rows.listSnapshotHeads(executor, filter, {
        limit: limit + 1,
        offset,
        after: place,
      });
      const { rows: heads, next } = pageOf(found, limit);
      const summaries = await rows.readSummaries(executor, projectId, heads, hold);
      const snapshots = jsonFromItems(summaries.map((row) => jsonFromMembers(summaryOf(row))));
      return jsonFromMembers({ snapshots, total, limit, offset, next });
    },

    /**
     * A whole snapshot, its variables decrypted, and its entity tag; stored JSON goes into the response as it is. Undefined if
     * the caller already has that version.
     */
    async get(
      projectId: string,
      id: string,
      isKnown: (etag: string) => boolean,
      hold: HoldBytes,
    ): Promise<{ etag: string; answer: JsonText<Snapshot> | undefined; hasVariables: boolean }> {
      const row = await rows.findSnapshot(executor, projectId, id, hold);
      if (!row) throw new AppError('snapshot_not_found', 'Snapshot not found');
      // A snapshot never changes, so its id is its version.
      const etag = `"${id}"`;
      const hasVariables = row.env_names !== '[]';
      if (isKnown(etag)) return { etag, answer: undefined, hasVariables };
      const dependencies = storedJson<Snapshot['dependencies']>(row.dependencies);
      const envVars = storedJson<StringMap>(await openVariables(projectId, row));
      const answer = jsonFromMembers({ ...summaryOf(row), dependencies, envVars });
      return { etag, answer, hasVariables };
    },
  };
}

function summaryOf(row: rows.SnapshotSummaryRow) {
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

type CreatedSnapshot = ResponseOf<typeof operations.createSnapshot>;

interface CreationDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly outbox: Outbox;
}

/**
 * Stores a snapshot. A run replaces the oldest runs beyond their limit; any other snapshot counts against the quota. Call it in a
 * transaction. Errors: `snapshot_quota_exceeded`, `snapshot_storage_quota_exceeded`, `invalid_api_key` if the project is gone.
 */
async function storeSnapshot(
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
