// Queries behind the health of a project and its notices: which snapshots to compare, and what came of it.

import { healthLimits } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** Newest runs that are looked at: their names are those that the answer can show. */
const mostRuns = 5000;

export interface RunRow {
  id: string;
  created_at: number;
  outcome: 'passed' | 'failed';
  outcome_of: string;
}

/** The newest runs of each name, the newest first. Reads one index. */
export const listRunsByName = defineStatement<{ projectId: string }, RunRow>((qb, p) =>
  qb.raw(
    `select id, created_at, outcome, outcome_of from (
      select id, created_at, outcome, outcome_of,
        row_number() over (partition by outcome_of order by created_at desc, id desc) as place
      from (
        select id, created_at, outcome, outcome_of from snapshots
        where project_id = ? and outcome is not null
        order by created_at desc, id desc limit ${mostRuns}
      ) as newest
    ) as placed where place <= ${healthLimits.runs} order by created_at desc, id desc`,
    [p.projectId],
  ),
);

export interface PreviousRow {
  id: string;
  /** The snapshot of the same machine before it: of a run for a run, else of none. */
  previous_id: string | null;
}

export const listPrevious = defineStatement<{ ids: readonly string[] }, PreviousRow>((qb, p, dialect) =>
  qb.raw(
    `select newer.id, (
      select older.id from snapshots as older
      where older.project_id = newer.project_id and older.machine_name = newer.machine_name
        and (older.created_at, older.id) < (newer.created_at, newer.id)
        and (older.outcome is null) = (newer.outcome is null)
      order by older.created_at desc, older.id desc limit 1
    ) as previous_id from snapshots as newer where ?`,
    [dialect.anyOf('newer.id', p.ids as never)],
  ),
);

interface OfRun {
  projectId: string;
  of: string;
  createdAt: number;
  id: string;
}

const findLastPassed = defineStatement<OfRun, { id: string; created_at: number }>((qb, p) =>
  qb.raw(
    `select id, created_at from snapshots
    where project_id = ? and outcome is not null and outcome = 'passed' and outcome_of = ?
      and (created_at, id) < (?, ?)
    order by created_at desc, id desc limit 1`,
    [p.projectId, p.of, p.createdAt, p.id],
  ),
);

const countFailedSince = defineStatement<
  OfRun & { sinceMs: number; sinceId: string },
  { failed: number; first_at: number | null }
>((qb, p) =>
  qb.raw(
    `select count(*) as failed, min(created_at) as first_at from snapshots
    where project_id = ? and outcome is not null and outcome = 'failed' and outcome_of = ?
      and (created_at, id) <= (?, ?) and (created_at, id) > (?, ?)`,
    [p.projectId, p.of, p.createdAt, p.id, p.sinceMs, p.sinceId],
  ),
);

/** The runs of a name that failed in a row, up to one of them or to the one that ended them. */
export interface FailureRow {
  /** The run that passed before them; null where none did. */
  readonly lastPassedId: string | null;
  readonly failedRuns: number;
  /** When the first of them was stored; null where there is none. */
  readonly sinceMs: number | null;
}

/** Before every snapshot, in time and by its id. */
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

/** The run of an id, as those around it are found. */
export const findRun = defineStatement<{ projectId: string; id: string }, RunRow>((qb, p) =>
  qb('snapshots')
    .select('id', 'created_at', 'outcome', 'outcome_of')
    .where({ id: p.id, project_id: p.projectId })
    .whereNotNull('outcome'),
);

/** The run of a name right before and right after one. */
export const findNeighbours = defineStatement<OfRun, { before_id: string | null; after_id: string | null }>(
  (qb, p) => {
    const next = (sign: string, order: string) => `(select id from snapshots
    where project_id = ? and outcome is not null and outcome_of = ? and (created_at, id) ${sign} (?, ?)
    order by created_at ${order}, id ${order} limit 1)`;
    const run = [p.projectId, p.of, p.createdAt, p.id];
    return qb.raw(`select ${next('<', 'desc')} as before_id, ${next('>', 'asc')} as after_id`, [
      ...run,
      ...run,
    ] as never);
  },
);

interface VerdictKey {
  snapshotId: string;
  againstId: string;
  kind: 'machine' | 'run';
}

export const findVerdict = defineStatement<VerdictKey, { verdict: string }>((qb, p) =>
  qb('snapshot_verdicts')
    .select('verdict')
    .where({ snapshot_id: p.snapshotId, against_id: p.againstId, kind: p.kind }),
);

/** Failures of a row that a later one is compared with: one whose causes are older than those is news again. */
const mostEarlierVerdicts = 100;

/** The verdicts of earlier runs against the same one, the newest {@link mostEarlierVerdicts} of them. */
export const listEarlierVerdicts = defineStatement<
  { againstId: string; createdAt: number; id: string },
  { verdict: string }
>((qb, p) =>
  qb('snapshot_verdicts')
    .join('snapshots', 'snapshots.id', 'snapshot_verdicts.snapshot_id')
    .select('verdict')
    .where('against_id', p.againstId)
    .where('kind', 'run')
    .whereRaw('(created_at, id) < (?, ?)', [p.createdAt as never, p.id as never])
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(mostEarlierVerdicts),
);

export const keepVerdict = defineStatement<VerdictKey & { verdict: string }>((qb, p) =>
  qb('snapshot_verdicts')
    .insert({ snapshot_id: p.snapshotId, against_id: p.againstId, kind: p.kind, verdict: p.verdict })
    .onConflict(['snapshot_id', 'against_id', 'kind'])
    .merge(),
);
