import { expect, test } from 'vitest';
import { openDatabase as openAt } from '../../../packages/server/src/infra/db/connection.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';
import { createDeliveryFixture } from './delivery-fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

describeEachDatabase((openDatabase) => {
  test('an endpoint that works gets all 30 events while five others hang, and requests do not wait either', async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
      ENVSNAP_WEBHOOK_TIMEOUT_MS: '60000',
    });
    const good = await startReceiver(() => 200);
    const hanging: Receiver[] = [];
    for (let index = 0; index < 5; index += 1) hanging.push(await startReceiver(() => 'hang'));
    for (const { origin } of [...hanging, good]) {
      const body = { url: origin, events: ['snapshot.created'] };
      expect((await service.send(key, 'POST', '/machine/webhooks', body)).status).toBe(201);
    }
    for (let index = 0; index < 30; index += 1) {
      const body = { machineName: `machine ${index}` };
      expect((await service.send(key, 'POST', '/machine/snapshots', body)).status).toBe(201);
    }
    await good.arrived(30);
    expect(new Set(good.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
    // No attempt at the others has ended yet, and each has at most its share of connections.
    for (const receiver of hanging) {
      await receiver.arrived(4);
      expect(receiver.open()).toBe(4);
      expect(receiver.received).toHaveLength(4);
    }
  });

  test('many endpoints that hang do not use up the room of one that works', async () => {
    const fixture = await createDeliveryFixture(await openDatabase());
    const hanging = await startReceiver(() => 'hang');
    const good = await startReceiver(() => 200);
    for (let index = 0; index < 140; index += 1) await fixture.subscribe(`${hanging.origin}/${index}`);
    // They have failed before, so they share half of the connections.
    await fixture.database.run(
      fixture.database.dialect.builder('webhooks').update({ failing_since: fixture.clock.nowMs() }),
    );
    await fixture.subscribe(good.origin);
    fixture.dispatch({ timeoutMs: 60_000 });
    await fixture.record(5);
    await good.arrived(5);
    await hanging.arrived(64);
    expect(hanging.open()).toBe(64);
  });
});

describeEachDatabase((openDatabase) => {
  test('two dispatchers on one database make every attempt once, and never two of one event together', {
    tags: 'both-databases',
  }, async () => {
    const target = await openDatabase.target('migrated');
    if (openDatabase.databaseName === 'sqlite') return;
    const first = await openDatabase.again(target);
    const second = await openAt(target);
    const fixture = await createDeliveryFixture(first);
    const underWay = new Set<string>();
    let overlaps = 0;
    const receiver = await startReceiver((delivery) => (_delivery, response) => {
      const id = String(delivery.headers['webhook-id']) + delivery.path;
      if (underWay.has(id)) overlaps += 1;
      underWay.add(id);
      setTimeout(() => {
        underWay.delete(id);
        response.writeHead(200).end();
      }, Math.random() * 10);
    });
    for (let index = 0; index < 5; index += 1) await fixture.subscribe(`${receiver.origin}/${index}`);
    const one = fixture.dispatch({ retrySeconds: [] });
    const two = fixture.dispatch({ retrySeconds: [], database: second });
    await fixture.record(60);
    await receiver.arrived(300);
    await Promise.all([one.stop(10_000), two.stop(10_000)]);
    await second.close();
    expect(receiver.received).toHaveLength(300);
    expect(overlaps).toBe(0);
    const attempts = await fixture.attempts();
    expect(attempts).toHaveLength(300);
    expect(attempts.every(({ attempt, success }) => attempt === 1 && success)).toBe(true);
  });
});
