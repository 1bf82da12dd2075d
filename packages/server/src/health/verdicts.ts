// Verdicts of pairs of snapshots: worked out once, in the thread of jobs, and kept with the newer one.

import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import type { JobContext, StoredJobs } from '../snapshots/stored-rows.ts';
import * as rows from './repository.ts';
import type { judgeSnapshot, Verdict, VerdictInput } from './verdict-job.ts';

export type VerdictJobs = StoredJobs<{ verdict: typeof judgeSnapshot }>;

/** The verdict; undefined where one of the snapshots is not there any more. Errors: `server_busy`, `shutting_down`. */
export async function verdictOf(
  executor: Executor,
  jobs: VerdictJobs,
  input: VerdictInput,
  context: JobContext,
): Promise<Verdict | undefined> {
  const { snapshotId, againstId } = input;
  const known = await executor.get(rows.findVerdict, { snapshotId, againstId });
  if (known) return JSON.parse(known.verdict) as Verdict;
  try {
    const verdict = await judge(jobs, input, context);
    await executor.run(rows.insertVerdict, { snapshotId, againstId, verdict: JSON.stringify(verdict) });
    return verdict;
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'snapshot_not_found';
    if (isGone || executor.dialect.isForeignKeyViolation(error)) return undefined;
    throw error;
  }
}

async function judge(jobs: VerdictJobs, input: VerdictInput, context: JobContext): Promise<Verdict> {
  try {
    return JSON.parse((await jobs.verdict(input, context)).text) as Verdict;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_much_work') throw error;
    return { counting: null, violation: null, causes: [] };
  }
}
