import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createReadSlots } from '../../../packages/server/src/infra/http/read-slots.ts';

it('lets some requests of a payer read, the rest behind everybody else, in the order in which they came', async () => {
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
