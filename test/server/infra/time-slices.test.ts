import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { inTimeSlice } from '../../../packages/server/src/infra/time-slices.ts';
import { countingTurns } from '../../support/counting-turns.ts';

it('does long work that comes at one moment in as many turns, in the order in which it came', async () => {
  const turns = await countingTurns((turn) =>
    Promise.all(
      [0, 1, 2, 3].map((place) =>
        inTimeSlice(() => {
          for (const start = performance.now(); performance.now() - start < 10; );
          return [place, turn()];
        }),
      ),
    ),
  );
  expect(turns).toEqual([0, 1, 2, 3].map((place) => [place, place === 0 ? 0 : expect.any(Number)]));
  expect(new Set(turns.map(([, when]) => when)).size).toBe(4);
});

it('does work in the context of whoever asked for it', async () => {
  const context = new AsyncLocalStorage<string>();
  const ask = (who: string) => context.run(who, () => inTimeSlice(() => context.getStore()));
  expect(await Promise.all([ask('one'), ask('two')])).toEqual(['one', 'two']);
});

it('gives an error to whoever asked for the work, and goes on', async () => {
  const failing = inTimeSlice(() => {
    throw new Error('broken');
  });
  const following = inTimeSlice(() => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await following).toBe('done');
});
