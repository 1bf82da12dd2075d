// Counts what projects really hold and compares it with the counters that keep the quotas exact.

import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, type QuotasRow } from '../infra/db/project-quotas.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

/** A project whose counters are wrong. */
export interface Miscount {
  readonly projectId: string;
  readonly counted: Usage;
  readonly actual: Usage;
}

interface Usage {
  /** Those of no run. */
  readonly snapshots: number;
  readonly runs: number;
  readonly snapshotBytes: number;
  readonly files: number;
  readonly storageBytes: number;
}

interface CountRow
  extends Pick<
    QuotasRow,
    'snapshots_used' | 'runs_used' | 'snapshot_bytes_used' | 'files_used' | 'storage_used_bytes'
  > {
  project_id: string;
  snapshots: number;
  runs: number;
  snapshot_bytes: number;
  files: number;
  bytes: number;
}

const findMiscounts = defineStatement<NoParams, CountRow>((qb) =>
  qb
    .select('*')
    .from(
      qb('project_quotas')
        .select(
          'project_id',
          'snapshots_used',
          'runs_used',
          'snapshot_bytes_used',
          'files_used',
          'storage_used_bytes',
          qb('snapshots')
            .count('*')
            .where('snapshots.project_id', qb.ref('project_quotas.project_id'))
            .whereNull('outcome')
            .as('snapshots'),
          qb('snapshots')
            .count('*')
            .where('snapshots.project_id', qb.ref('project_quotas.project_id'))
            .whereNotNull('outcome')
            .as('runs'),
          qb('snapshots')
            .select(qb.raw('coalesce(sum(stored_bytes), 0)'))
            .where('snapshots.project_id', qb.ref('project_quotas.project_id'))
            .as('snapshot_bytes'),
          qb('files').count('*').where('files.project_id', qb.ref('project_quotas.project_id')).as('files'),
          qb('files')
            .select(qb.raw('coalesce(sum(size_bytes), 0)'))
            .where('files.project_id', qb.ref('project_quotas.project_id'))
            .as('bytes'),
        )
        .as('counts'),
    )
    .whereRaw(
      'snapshots_used <> snapshots or runs_used <> runs or snapshot_bytes_used <> snapshot_bytes or files_used <> files or storage_used_bytes <> bytes',
    )
    .orderBy('project_id'),
);

const recount = defineStatement<{ projectId: string }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .update({
      snapshots_used: qb('snapshots').count('*').where('project_id', p.projectId).whereNull('outcome'),
      runs_used: qb('snapshots').count('*').where('project_id', p.projectId).whereNotNull('outcome'),
      snapshot_bytes_used: qb('snapshots')
        .select(qb.raw('coalesce(sum(stored_bytes), 0)'))
        .where('project_id', p.projectId),
      files_used: qb('files').count('*').where('project_id', p.projectId),
      storage_used_bytes: qb('files')
        .select(qb.raw('coalesce(sum(size_bytes), 0)'))
        .where('project_id', p.projectId),
    }),
);

/** The projects whose counters differ from what they hold. */
export async function listMiscounts(executor: Executor): Promise<Miscount[]> {
  return (await executor.all(findMiscounts)).map((row) => ({
    projectId: row.project_id,
    counted: {
      snapshots: row.snapshots_used,
      runs: row.runs_used,
      snapshotBytes: row.snapshot_bytes_used,
      files: row.files_used,
      storageBytes: row.storage_used_bytes,
    },
    actual: {
      snapshots: Number(row.snapshots),
      runs: Number(row.runs),
      snapshotBytes: Number(row.snapshot_bytes),
      files: Number(row.files),
      storageBytes: Number(row.bytes),
    },
  }));
}

/** Sets a project's counters to what it holds. Call it in a transaction. */
export async function correctCounters(executor: Executor, projectId: string): Promise<void> {
  // Creation and deletion hold this row too: what they have changed is either counted or still to come.
  await executor.get(lockQuotas, { projectId });
  await executor.run(recount, { projectId });
}
