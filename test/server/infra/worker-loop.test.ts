import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWorkerLoop } from '../../../packages/server/src/infra/worker-loop.ts';

const hourMs = 3_600_000;

/** A loop whose rounds end when the test lets them. */
function heldLoop(intervalMs = hourMs) {
  const begun: PromiseWithResolvers<number | undefined>[] = [];
  const errors: unknown[] = [];
  const loop = createWorkerLoop({
    round: () => {
      const blocked = Promise.withResolvers<number | undefined>();
      begun.push(blocked);
      return blocked.promise;
    },
    intervalMs,
    onError: (error) => errors.push(error),
  });
  const untilBegun = (count: number) => expect.poll(() => begun.length).toBe(count);
  return { loop, begun, errors, untilBegun };
}

describe('a worker loop', () => {
  it('runs one round at a time, and one more for everybody who asked during it', async () => {
    const { loop, begun, untilBegun } = heldLoop();
    loop.start();
    await untilBegun(1);
    const ended: string[] = [];
    const waits = ['a', 'b'].map((name) => loop.wake().then(() => ended.push(name)));
    await nextTurn();
    expect(begun.length).toBe(1);
    begun[0]?.resolve(undefined);
    await untilBegun(2);
    expect(ended).toEqual([]);
    begun[1]?.resolve(undefined);
    await Promise.all(waits);
    expect([ended, begun.length]).toEqual([['a', 'b'], 2]);
    await loop.stop();
  });

  it('runs again when the round says so, and after one that failed', async () => {
    const { loop, begun, errors, untilBegun } = heldLoop(1);
    loop.start();
    await untilBegun(1);
    begun[0]?.resolve(0);
    await untilBegun(2);
    const failure = new Error('lost');
    begun[1]?.reject(failure);
    await untilBegun(3);
    expect(errors).toEqual([failure]);
    begun[2]?.resolve(hourMs);
    await loop.stop();
  });

  it('waits for the current round when it stops, begins no other, and ignores its failure', async () => {
    const { loop, begun, errors, untilBegun } = heldLoop(1);
    const nextRound = loop.wake();
    await untilBegun(1);
    const again = loop.wake();
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await nextTurn();
    expect([stopped, loop.stopping]).toEqual([false, true]);
    begun[0]?.reject(new Error('the database is closed'));
    await Promise.all([nextRound, again, stopping, loop.wake()]);
    expect([begun.length, errors]).toEqual([1, []]);
  });

  it('runs outside the context of the caller that woke it', async () => {
    const contexts = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const loop = createWorkerLoop({
      round: async () => {
        seen.push(contexts.getStore());
        return undefined;
      },
      intervalMs: hourMs,
      onError: () => undefined,
    });
    await contexts.run('a request', () => loop.wake());
    expect(seen).toEqual([undefined]);
  });
});
