// Owns the thread that takes large snapshots in: none of them keeps the server's thread, or waits for work on stored ones.

import { limits } from '@envsnap/shared';
import { costOfByte } from '../infra/http/byte-budget.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { createJobRunner } from '../infra/jobs/job-runner.ts';
import { threadProgram } from '../infra/package-files.ts';
import { inTurn } from '../infra/turns.ts';
import { type IntakeJobs, receiveSnapshot } from './new-snapshot.ts';

export type Intake = ReturnType<typeof createIntake>;

/** Creates it for bodies of so many bytes at most, and so many seconds of the thread for each; the thread starts with the first large snapshot. */
export function createIntake(maxBodyBytes: number, jobSeconds: number) {
  const runner = createJobRunner<IntakeJobs, never, never>({
    program: threadProgram('jobs-thread'),
    heapBytes: 256 * 1024 ** 2 + costOfByte * maxBodyBytes,
    // The budget of bodies bounds them.
    mostWaiting: Number.POSITIVE_INFINITY,
    jobSeconds,
  });

  const context = ({ projectId, payer }: Principal) => ({
    projectId,
    payer,
    begin: () => undefined,
    answer: () => Promise.reject(new Error('these jobs ask nothing')),
    // A new thread costs more than the rest of a job whose caller has gone away.
    signal: new AbortController().signal,
  });

  return {
    /** Takes a body in, here where it is no larger than that of other operations. */
    receive: (sent: unknown, withDigest: boolean, principal: Principal) =>
      sent instanceof Uint8Array && sent.length > limits.bodyBytes
        ? runner.run('receiveSnapshot', { sent, withDigest }, context(principal))
        : inTurn(() => receiveSnapshot({ sent, withDigest })),
    stop: runner.stop,
  };
}
