// Verdicts on pairs of snapshots: computed once, in the job thread, and stored with the newer one.

import type { SnapshotVerdict } from '@envsnap/shared/machine-state';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import type { JobContext, StoredJobs } from '../snapshots/snapshot-rows.ts';
import * as rows from './repository.ts';
import type { judgeSnapshot, VerdictInput } from './verdict-job.ts';

export type VerdictJobs = StoredJobs<{ verdict: typeof judgeSnapshot }>;

interface KeptVerdict extends SnapshotVerdict {
  /** Number of attempts: a comparison that took too long on a busy machine may succeed the next time. */
  readonly tries: number;
}

const mostTries = 3;

export function isPremature({ counting, tries }: KeptVerdict): boolean {
  return counting === null && tries < mostTries;
}

export async function verdictOf(
  executor: Executor,
  jobs: VerdictJobs,
  input: VerdictInput,
  context: JobContext,
): Promise<KeptVerdict | undefined> {
  const { snapshotId, againstId, kind } = input;
  const row = await executor.get(rows.findVerdict, { snapshotId, againstId, kind });
  const known = row && (JSON.parse(row.verdict) as KeptVerdict);
  if (known && !isPremature(known)) return known;
  try {
    const verdict = { ...(await judge(jobs, input, context)), tries: (known?.tries ?? 0) + 1 };
    await executor.run(rows.keepVerdict, {
      ...{ snapshotId, againstId, kind },
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
