// The queue of notices: snapshots that may cause an event to which a webhook subscribes. A row is written in the transaction that
// stores the snapshot, and deleted in the transaction that records its event.

import { defineSql, type NoParams } from '../infra/db/statement.ts';

interface NoticeRow {
  snapshot_id: string;
  project_id: string;
  /** Number of attempts, including this one. */
  attempts: number;
}

export interface NoticedRow {
  machine_name: string;
  created_at: number;
  outcome: 'passed' | 'failed' | null;
  outcome_of: string | null;
  payer: string;
}

/**
 * Claims the notice that has waited longest, until its lease ends. Notices of a project are handled one at a time, in the order
 * of its snapshots, because whether a failure is the first of its series depends on earlier ones. Payers take turns: the next is
 * the one after `lastPayer`.
 */
export const claimNotice = defineSql<{ nowMs: number; leaseUntilMs: number; lastPayer: string }, NoticeRow>(
  ({ lockFree }) => `update pending_notices set due_at = :leaseUntilMs, attempts = attempts + 1
  where due_at <= :nowMs and snapshot_id = (
    select due.snapshot_id from pending_notices as due
    join project_quotas on project_quotas.project_id = due.project_id
    where due.due_at <= :nowMs and not exists (
      select 1 from pending_notices as older where older.project_id = due.project_id
        and (older.created_at, older.snapshot_id) < (due.created_at, due.snapshot_id))
    order by coalesce(payer, cast(due.project_id as text)) <= :lastPayer,
      coalesce(payer, cast(due.project_id as text)), due.due_at limit 1 ${lockFree('due')})
  returning snapshot_id, project_id, attempts`,
);

export const findNoticed = defineSql<{ snapshotId: string }, NoticedRow>(
  `select machine_name, created_at, outcome, outcome_of,
    coalesce(payer, cast(snapshots.project_id as text)) as payer
  from snapshots join project_quotas on project_quotas.project_id = snapshots.project_id
  where snapshots.id = :snapshotId`,
);

export const deleteNotice = defineSql<{ snapshotId: string }>(
  'delete from pending_notices where snapshot_id = :snapshotId',
);

export const postponeNotice = defineSql<{ snapshotId: string; dueAtMs: number }>(
  'update pending_notices set due_at = :dueAtMs where snapshot_id = :snapshotId',
);

/** Releases the claims of a server that is gone. For a database that nobody else uses. */
export const releaseNotices = defineSql<NoParams>(
  'update pending_notices set due_at = created_at where due_at > created_at',
);
