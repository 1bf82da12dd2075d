// Runs jobs for requests: gives each job the rows of its project, and the thread its limits.

import type { Clock } from './infra/clock.ts';
import type { DataKeys } from './infra/crypto/data-keys.ts';
import type { Executor } from './infra/db/database.ts';
import { costOfByte } from './infra/http/byte-budget.ts';
import type { AnswerOf, InputOf } from './infra/jobs/job.ts';
import { createJobRunner } from './infra/jobs/job-runner.ts';
import { storedJson } from './infra/json-text.ts';
import { threadProgram } from './infra/package-files.ts';
import type { Jobs } from './jobs.ts';
import {
  createSnapshotRows,
  type JobContext,
  type RowsQuestion,
  type RowsReply,
  type StoredJobs,
} from './snapshots/snapshot-rows.ts';

interface StoredJobsOptions {
  readonly database: Executor;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  /** Bytes of bodies and responses that may be in progress at once: the budget for the memory of jobs. */
  readonly limitBytes: number;
  readonly jobSeconds: number;
}

/** Maximum memory of one diagnosis's table, and of another job: two large snapshots and their comparison. In bytes. */
const mostTableBytes = 256 * 1024 ** 2;
const jobBytes = 256 * 1024 ** 2;

/** The thread starts with the first job. */
export function createStoredJobs({ database, dataKeys, clock, limitBytes, jobSeconds }: StoredJobsOptions) {
  const rows = createSnapshotRows(database, dataKeys);
  // An eighth of the memory behind the budget.
  const tableBytes = Math.min(mostTableBytes, (limitBytes * costOfByte) / 8);
  const heapBytes = 2 * tableBytes + jobBytes;
  const runner = createJobRunner<Jobs, RowsQuestion, RowsReply>({
    program: threadProgram('jobs-thread'),
    heapBytes,
    clock,
    mostWaiting: 32,
    jobSeconds,
  });

  function job<Name extends keyof Jobs>(name: Name, isRepeatable = false) {
    return async (
      input: InputOf<Jobs[Name]>,
      { projectId, payer, hold, confirm, signal, releaseSlot }: JobContext,
      memoryBytes = 0,
    ) => {
      releaseSlot?.();
      let begun: Promise<unknown> | undefined;
      const answer: unknown = await runner.run(name, input, {
        projectId,
        payer,
        signal,
        isRepeatable,
        begin: () => hold(memoryBytes),
        // A job does nothing before it asks for rows. The key may have been revoked while it waited.
        answer: async (question) => {
          begun ??= confirm();
          await begun;
          return rows.answer(projectId, question, (bytes) => hold(memoryBytes + bytes));
        },
      });
      await confirm();
      // jobs-thread.ts writes the JSON.
      return storedJson<AnswerOf<Jobs[Name]>>(answer as Uint8Array);
    };
  }

  const jobs: StoredJobs<Jobs> = {
    compare: job('compare'),
    // Repeatable, because the inputs of these jobs name snapshots, which never change.
    machines: job('machines', true),
    history: job('history', true),
    search: job('search', true),
    diagnose: job('diagnose', true),
    verdict: job('verdict'),
    share: job('share'),
    page: job('page'),
  };
  return { jobs, tableBytes, usage: runner.usage, stop: runner.stop };
}
