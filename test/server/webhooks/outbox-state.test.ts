// @module-tag both-databases

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deleteOldDeliveries } from '../../../packages/server/src/webhooks/delivery-retention.ts';
import { createOutboxState } from '../../../packages/server/src/webhooks/outbox.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { createDeliveryFixture, dayMs } from './delivery-fixture.ts';
import { startReceiver } from './receiver.ts';

const url = 'http://192.0.2.1/hook';

describeEachDatabase((openDatabase) => {
  describe('the oldest delivery that waits', () => {
    async function setUp() {
      const fixture = await createDeliveryFixture(await openDatabase());
      const look = () => createOutboxState(fixture.database, fixture.clock)();
      return { fixture, look };
    }

    test('is one that no server claims', async () => {
      const { fixture, look } = await setUp();
      await fixture.subscribe(url);
      await fixture.record(3);
      fixture.clock.advance(200_000);
      expect(await look()).toMatchObject({ due: 3, oldestDueSeconds: 200 });
    });

    test('is not one that waits for its endpoint, which hangs or fails', async () => {
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
      // The servers that called it have ended; its turn comes, but it fails.
      fixture.clock.advance(600_000);
      expect(await look()).toMatchObject({ due: 6, oldestDueSeconds: 0 });
    });
  });
});

describeEachDatabase((openDatabase) => {
  test('old log lines and finished events are deleted, what is still owed or recent stays', async () => {
    const fixture = await createDeliveryFixture(await openDatabase());
    const { database, clock } = fixture;
    const { builder } = database.dialect;
    const good = await startReceiver(() => 200);
    const bad = await startReceiver(() => 500);
    await fixture.subscribe(good.origin, ['snapshot.created']);
    const owed = await fixture.subscribe(bad.origin, ['snapshot.deleted']);
    const dispatcher = fixture.dispatch({ retrySeconds: [90 * 24 * 3600] });
    await fixture.record(3);
    await fixture.record(2, 'snapshot.deleted');
    await expect.poll(async () => (await fixture.attempts()).length).toBe(5);
    // More than one batch.
    const [line] = await database.all<Record<string, string>>(builder('webhook_attempts').select('*'));
    for (let batch = 0; batch < 2; batch += 1) {
      const copies = Array.from({ length: 300 }, () => ({ ...line, id: randomUUID() }));
      await database.run(builder('webhook_attempts').insert(copies));
    }
    const beforeMs = clock.nowMs() + 1;
    clock.advance(31 * dayMs);
    await fixture.record();
    await expect.poll(async () => (await fixture.attempts()).length).toBe(606);
    await dispatcher.stop(0);

    expect(await deleteOldDeliveries(database, beforeMs)).toEqual({ attempts: 605, events: 3 });
    expect(await fixture.attempts()).toHaveLength(1);
    expect((await fixture.deliveries()).map(({ state }) => state)).toEqual([
      'pending',
      'pending',
      'delivered',
    ]);
    expect(await deleteOldDeliveries(database, beforeMs)).toEqual({ attempts: 0, events: 0 });

    // Left behind by an event that was being recorded while its webhook was switched off.
    await database.run(builder('webhooks').update({ active: false }).where('id', owed.id));
    expect(await deleteOldDeliveries(database, beforeMs)).toEqual({ attempts: 0, events: 2 });
    expect(await fixture.deliveries()).toHaveLength(1);
  });
});
