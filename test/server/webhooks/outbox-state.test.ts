// @module-tag both-databases

import { describe, expect, test } from 'vitest';
import { createOutboxState } from '../../../packages/server/src/webhooks/outbox-state.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { createDeliveryFixture } from './delivery-fixture.ts';

const url = 'http://192.0.2.1/hook';

describeEachDatabase((openDatabase) => {
  describe('the oldest delivery that waits', () => {
    async function setUp() {
      const fixture = await createDeliveryFixture(await openDatabase());
      const look = () => createOutboxState(fixture.database, fixture.clock)();
      return { fixture, look };
    }

    test('is one that no server takes', async () => {
      const { fixture, look } = await setUp();
      await fixture.subscribe(url);
      await fixture.record(3);
      fixture.clock.advance(200_000);
      expect(await look()).toMatchObject({ due: 3, oldestDueSeconds: 200 });
    });

    test('is none that waits for its endpoint, which hangs or fails', async () => {
      const { fixture, look } = await setUp();
      const hanging = await fixture.subscribe(url);
      const calls = Promise.withResolvers<void>();
      let begun = 0;
      fixture.dispatch({
        leaseMs: 600_000,
        deliver: (_delivery, signal) => {
          begun += 1;
          if (begun === 4) calls.resolve();
          return new Promise((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason)),
          );
        },
      });
      await fixture.record(6);
      await calls.promise;
      fixture.clock.advance(200_000);
      expect(await look()).toMatchObject({ due: 2, oldestDueSeconds: 0 });

      const { builder } = fixture.database.dialect;
      const isFailing = { failing_since: fixture.clock.nowMs() };
      await fixture.database.run(builder('webhooks').where('id', hanging.id).update(isFailing));
      // The servers that called it are gone: its turn comes, but it fails.
      fixture.clock.advance(600_000);
      expect(await look()).toMatchObject({ due: 6, oldestDueSeconds: 0 });
    });
  });
});
