// Queries for the health of a project and its notices: the snapshots to compare, and the verdicts.

import { healthLimits } from '@envsnap/shared/catalogue/limits';
import type { Executor } from '../infra/db/database.ts';
import { defineSql } from '../infra/db/statement.ts';

/** Number of newest runs to read; the response shows only their names. */
const mostRuns = 5000;

export interface RunRow {
  id: string;
  created_at: number;
  outcome: 'passed' | 'failed';
  outcome_of: string;
}

/** The newest runs of each name, newest first. Reads one index. */
export const listRunsByName = defineSql<{ projectId: string }, RunRow>(
  `select id, created_at, outcome, outcome_of from (
    select id, created_at, outcome, outcome_of,
      row_number() over (partition by outcome_of order by created_at desc, id desc) as place
    from (
      select id, created_at, outcome, outcome_of from snapshots
      where project_id = :projectId and outcome is not null
      order by created_at desc, id desc limit ${mostRuns}
    ) as newest
  ) as placed where place <= ${healthLimits.runs} order by created_at desc, id desc`,
);

interface PreviousRow {
  id: string;
  /** The previous snapshot of the same machine: a run's for a run, otherwise one of no run. */
  previous_id: string | null;
}

export const listPrevious = defineSql<{ ids: readonly string[] }, PreviousRow>(
  ({ anyOf }) => `select newer.id, (
    select older.id from snapshots as older
    where older.project_id = newer.project_id and older.machine_name = newer.machine_name
      and (older.created_at, older.id) < (newer.created_at, newer.id)
      and (older.outcome is null) = (newer.outcome is null)
    order by older.created_at desc, older.id desc limit 1
  ) as previous_id from snapshots as newer where ${anyOf('newer.id', 'ids')}`,
);

interface OfRun {
  projectId: string;
  of: string;
  createdAt: number;
  id: string;
}

const runsOfName =
  'from snapshots where project_id = :projectId and outcome is not null and outcome_of = :of';
const earlierRuns = `${runsOfName} and (created_at, id) < (:createdAt, :id)`;

const findLastPassed = defineSql<OfRun, { id: string; created_at: number }>(
  `select id, created_at ${earlierRuns} and outcome = 'passed' order by created_at desc, id desc limit 1`,
);

const countFailedSince = defineSql<
  OfRun & { sinceMs: number; sinceId: string },
  { failed: number; first_at: number | null }
>(
  `select count(*) as failed, min(created_at) as first_at ${runsOfName} and outcome = 'failed'
    and (created_at, id) <= (:createdAt, :id) and (created_at, id) > (:sinceMs, :sinceId)`,
);

/** The series of failed runs of a name, up to one of them or to the run that ended it. */
export interface FailureRow {
  readonly lastPassedId: string | null;
  readonly failedRuns: number;
  readonly sinceMs: number | null;
}

/** A place before every snapshot, by time and id. */
const nothing = { id: '00000000-0000-0000-0000-000000000000', created_at: 0 };

export async function findFailureRow(
  executor: Executor,
  projectId: string,
  run: Pick<RunRow, 'id' | 'created_at' | 'outcome_of'>,
): Promise<FailureRow> {
  const ofRun = { projectId, of: run.outcome_of, createdAt: run.created_at, id: run.id };
  const passed = await executor.get(findLastPassed, ofRun);
  const { id: sinceId, created_at: sinceMs } = passed ?? nothing;
  const counted = await executor.get(countFailedSince, { ...ofRun, sinceMs, sinceId });
  return {
    lastPassedId: passed?.id ?? null,
    failedRuns: counted?.failed ?? 0,
    sinceMs: counted?.first_at ?? null,
  };
}

export const findRun = defineSql<{ projectId: string; id: string }, RunRow>(
  `select id, created_at, outcome, outcome_of from snapshots
  where id = :id and project_id = :projectId and outcome is not null`,
);

export const findNeighbours = defineSql<OfRun, { before_id: string | null; after_id: string | null }>(
  `select (select id ${earlierRuns} order by created_at desc, id desc limit 1) as before_id,
    (select id ${runsOfName} and (created_at, id) > (:createdAt, :id)
      order by created_at, id limit 1) as after_id`,
);

interface VerdictKey {
  snapshotId: string;
  againstId: string;
  kind: 'machine' | 'run';
}

export const findVerdict = defineSql<VerdictKey, { verdict: string }>(
  `select verdict from snapshot_verdicts
  where snapshot_id = :snapshotId and against_id = :againstId and kind = :kind`,
);

/** Failures of a series with which a later one is compared; older causes count as new again. */
const mostEarlierVerdicts = 100;

/** The newest {@link mostEarlierVerdicts} verdicts of earlier runs against the same one. */
export const listEarlierVerdicts = defineSql<
  { againstId: string; createdAt: number; id: string },
  { verdict: string }
>(
  `select verdict from snapshot_verdicts join snapshots on snapshots.id = snapshot_id
  where against_id = :againstId and kind = 'run' and (created_at, id) < (:createdAt, :id)
  order by created_at desc, id desc limit ${mostEarlierVerdicts}`,
);

export const keepVerdict = defineSql<VerdictKey & { verdict: string }>(
  `insert into snapshot_verdicts (snapshot_id, against_id, kind, verdict)
  values (:snapshotId, :againstId, :kind, :verdict)
  on conflict (snapshot_id, against_id, kind) do update set verdict = excluded.verdict`,
);
