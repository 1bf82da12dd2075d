// Owns the thread for new large snapshots and comparisons of small ones, so that they neither block the main thread nor wait for
// work on stored snapshots.

import { limits } from '@envsnap/shared';
import type { Clock } from '../infra/clock.ts';
import { costOfByte } from '../infra/http/byte-budget.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { createJobRunner } from '../infra/jobs/job-runner.ts';
import { type JsonText, storedJson } from '../infra/json-text.ts';
import { threadProgram } from '../infra/package-files.ts';
import { inTimeSlice } from '../infra/time-slices.ts';
import type { ComparisonAnswer, RowsComparison } from './comparison-job.ts';
import { type IntakeJobs, receiveSnapshot } from './new-snapshot.ts';

type QuickJobs = IntakeJobs & { compareRows: (input: RowsComparison) => Promise<unknown> };

export type Intake = ReturnType<typeof createIntake>;

/** Creates it with limits on a body's bytes and the thread's seconds. The thread starts with the first large snapshot. */
export function createIntake(maxBodyBytes: number, jobSeconds: number, clock: Clock) {
  const runner = createJobRunner<QuickJobs, never, never>({
    program: threadProgram('jobs-thread'),
    heapBytes: 256 * 1024 ** 2 + costOfByte * maxBodyBytes,
    clock,
    // The budget for bodies limits them.
    mostWaiting: Number.POSITIVE_INFINITY,
    jobSeconds,
    // A CI gate compares only now and then, and loading the rules takes longer than the comparison.
    staysReady: true,
  });

  const context = ({ projectId, payer }: Pick<Principal, 'projectId' | 'payer'>) => ({
    projectId,
    payer,
    begin: () => undefined,
    answer: () => Promise.reject(new Error('these jobs ask nothing')),
    // A new thread costs more than finishing the job of a caller that has disconnected.
    signal: new AbortController().signal,
  });

  return {
    receive: (sent: unknown, withDigest: boolean, principal: Principal) =>
      sent instanceof Uint8Array && sent.length > limits.bodyBytes
        ? runner.run('receiveSnapshot', { sent, withDigest }, context(principal))
        : inTimeSlice(() => receiveSnapshot({ sent, withDigest })),

    async compare(
      input: RowsComparison,
      caller: Pick<Principal, 'projectId' | 'payer'>,
    ): Promise<JsonText<ComparisonAnswer>> {
      return storedJson((await runner.run('compareRows', input, context(caller))) as Uint8Array);
    },

    stop: runner.stop,
  };
}
