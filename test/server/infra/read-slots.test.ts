import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createReadSlots } from '../../../packages/server/src/infra/http/read-slots.ts';
import { inTimeSlice } from '../../../packages/server/src/infra/time-slices.ts';
import { countLoopTurns } from '../../support/count-loop-turns.ts';

it('lets some requests of a payer read, and the rest after everybody else, in order of arrival', async () => {
  const slots = createReadSlots();
  const begun: string[] = [];
  const leave: (() => void)[] = [];
  const ask = async (payer: string, name: string) => {
    const done = await slots.take(payer);
    begun.push(name);
    leave.push(done);
  };
  const many = Array.from({ length: 8 }, (_, place) => ask('many', `many ${place}`));
  await nextTurn();
  const atWork = begun.length;
  expect(atWork).toBeLessThan(8);
  await ask('other', 'other');
  expect(begun.at(-1)).toBe('other');

  const [first = () => {}] = leave;
  first();
  first();
  await nextTurn();
  expect(begun.slice(atWork + 1)).toEqual([`many ${atWork}`]);
  for (let place = 1; place < leave.length; place += 1) {
    leave[place]?.();
    await nextTurn();
  }
  await Promise.all(many);
  expect(begun.filter((name) => name !== 'other')).toEqual(many.map((_, place) => `many ${place}`));
});

it('does long work that arrives at one moment in separate turns, in order of arrival', async () => {
  const loopTurns = await countLoopTurns((turn) =>
    Promise.all(
      [0, 1, 2, 3].map((place) =>
        inTimeSlice(() => {
          for (const start = performance.now(); performance.now() - start < 10; );
          return [place, turn()];
        }),
      ),
    ),
  );
  expect(loopTurns).toEqual([0, 1, 2, 3].map((place) => [place, place === 0 ? 0 : expect.any(Number)]));
  expect(new Set(loopTurns.map(([, when]) => when)).size).toBe(4);
});

it('does work in the context of its caller', async () => {
  const context = new AsyncLocalStorage<string>();
  const ask = (who: string) => context.run(who, () => inTimeSlice(() => context.getStore()));
  expect(await Promise.all([ask('one'), ask('two')])).toEqual(['one', 'two']);
});

it('passes an error to the caller, and continues', async () => {
  const failing = inTimeSlice(() => {
    throw new Error('broken');
  });
  const following = inTimeSlice(() => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await following).toBe('done');
});
