// Verdicts on pairs of snapshots: computed once, in the job thread, and stored with the newer one.

import type { SnapshotVerdict } from '@envsnap/shared/machine-state';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import type { JobContext, StoredJobs } from '../snapshots/snapshot-rows.ts';
import * as rows from './repository.ts';
import type { judgeSnapshot, VerdictInput } from './verdict-job.ts';

export type VerdictJobs = StoredJobs<{ verdict: typeof judgeSnapshot }>;

/**
 * The verdict on a pair; undefined if one of the two is gone. A comparison that would take too much of the server's time has no
 * count, and is not tried again: it would take as much every time.
 */
export async function verdictOf(
  executor: Executor,
  jobs: VerdictJobs,
  input: VerdictInput,
  context: JobContext,
): Promise<SnapshotVerdict | undefined> {
  const { snapshotId, againstId, kind } = input;
  const row = await executor.get(rows.findVerdict, { snapshotId, againstId, kind });
  if (row) return JSON.parse(row.verdict) as SnapshotVerdict;
  try {
    const verdict = await judge(jobs, input, context);
    await executor.run(rows.keepVerdict, {
      snapshotId,
      againstId,
      kind,
      verdict: JSON.stringify(verdict),
    });
    return verdict;
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'snapshot_not_found';
    if (isGone || executor.dialect.isForeignKeyViolation(error)) return undefined;
    throw error;
  }
}

async function judge(jobs: VerdictJobs, input: VerdictInput, context: JobContext): Promise<SnapshotVerdict> {
  try {
    return JSON.parse((await jobs.verdict(input, context)).text) as SnapshotVerdict;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_much_work') throw error;
    return { counting: null, violation: null, causes: [] };
  }
}
