import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { AppError } from '../../../packages/server/src/infra/app-error.ts';
import { createAnswerCache } from '../../../packages/server/src/infra/jobs/answer-cache.ts';
import type { Job } from '../../../packages/server/src/infra/jobs/job.ts';
import { createJobRunner } from '../../../packages/server/src/infra/jobs/job-runner.ts';
import { cleanUpAfterTest } from '../../support/clean-up.ts';

/**
 * A thread with these jobs: `ask` asks one thing, `wait` returns after the reply, `spin` never ends, `fill` takes all memory, `thread` returns the
 * thread's number, `count` its number of jobs.
 */
const program = `
  const { parentPort, threadId } = require('node:worker_threads');
  let counted = 0;
  let isWaiting = false;
  parentPort.on('message', ({ kind, name }) => {
    if (kind !== 'job' && !isWaiting) return;
    while (name === 'spin');
    for (const kept = []; name === 'fill'; ) kept.push(Array.from({ length: 1e5 }, Object));
    isWaiting = name === 'wait';
    if (name === 'ask' || name === 'wait') return parentPort.postMessage({ kind: 'question', question: null });
    const answer = name === 'count' ? (counted += 1) : threadId;
    parentPort.postMessage({ kind: 'answer', answer: new TextEncoder().encode(String(answer)) });
  });
`;

function start(jobSeconds = 3600, mostWaiting = 2, staysReady = false) {
  type Jobs = Record<
    'ask' | 'wait' | 'spin' | 'fill' | 'thread' | 'count',
    Job<string | null, Uint8Array, null, null>
  >;
  const heapBytes = 64 * 1024 ** 2;
  const runner = createJobRunner<Jobs, null, null>({
    program,
    heapBytes,
    clock: { nowMs: () => 0 },
    mostWaiting,
    jobSeconds,
    staysReady,
  });
  cleanUpAfterTest(() => runner.stop());
  return runner;
}

it('keeps its thread when a job requests something that no longer exists', async () => {
  const runner = start();
  const request = {
    payer: 'p',
    projectId: 'p',
    begin: () => undefined,
    signal: new AbortController().signal,
    answer: () => Promise.reject(new AppError('snapshot_not_found', 'Snapshot not found')),
  };
  const threadOf = async () => new TextDecoder().decode(await runner.run('thread', null, request));
  const before = await threadOf();
  await expect(runner.run('ask', null, request)).rejects.toMatchObject({ code: 'snapshot_not_found' });
  expect(await threadOf()).toBe(before);
  expect(runner.usage()).toEqual({ running: 0, waiting: 0 });
});

it('ends a job that has used its time, with the thread, and continues with the next; waiting for the database does not count', async () => {
  const runner = start(0.2);
  const request = {
    payer: 'p',
    projectId: 'p',
    begin: () => undefined,
    signal: new AbortController().signal,
    answer: async () => setTimeout(600, null),
  };
  const textOf = async (name: 'wait' | 'thread') =>
    new TextDecoder().decode(await runner.run(name, null, request));
  const before = await textOf('thread');
  expect(await textOf('wait')).toBe(before);
  const spinning = runner.run('spin', null, request);
  const next = textOf('thread');
  await expect(spinning).rejects.toMatchObject({
    code: 'too_much_work',
    message: expect.stringContaining('more than 0.2 s of'),
  });
  expect(await next).not.toBe(before);
  expect(runner.usage()).toEqual({ running: 0, waiting: 0 });
});

it('refuses a job that needs more memory than its thread has, as one that would do so again', {
  tags: 'release',
}, async () => {
  const runner = start();
  const request = {
    payer: 'p',
    projectId: 'p',
    begin: () => undefined,
    signal: new AbortController().signal,
    answer: async () => null,
  };
  await expect(runner.run('fill', null, request)).rejects.toMatchObject({
    code: 'too_much_work',
    message: expect.stringContaining('needs more memory'),
  });
});

it('runs a repeatable job once for each project and input, also for callers that wait for it', async () => {
  const runner = start();
  const count = async (projectId: string, input: string, isRepeatable = true) => {
    const signal = new AbortController().signal;
    const request = {
      payer: 'p',
      projectId,
      isRepeatable,
      signal,
      begin: () => undefined,
      answer: async () => null,
    };
    return new TextDecoder().decode(await runner.run('count', input, request));
  };
  expect(await Promise.all([count('p', 'a'), count('p', 'a'), count('p', 'a')])).toEqual(['1', '1', '1']);
  expect(await count('p', 'b')).toBe('2');
  expect(await count('q', 'a')).toBe('3');
  expect(await count('p', 'a', false)).toBe('4');
  expect(await count('p', 'a')).toBe('1');
});

it('gives every project its places: if too many wait, the last one of the project with the most is refused', async () => {
  const runner = start();
  const leaving = new AbortController();
  const ended: string[] = [];
  const ask = async (name: string) => {
    const [projectId = ''] = name;
    const answer = () => new Promise<null>(() => undefined);
    const request = { payer: projectId, projectId, signal: leaving.signal, begin: () => undefined, answer };
    const run = async () => runner.run('ask', null, request);
    await run().catch((error: AppError) => ended.push(`${name}: ${error.code}`));
  };
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'a5', 'c1'];
  const answers = names.map(ask);
  await expect.poll(() => ended).toHaveLength(5);
  expect(ended.sort()).toEqual(['a3', 'a4', 'a5', 'b2', 'c1'].map((name) => `${name}: server_busy`));
  expect(runner.usage()).toEqual({ running: 1, waiting: 2 });
  leaving.abort();
  await Promise.all(answers);
  expect(ended.slice(5).sort()).toEqual(['a1', 'a2', 'b1'].map((name) => `${name}: request_timeout`));
});

it('gives turns to payers first and to the projects of each second, and a newcomer always finds a place', async () => {
  const runner = start(3600, 8);
  const leaving = new AbortController();
  const blocked = Promise.withResolvers<null>();
  const ended: string[] = [];
  const ask = async (name: string, job: 'wait' | 'thread' = 'thread') => {
    const [payer = ''] = name;
    const request = {
      payer,
      projectId: name.slice(0, 2),
      signal: leaving.signal,
      begin: () => undefined,
      answer: () => blocked.promise,
    };
    const run = async () => runner.run(job, null, request);
    await run().then(
      () => ended.push(name),
      (error: AppError) => ended.push(`${name}: ${error.code}`),
    );
  };
  // Eight projects of one payer fill the queue; another payer and another project come later.
  const answers = [
    ask('x0', 'wait'),
    ...['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a6+', 'a7'].map((name) => ask(name)),
  ];
  answers.push(ask('b1'), ask('a8'), ask('b1+'));
  await expect.poll(() => ended).toHaveLength(3);
  expect(ended.sort()).toEqual(['a6+: server_busy', 'a7: server_busy', 'a8: server_busy']);
  blocked.resolve(null);
  await Promise.all(answers);
  expect(ended.slice(3)).toEqual(['x0', 'a1', 'b1', 'a2', 'b1+', 'a3', 'a4', 'a5', 'a6']);
});

it('caches the results that were used last, and none that is very long', () => {
  const answerCache = createAnswerCache();
  const quarter = (key: string) => answerCache.add(key, new Uint8Array(4 * 1024 ** 2));
  for (const key of ['a', 'b', 'c', 'd']) quarter(key);
  expect(answerCache.get('a')).toBeDefined();
  quarter('e');
  answerCache.add('long', new Uint8Array(4 * 1024 ** 2 + 1));
  expect(['a', 'b', 'c', 'd', 'e', 'long'].filter((key) => answerCache.get(key))).toEqual([
    'a',
    'c',
    'd',
    'e',
  ]);
  answerCache.clear();
  expect(answerCache.get('a')).toBeUndefined();
});

it.each([true, false])(
  'ends an idle thread, and has the next one ready if required (%s)',
  async (staysReady) => {
    const runner = start(3600, 2, staysReady);
    const request = {
      payer: 'p',
      projectId: 'p',
      begin: () => undefined,
      signal: new AbortController().signal,
      answer: () => Promise.resolve(null),
    };
    const threadOf = async () => Number(new TextDecoder().decode(await runner.run('thread', null, request)));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanUpAfterTest(() => void vi.useRealTimers());
    const first = await threadOf();
    vi.advanceTimersByTime(30_000);
    // Threads are numbered in the order in which they start.
    const between = new Worker('', { eval: true }).threadId;
    const second = await threadOf();
    expect(second).not.toBe(first);
    expect(second < between).toBe(staysReady);
  },
);
