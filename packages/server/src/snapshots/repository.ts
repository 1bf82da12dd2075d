// Rows of snapshots. Maps and metadata are stored as the JSON text of responses; variables as one ciphertext.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookEvent } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, type QuotasRow } from '../infra/db/project-quotas.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';
import { inTimeSlice } from '../infra/time-slices.ts';
import { isListenedTo } from '../webhooks/outbox.ts';
import { addToMachine, takeFromMachine } from './machine-counts.ts';
import { createSnapshotLists, type ListPart, type SnapshotFilter } from './snapshot-lists.ts';

/** A snapshot's row; JSON columns are text, `created_at` is milliseconds since the epoch. */
export interface SnapshotRow {
  id: string;
  created_at: number;
  machine_name: string;
  os: string | null;
  arch: string | null;
  runtime_versions: string;
  metadata: string;
  env_names: string;
  env_ciphertext: Buffer;
  dependencies: string;
}
export type SnapshotSummaryRow = Omit<SnapshotRow, 'dependencies' | 'env_names' | 'env_ciphertext'>;

export interface NewSnapshotRow extends SnapshotRow {
  project_id: string;
  /** Result and name of the run from the metadata; null if it has none. */
  outcome: string | null;
  outcome_of: string | null;
  /** Bytes of its large columns, as counted by the quota. */
  stored_bytes: number;
}

/** A snapshot of a list, and the bytes of its summary's columns that can be large. */
export interface SnapshotHead {
  readonly id: string;
  readonly created_at: number;
  readonly bytes: number;
}

const headColumns = ['id', 'created_at', 'octet_length(runtime_versions) + octet_length(metadata) as bytes'];
const summaryColumns = 'id, created_at, machine_name, os, arch, runtime_versions, metadata';

/** Bytes of summaries to read at once: a few milliseconds of SQLite, in which all others wait. */
const summaryBytesAtOnce = 1024 ** 2;

const listSummaries = defineSql<{ projectId: string; ids: readonly string[] }, SnapshotSummaryRow>(
  ({ anyOf, unindexed }) => `select ${summaryColumns} from snapshots
  where ${anyOf('id', 'ids')} and ${unindexed('project_id')} = :projectId order by created_at desc, id desc`,
);

const insert = defineInsert<NewSnapshotRow>('snapshots');

/** Maximum number of runs to remove with one creation, to make room for it or after an operator has lowered the limit. */
const mostRunsAtOnce = 8;
const mostRunsForBytes = 200;

/** Columns of a whole snapshot that can be large, beside its runtimes and metadata. */
const largeColumns = ['env_names', 'env_ciphertext', 'dependencies'] as const;
/** Size of a snapshot from which {@link largeColumns} are read separately, once there is memory for them. */
const largeBytes = 256 * 1024;

/** A whole snapshot. Long dependencies are bytes, if the database returns them so. */
type WholeRow = Omit<SnapshotRow, 'dependencies'> & { dependencies: string | Buffer };

/** A snapshot whose large columns are null if they are large together. */
interface SizedRow extends Omit<SnapshotRow, (typeof largeColumns)[number]> {
  large_bytes: number;
  env_names: string | null;
  env_ciphertext: Buffer | null;
  dependencies: string | null;
}

const sizedBytes = [...largeColumns, 'runtime_versions', 'metadata']
  .map((column) => `octet_length(${column})`)
  .join(' + ');
const ifSmall = largeColumns
  .map((column) => `case when ${sizedBytes} <= ${largeBytes} then ${column} end as ${column}`)
  .join(', ');
const findSized = defineSql<{ projectId: string; id: string }, SizedRow>(
  `select ${summaryColumns}, ${sizedBytes} as large_bytes, ${ifSmall} from snapshots
  where id = :id and project_id = :projectId`,
);

const findLarge = defineSql<{ projectId: string; id: string }, Pick<WholeRow, (typeof largeColumns)[number]>>(
  ({ bytesOf }) => `select env_names, env_ciphertext, ${bytesOf('dependencies')} from snapshots
  where id = :id and project_id = :projectId`,
);

const remove = defineSql<
  { projectId: string; id: string },
  Pick<NewSnapshotRow, 'machine_name' | 'outcome' | 'stored_bytes'>
>(
  `delete from snapshots where id = :id and project_id = :projectId
  returning machine_name, outcome, stored_bytes`,
);

const listOldestRuns = defineSql<{ projectId: string; limit: number }, { id: string; stored_bytes: number }>(
  `select id, stored_bytes from snapshots where project_id = :projectId and outcome is not null
  order by created_at, id limit :limit`,
);

/** Values that a creation reads with the locked row of the quotas, which saves a query if no webhook subscribes. */
interface TakenQuota {
  is_listened_to: boolean | number;
  /** Whether a webhook subscribes to events that the snapshot may cause (health/). */
  is_noticed: boolean | number;
}

const takenColumns = (noticed: readonly WebhookEvent[]) =>
  `${isListenedTo('project_quotas.project_id', ['snapshot.created'])} as is_listened_to,
  ${isListenedTo('project_quotas.project_id', noticed)} as is_noticed`;

const queueNotice = defineSql<{ id: string; projectId: string; createdAt: number }>(
  `insert into pending_notices (snapshot_id, project_id, created_at, due_at, attempts)
  values (:id, :projectId, :createdAt, :createdAt, 0)`,
);

/** Adds or subtracts one snapshot or run with its bytes. */
const count = (column: 'snapshots_used' | 'runs_used', sign: '+' | '-') =>
  `update project_quotas set ${column} = ${column} ${sign} 1,
    snapshot_bytes_used = snapshot_bytes_used ${sign} :bytes where project_id = :projectId`;

/**
 * Counts one more snapshot with its bytes; returns no row if a quota is used up. Locks the quotas' row until the commit.
 */
export const takeQuota = defineSql<{ projectId: string; bytes: number }, TakenQuota>(
  `${count('snapshots_used', '+')}
    and snapshots_used < max_snapshots and snapshot_bytes_used + :bytes <= max_snapshot_bytes
  returning ${takenColumns(['environment.changed'])}`,
);

const countRun = defineSql<
  { projectId: string; bytes: number },
  TakenQuota & Pick<QuotasRow, 'runs_used' | 'max_runs' | 'snapshot_bytes_used' | 'max_snapshot_bytes'>
>(
  `${count('runs_used', '+')} returning ${takenColumns(['run.failed', 'run.recovered'])},
  runs_used, max_runs, snapshot_bytes_used, max_snapshot_bytes`,
);

const returnQuota = defineSql<{ projectId: string; bytes: number }>(count('snapshots_used', '-'));
const returnRun = defineSql<{ projectId: string; bytes: number }>(count('runs_used', '-'));

export const findTime = defineSql<
  { projectId: string; id: string },
  { created_at: number; machine_name: string }
>('select created_at, machine_name from snapshots where id = :id and project_id = :projectId');

/** Deletes a snapshot's row and its counts; false if there was none. */
async function removeOne(executor: Executor, projectId: string, id: string): Promise<boolean> {
  const row = await executor.get(remove, { projectId, id });
  if (!row) return false;
  executor.write(row.outcome === null ? returnQuota : returnRun, { projectId, bytes: row.stored_bytes });
  takeFromMachine(executor, { projectId, machineName: row.machine_name });
  return true;
}

/** Adds a snapshot, at the latest with the commit; with `isNoticed`, queues it for notices. */
export function insertSnapshot(executor: Executor, row: NewSnapshotRow, isNoticed: boolean): void {
  executor.write(insert, row);
  if (isNoticed)
    executor.write(queueNotice, { id: row.id, projectId: row.project_id, createdAt: row.created_at });
  executor.write(addToMachine, { projectId: row.project_id, machineName: row.machine_name });
}

/** The size of a snapshot in bytes, with its row if it is small. Undefined if there is none. */
export async function peekSnapshot(executor: Executor, projectId: string, id: string) {
  const found = await executor.get(findSized, { projectId, id });
  if (!found) return undefined;
  const { large_bytes: bytes, ...sized } = found;
  return { bytes, sized, row: bytes <= largeBytes ? (sized as SnapshotRow) : undefined };
}

/** A whole snapshot. `hold` gets the bytes of a large one before they are read. */
export async function findSnapshot(
  executor: Executor,
  projectId: string,
  id: string,
  hold?: (bytes: number) => void,
): Promise<WholeRow | undefined> {
  const found = await peekSnapshot(executor, projectId, id);
  if (!found || found.row) return found?.row;
  hold?.(found.bytes);
  // An embedded database reads it on this thread, and many may ask at one moment.
  const large = await inTimeSlice(() => executor.get(findLarge, { projectId, id }));
  return large && { ...found.sized, ...large };
}

export function listSnapshotHeads(executor: Executor, filter: SnapshotFilter, part: ListPart) {
  return createSnapshotLists(executor).page<SnapshotHead>(headColumns, filter, part);
}

/** The summaries of a page that still exist. `hold` gets their bytes before they are read. */
export async function readSummaries(
  executor: Executor,
  projectId: string,
  heads: readonly SnapshotHead[],
  hold: (bytes: number) => void,
): Promise<SnapshotSummaryRow[]> {
  hold(heads.reduce((sum, { bytes }) => sum + bytes, 0));
  const rows: SnapshotSummaryRow[] = [];
  for (let start = 0, end = 0; start < heads.length; start = end) {
    for (let sum = 0; end < heads.length; end += 1) {
      sum += (heads[end] as SnapshotHead).bytes;
      if (end > start && sum > summaryBytesAtOnce) break;
    }
    const ids = heads.slice(start, end).map(({ id }) => id);
    rows.push(...(await executor.all(listSummaries, { projectId, ids })));
    if (end < heads.length) await nextTurn();
  }
  return rows;
}

/**
 * Removes a snapshot and its counts; true if it existed. Locks the quotas first, like a creation: transactions that lock in one
 * order cannot block each other.
 */
export async function removeSnapshot(executor: Executor, projectId: string, id: string): Promise<boolean> {
  await executor.get(lockQuotas, { projectId });
  return removeOne(executor, projectId, id);
}

/**
 * Counts one more run with its bytes. Runs have a separate limit and are never refused: the oldest are removed, a few at a time,
 * as many as make room for the bytes. Undefined if the project is gone.
 */
export async function takeRun(
  executor: Executor,
  projectId: string,
  bytes: number,
): Promise<TakenQuota | undefined> {
  const quota = await executor.get(countRun, { projectId, bytes });
  if (!quota) return undefined;
  let surplus = Math.min(quota.runs_used - quota.max_runs, mostRunsAtOnce);
  let surplusBytes = quota.snapshot_bytes_used - quota.max_snapshot_bytes;
  if (surplus <= 0 && surplusBytes <= 0) return quota;
  const limit = surplusBytes > 0 ? mostRunsForBytes : surplus;
  for (const run of await executor.all(listOldestRuns, { projectId, limit })) {
    if (surplus <= 0 && surplusBytes <= 0) break;
    await removeOne(executor, projectId, run.id);
    surplus -= 1;
    surplusBytes -= run.stored_bytes;
  }
  return quota;
}
