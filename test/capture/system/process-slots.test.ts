// Limits on processes at once.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProcessSlots, type Weight } from '../../../packages/capture/src/system/process-slots.ts';

test('never more than the limit run at once, never two heavy ones, and each runs once, also when some fail', async () => {
  const task = fc.record({
    weight: fc.constantFrom<Weight>('light', 'urgent', 'heavy'),
    turns: fc.nat(5),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(task, { maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      async (tasks, limit) => {
        const slots = createProcessSlots(limit);
        let running = 0;
        let heavy = 0;
        let done = 0;
        const results = await Promise.allSettled(
          tasks.map(({ weight, turns, fails }) =>
            slots(async () => {
              running += 1;
              if (weight === 'heavy') heavy += 1;
              expect(running).toBeLessThanOrEqual(limit);
              expect(heavy).toBeLessThanOrEqual(1);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              running -= 1;
              if (weight === 'heavy') heavy -= 1;
              done += 1;
              if (fails) throw new Error('as planned');
            }, weight),
          ),
        );
        expect(done).toBe(tasks.length);
        expect(results.map(({ status }) => status === 'rejected')).toEqual(tasks.map(({ fails }) => fails));
      },
    ),
    { numRuns: 200 },
  );
});
