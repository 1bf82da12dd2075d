// The queue of notices: snapshots that somebody who listens may have to hear of. A row is written in the transaction that stores
// the snapshot, and deleted in the transaction that records its event.

import { defineStatement, type NoParams } from '../infra/db/statement.ts';

export interface NoticeRow {
  snapshot_id: string;
  project_id: string;
  /** Times that somebody began to work it out, this one included. */
  attempts: number;
}

/** A snapshot that is to be noticed, and who pays for the work. */
export interface NoticedRow {
  machine_name: string;
  created_at: number;
  outcome: 'passed' | 'failed' | null;
  outcome_of: string | null;
  payer: string;
}

/**
 * Claims the notice that has waited longest, until its lease ends. Those of a project are worked out in the order of its
 * snapshots, one at a time: whether a failure is the first of its row depends on those before it.
 */
export const claimNotice = defineStatement<{ nowMs: number; leaseUntilMs: number }, NoticeRow>(
  (qb, p, dialect) =>
    qb('pending_notices')
      .where(
        'snapshot_id',
        dialect.lockFreeRows(
          qb('pending_notices as due')
            .select('due.snapshot_id')
            .where('due.due_at', '<=', p.nowMs)
            .whereNotExists(
              qb('pending_notices as older')
                .select(qb.raw('1'))
                .where('older.project_id', qb.ref('due.project_id'))
                .whereRaw('(older.created_at, older.snapshot_id) < (due.created_at, due.snapshot_id)'),
            )
            .orderBy('due.due_at')
            .limit(1),
        ),
      )
      .where('due_at', '<=', p.nowMs)
      .update({ due_at: p.leaseUntilMs, attempts: qb.raw('attempts + 1') })
      .returning(['snapshot_id', 'project_id', 'attempts']),
);

export const findNoticed = defineStatement<{ snapshotId: string }, NoticedRow>((qb, p) =>
  qb('snapshots')
    .join('project_quotas', 'project_quotas.project_id', 'snapshots.project_id')
    .select(
      'machine_name',
      'created_at',
      'outcome',
      'outcome_of',
      qb.raw('coalesce(payer, cast(snapshots.project_id as text)) as payer'),
    )
    .where('snapshots.id', p.snapshotId),
);

/** Ends a notice; no row is deleted where another server has ended it. */
export const deleteNotice = defineStatement<{ snapshotId: string }>((qb, p) =>
  qb('pending_notices').where('snapshot_id', p.snapshotId).del(),
);

export const postponeNotice = defineStatement<{ snapshotId: string; dueAtMs: number }>((qb, p) =>
  qb('pending_notices').where('snapshot_id', p.snapshotId).update({ due_at: p.dueAtMs }),
);

/** Gives back what a server that is gone had claimed. For a database that nobody else uses. */
export const releaseNotices = defineStatement<NoParams>((qb) =>
  qb('pending_notices')
    .where('due_at', '>', qb.ref('created_at'))
    .update({ due_at: qb.ref('created_at') }),
);
