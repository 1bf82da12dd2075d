import { expect, it } from 'vitest';
import { AppError } from '../../../packages/server/src/infra/app-error.ts';
import type { Job } from '../../../packages/server/src/infra/jobs/job.ts';
import { createJobRunner } from '../../../packages/server/src/infra/jobs/job-runner.ts';
import { cleanUpAfterTest } from '../../support/clean-up.ts';

/** A thread whose job `ask` asks one thing, and whose job `thread` answers which thread it is. */
const program = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ kind, name }) => {
    if (kind !== 'job') return;
    if (name === 'ask') parentPort.postMessage({ kind: 'question', question: null });
    else parentPort.postMessage({ kind: 'answer', json: new TextEncoder().encode(String(threadId)) });
  });
`;

it('keeps its thread when what a job asks for is not there any more', async () => {
  type Jobs = Record<'ask' | 'thread', Job<null, number, null, null>>;
  const runner = createJobRunner<Jobs, null, null>({ program, heapBytes: 64 * 1024 ** 2 });
  cleanUpAfterTest(() => runner.stop());
  const request = {
    projectId: 'p',
    begin: () => undefined,
    signal: new AbortController().signal,
    answer: () => Promise.reject(new AppError('snapshot_not_found', 'Snapshot not found')),
  };
  const threadOf = async () => String((await runner.run('thread', null, request)).text);
  const before = await threadOf();
  await expect(runner.run('ask', null, request)).rejects.toMatchObject({ code: 'snapshot_not_found' });
  expect(await threadOf()).toBe(before);
  expect(runner.usage()).toEqual({ running: 0, waiting: 0 });
});
