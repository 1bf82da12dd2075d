// Owns the thread for work that requests bring along: large snapshots that come in, and comparisons of small ones. None of it
// keeps the server's thread, or waits for work on stored ones.

import { limits } from '@envsnap/shared';
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

/** Creates it for bodies of so many bytes at most, and so many seconds of the thread for each; the thread starts with the first large snapshot. */
export function createIntake(maxBodyBytes: number, jobSeconds: number) {
  const runner = createJobRunner<QuickJobs, never, never>({
    program: threadProgram('jobs-thread'),
    heapBytes: 256 * 1024 ** 2 + costOfByte * maxBodyBytes,
    // The budget of bodies bounds them.
    mostWaiting: Number.POSITIVE_INFINITY,
    jobSeconds,
    // A gate of CI compares once in a while. Loading the rules takes longer than comparing by them.
    staysReady: true,
  });

  const context = ({ projectId, payer }: Pick<Principal, 'projectId' | 'payer'>) => ({
    projectId,
    payer,
    begin: () => undefined,
    answer: () => Promise.reject(new Error('these jobs ask nothing')),
    // A new thread costs more than the rest of a job whose caller has gone away.
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
