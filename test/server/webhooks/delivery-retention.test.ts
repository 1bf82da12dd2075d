// @module-tag both-databases

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deleteOldDeliveries } from '../../../packages/server/src/webhooks/delivery-retention.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { createDeliveryFixture, dayMs } from './delivery-fixture.ts';
import { startReceiver } from './receiver.ts';

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
