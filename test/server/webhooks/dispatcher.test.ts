import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, Deliver } from '../../../packages/server/src/webhooks/deliver.ts';
import { plan } from '../../../packages/server/src/webhooks/dispatcher.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { createDeliveryFixture, dayMs } from './delivery-fixture.ts';
import { startReceiver } from './receiver.ts';

const succeeded: AttemptOutcome = {
  success: true,
  responseStatus: 200,
  durationMs: 1,
  startedAtMs: 1_800_000_000_000,
  retryAfterMs: undefined,
  failure: undefined,
};
const failed: AttemptOutcome = {
  ...succeeded,
  success: false,
  responseStatus: 500,
  failure: { reason: 'status', text: 'status: the endpoint returned 500' },
};

/** An attempt that does not end until it is released or aborted. */
function createStuckDeliver() {
  const begun = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<AttemptOutcome>();
  const deliver: Deliver = (_delivery, signal) => {
    begun.resolve();
    signal?.addEventListener('abort', () => outcome.reject(signal.reason));
    return outcome.promise;
  };
  return { deliver, begun: begun.promise, finish: outcome.resolve };
}

describeEachDatabase((openDatabase) => {
  describe('the schedule', () => {
    test('is shown by event: the attempts, when the next one is due, and what came of each', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      let answer = 500;
      const receiver = await startReceiver(() => answer);
      const works = await startReceiver(() => 200);
      const { id } = await fixture.subscribe(receiver.origin);
      const other = await fixture.subscribe(works.origin);
      const { webhooks, projectId, clock } = fixture;
      const eventsOf = async (webhookId: string) =>
        (await webhooks.log(projectId, webhookId, 'owner')).events;
      fixture.dispatch({ retrySeconds: [5] });
      await fixture.record();
      const nextAttemptAt = new Date(clock.nowMs() + 5000).toISOString();
      const refused = { responseStatus: 500, success: false };
      await expect
        .poll(() => eventsOf(id))
        .toMatchObject([{ state: 'retrying', nextAttemptAt, attempts: [{ ...refused, attempt: 1 }] }]);
      await expect
        .poll(() => eventsOf(other.id))
        .toMatchObject([{ state: 'delivered', nextAttemptAt: null, attempts: [{ success: true }] }]);
      expect(await webhooks.failing(projectId)).toEqual([{ id, failed: 1, attempts: 1 }]);
      clock.advance(5000);
      const givenUp = { state: 'failed', nextAttemptAt: null, attempts: [{ attempt: 2 }, { attempt: 1 }] };
      await expect.poll(() => eventsOf(id)).toMatchObject([givenUp]);
      clock.advance(1);
      await fixture.record();
      await expect
        .poll(() => eventsOf(id))
        .toMatchObject([{ state: 'retrying', attempts: [{ attempt: 1 }] }, givenUp]);
      await fixture.changeWebhook(id, { active: false });
      await expect.poll(async () => (await eventsOf(id))[0]?.state).toBe('dropped');
      await fixture.changeWebhook(id, { active: true });
      answer = 200;
      clock.advance(1);
      await fixture.record();
      await expect.poll(async () => (await eventsOf(id))[0]?.state).toBe('delivered');
      expect(await webhooks.failing(projectId)).toEqual([]);
      const { days, events, webhook } = await webhooks.log(projectId, id, 'owner');
      expect([days.length, days.at(-1)]).toEqual([
        14,
        { day: new Date(clock.nowMs()).toISOString().slice(0, 10), total: 4, failed: 3 },
      ]);
      const older = await webhooks.log(projectId, id, 'owner', { after: events[0]?.attempts.at(-1)?.id });
      expect(events.length).toBeGreaterThan(1);
      expect(older).toMatchObject({ events: events.slice(1), next: null });
      const within = events[2]?.attempts[0]?.id;
      expect((await webhooks.log(projectId, id, 'owner', { after: within })).events).toEqual([]);
      const failed = await webhooks.log(projectId, id, 'owner', { onlyFailed: true });
      expect(failed.events).toEqual(older.events);
      expect(events[0]?.body).toBe(receiver.received.at(-1)?.body.toString());
      const shown = await webhooks.log(projectId, id, 'viewer');
      expect([shown.webhook.url, shown.events[0]?.body]).toEqual([new URL(webhook.url).origin, null]);
    });

    test('is kept: nothing before a retry is due, one attempt when it is, and an end after the last', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 500);
      const webhook = await fixture.subscribe(receiver.origin);
      const marker = await startReceiver(() => 200);
      await fixture.subscribe(marker.origin, ['snapshot.deleted']);
      const dispatcher = fixture.dispatch({ retrySeconds: [5, 300] });
      const deliveries = async () =>
        (await fixture.deliveries()).filter(({ webhook_id }) => webhook_id === webhook.id);
      await fixture.record();
      for (const [attempts, waitMs] of [
        [1, 5000],
        [2, 300_000],
      ] as const) {
        const due = fixture.clock.nowMs() + waitMs;
        await expect
          .poll(deliveries)
          .toMatchObject([{ state: 'pending', attempt: attempts, next_attempt_at: due, lease_token: null }]);
        fixture.clock.advance(waitMs - 1);
        // Another event, due now: once it has arrived, the queue has been checked.
        await fixture.record(1, 'snapshot.deleted');
        await marker.arrived(attempts);
        expect(receiver.received).toHaveLength(attempts);
        fixture.clock.advance(1);
        dispatcher.wake();
        await receiver.arrived(attempts + 1);
      }
      await expect.poll(deliveries).toMatchObject([{ state: 'failed', attempt: 3, lease_token: null }]);
      const own = (await fixture.attempts()).filter(({ success }) => !success);
      expect(own).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
    });

    test('waits longer when the receiver asks for it', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => (_delivery, response) => {
        response.writeHead(429, { 'retry-after': '120' }).end();
      });
      await fixture.subscribe(receiver.origin);
      fixture.dispatch({ retrySeconds: [5] });
      await fixture.record();
      const due = fixture.clock.nowMs() + 120_000;
      await expect
        .poll(async () => fixture.deliveries())
        .toMatchObject([{ state: 'pending', next_attempt_at: due }]);
    });
  });

  describe('a bad receiver', () => {
    test('gets every event at least once, each attempt genuine, repetitions under the same id', {
      tags: 'both-databases',
    }, async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver((_delivery, index) => {
        if (index % 5 === 0) return 500;
        if (index % 20 === 7) return 'hang';
        return index % 20 === 13 ? 'reset' : 200;
      });
      const webhook = await fixture.subscribe(receiver.origin);
      fixture.dispatch({ retrySeconds: Array.from({ length: 15 }, () => 0), timeoutMs: 100 });
      const events = 150;
      await fixture.record(events);
      await expect
        .poll(async () => (await fixture.deliveries()).filter(({ state }) => state !== 'delivered').length, {
          interval: 100,
        })
        .toBe(0);
      // The fixture's clock does not move, so the library, which uses the real clock, gets that time.
      const verifier = new Webhook(webhook.secret);
      const bodies = new Map<string, string>();
      for (const { headers, body } of receiver.received) {
        const id = String(headers['webhook-id']);
        const text = body.toString();
        const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000);
        expect(headers['webhook-signature']).toBe(verifier.sign(id, timestamp, text));
        expect(bodies.get(id) ?? text).toBe(text);
        bodies.set(id, text);
      }
      expect(bodies.size).toBe(events);
      const attempts = await fixture.attempts();
      expect(attempts.filter(({ success }) => success)).toHaveLength(events);
    });

    test('that returns 410 is switched off at once, and its queue is dropped', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 410);
      const { id } = await fixture.subscribe(receiver.origin);
      await fixture.record(10);
      fixture.dispatch();
      await expect.poll(async () => (await fixture.webhooks.get(fixture.projectId, id)).active).toBe(false);
      await expect
        .poll(async () => (await fixture.deliveries()).filter(({ state }) => state === 'pending').length)
        .toBe(0);
      await fixture.record();
      expect(await fixture.deliveries()).toHaveLength(10);
      // At most the attempts that were in progress together.
      expect(receiver.received.length).toBeLessThanOrEqual(4);
    });

    test('is switched off after 5 days without one success', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 500);
      const { id } = await fixture.subscribe(receiver.origin);
      const dispatcher = fixture.dispatch({ retrySeconds: [3600] });
      const isActive = async () => (await fixture.webhooks.get(fixture.projectId, id)).active;
      for (let day = 0; day < 5; day += 1) {
        await fixture.record();
        await receiver.arrived(2 * day + 1);
        await expect.poll(async () => (await fixture.attempts()).length).toBe(2 * day + 1);
        fixture.clock.advance(dayMs / 2);
        dispatcher.wake();
        await expect.poll(async () => (await fixture.attempts()).length).toBe(2 * day + 2);
        fixture.clock.advance(dayMs / 2);
      }
      expect(await isActive()).toBe(true);
      // The first attempt after a pause proves nothing; its retry does.
      await fixture.record();
      await expect.poll(async () => (await fixture.attempts()).length).toBe(11);
      expect(await isActive()).toBe(true);
      fixture.clock.advance(3_600_000);
      dispatcher.wake();
      await expect.poll(isActive).toBe(false);
      expect((await fixture.attempts()).at(-1)?.error).toBe(
        'status: the endpoint returned 500; nothing succeeded for 5 days, so the webhook was switched off',
      );
      // After it is switched on again, it starts from the beginning.
      await fixture.changeWebhook(id, { active: true });
      await fixture.record();
      await expect.poll(async () => (await fixture.attempts()).length).toBe(13);
      fixture.clock.advance(3_600_000);
      dispatcher.wake();
      await expect.poll(async () => (await fixture.attempts()).length).toBe(14);
      expect(await isActive()).toBe(true);
    });

    test('that succeeds once within the 5 days stays on', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver((_delivery, index) => (index === 1 ? 200 : 500));
      const { id } = await fixture.subscribe(receiver.origin);
      fixture.dispatch({ retrySeconds: [] });
      for (let event = 1; event <= 3; event += 1) {
        await fixture.record();
        await expect.poll(async () => (await fixture.attempts()).length).toBe(event);
        fixture.clock.advance(4 * dayMs);
      }
      expect((await fixture.webhooks.get(fixture.projectId, id)).active).toBe(true);
    });
  });

  describe('a worker that is gone', () => {
    test('loses its claims when their lease ends, and cannot record a result any more', {
      tags: 'both-databases',
    }, async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      await fixture.subscribe('http://127.0.0.1:9/');
      const stuck = createStuckDeliver();
      const first = fixture.dispatch({ deliver: stuck.deliver, leaseMs: 30_000 });
      await fixture.record();
      await stuck.begun;
      const stopped = first.stop(60_000);
      fixture.clock.advance(29_999);
      await fixture.subscribe('http://127.0.0.1:9/marker', ['snapshot.deleted']);
      const delivered: string[] = [];
      const second = fixture.dispatch({
        deliver: async ({ url }) => {
          delivered.push(new URL(url).pathname);
          return succeeded;
        },
      });
      await fixture.record(1, 'snapshot.deleted');
      await expect.poll(() => delivered).toEqual(['/marker']);
      fixture.clock.advance(1);
      second.wake();
      await expect
        .poll(async () => fixture.deliveries())
        .toMatchObject([{ state: 'delivered', attempt: 2 }, { state: 'delivered' }]);
      stuck.finish(failed);
      await stopped;
      expect(await fixture.deliveries()).toMatchObject([
        { state: 'delivered', attempt: 2, lease_token: null },
        { state: 'delivered', attempt: 1 },
      ]);
      expect(delivered).toEqual(['/marker', '/']);
    });

    test('does not delay the next worker if no other server uses the database', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      await fixture.subscribe('http://127.0.0.1:9/');
      const stuck = createStuckDeliver();
      const first = fixture.dispatch({ deliver: stuck.deliver });
      await fixture.record();
      await stuck.begun;
      const stopped = first.stop(60_000);
      fixture.dispatch({ exclusive: true, deliver: async () => succeeded });
      await expect.poll(async () => fixture.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2 }]);
      stuck.finish(succeeded);
      await stopped;
    });

    test('gives up the event after enough attempts instead of looping forever', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 200);
      await fixture.subscribe(receiver.origin);
      await fixture.record();
      await fixture.database.run(
        fixture.database.dialect.builder('webhook_deliveries').update({ attempt: 23 }),
      );
      fixture.dispatch({ retrySeconds: [5, 300] });
      await expect.poll(async () => fixture.deliveries()).toMatchObject([{ state: 'failed' }]);
      expect(await fixture.attempts()).toMatchObject([
        { success: false, error: 'interrupted: the server stopped during too many attempts' },
      ]);
      expect(receiver.connections()).toBe(0);
    });
  });

  describe('stopping', () => {
    test('claims nothing more and waits for the attempts that run', { tags: 'both-databases' }, async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const answers: (() => void)[] = [];
      const receiver = await startReceiver(() => (_delivery, response) => {
        answers.push(() => response.writeHead(200).end());
      });
      await fixture.subscribe(receiver.origin);
      const dispatcher = fixture.dispatch();
      await fixture.record(10);
      await receiver.arrived(4);
      await expect.poll(() => answers.length).toBe(4);
      const stopped = dispatcher.stop(60_000);
      for (const answer of answers) answer();
      await stopped;
      const states = (await fixture.deliveries()).map(({ state }) => state).sort();
      expect(states).toEqual([...Array(4).fill('delivered'), ...Array(6).fill('pending')]);
      expect(receiver.received).toHaveLength(4);
    });

    test('releases what does not end in time, as if it had not been claimed', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 'hang');
      await fixture.subscribe(receiver.origin);
      const dispatcher = fixture.dispatch({ timeoutMs: 60_000 });
      await fixture.record(2);
      await receiver.arrived(2);
      await dispatcher.stop(10);
      expect(await fixture.deliveries()).toMatchObject([
        { state: 'pending', attempt: 0, next_attempt_at: fixture.clock.nowMs(), lease_token: null },
        { state: 'pending', attempt: 0, next_attempt_at: fixture.clock.nowMs(), lease_token: null },
      ]);
      expect(await fixture.attempts()).toEqual([]);
      await expect.poll(receiver.open).toBe(0);
    });
  });

  describe('one endpoint', () => {
    test('gets at most 4 attempts at the same time, and one while it fails', {
      tags: 'both-databases',
    }, async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      let failing = false;
      const answers: (() => void)[] = [];
      const receiver = await startReceiver(() => (_delivery, response) => {
        answers.push(() => response.writeHead(failing ? 500 : 200).end());
      });
      await fixture.subscribe(receiver.origin);
      fixture.dispatch({ retrySeconds: [] });
      await fixture.record(12);
      await expect.poll(() => answers.length).toBe(4);
      expect(receiver.open()).toBe(4);
      for (const answer of answers.splice(0)) answer();
      await expect.poll(() => answers.length).toBe(4);
      failing = true;
      for (const answer of answers.splice(0)) answer();
      await expect.poll(() => receiver.received.length).toBe(9);
      await expect.poll(async () => (await fixture.attempts()).length).toBe(8);
      expect(receiver.open()).toBe(1);
      failing = false;
      answers.shift()?.();
      await receiver.arrived(12);
      expect(receiver.mostOpen()).toBe(4);
    });

    test('whose secret does not open is reported and tried again later, without a deactivation', async () => {
      const fixture = await createDeliveryFixture(await openDatabase());
      const receiver = await startReceiver(() => 200);
      const { id } = await fixture.subscribe(receiver.origin);
      const { builder } = fixture.database.dialect;
      await fixture.database.run(
        builder('webhooks')
          .update({ secret_ciphertext: Buffer.alloc(80, 1) })
          .where({ id }),
      );
      fixture.dispatch();
      await fixture.record();
      await expect.poll(async () => fixture.attempts()).toHaveLength(1);
      expect(await fixture.attempts()).toMatchObject([
        { success: false, error: 'internal: the server could not read the signing secret' },
      ]);
      expect(await fixture.deliveries()).toMatchObject([{ state: 'pending', attempt: 1 }]);
      expect(await fixture.database.get(builder('webhooks').select('failing_since'))).toEqual({
        failing_since: null,
      });
      expect(fixture.log()).toContain('a webhook secret cannot be decrypted');
      expect(receiver.connections()).toBe(0);
    });

    test.each(['before', 'after'])(
      'that is deleted during an attempt leaves neither rows nor a complaint, its rows gone %s the end',
      async (rowsGo) => {
        const fixture = await createDeliveryFixture(await openDatabase());
        const answers: (() => void)[] = [];
        const receiver = await startReceiver(() => (_delivery, response) => {
          const status = answers.length === 0 ? 500 : 200;
          answers.push(() => response.writeHead(status).end());
        });
        const first = await fixture.subscribe(`${receiver.origin}/1`);
        const second = await fixture.subscribe(`${receiver.origin}/2`);
        const dispatcher = fixture.dispatch();
        await fixture.record();
        await expect.poll(() => answers.length).toBe(2);
        await fixture.removeWebhook(first.id);
        await fixture.removeWebhook(second.id);
        if (rowsGo === 'before') await fixture.removeDeleted();
        for (const answer of answers) answer();
        await dispatcher.stop(60_000);
        if (rowsGo === 'after') await fixture.removeDeleted();
        expect(await fixture.attempts()).toEqual([]);
        expect(await fixture.deliveries()).toEqual([]);
        expect(fixture.log()).toBe('');
      },
    );
  });

  test('an event that nobody listens to costs its change one statement', async () => {
    const fixture = await createDeliveryFixture(await openDatabase());
    await fixture.subscribe('https://a.test/', ['file.deleted']);
    const inactive = await fixture.subscribe('https://b.test/');
    await fixture.changeWebhook(inactive.id, { active: false });
    const data = { snapshotId: inactive.id, machineName: 'm' };
    const statements = await fixture.countStatements((outbox) =>
      outbox.record(fixture.projectId, 'snapshot.created', data),
    );
    expect(statements).toBe(1);
    expect(await fixture.deliveries()).toEqual([]);
    const { builder } = fixture.database.dialect;
    expect(await fixture.database.all(builder('outbox_events').select('id'))).toEqual([]);
  });
});

describe('the plan of what to claim', () => {
  const webhookIds = ['a', 'b', 'c', 'd', 'e', 'f'];
  const dueWebhooks = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...webhookIds), failing_since: fc.constantFrom(null, 1) }),
    { selector: ({ id }) => id },
  );
  const running = fc.array(
    fc.record({ webhookId: fc.constantFrom(...webhookIds, 'g', 'h'), failing: fc.boolean() }),
    { maxLength: 140 },
  );

  test('never exceeds a cap', () => {
    fc.assert(
      fc.property(dueWebhooks, running, (due, inFlight) => {
        const orders = plan(due, inFlight);
        const total = orders.reduce((sum, { limit }) => sum + limit, 0);
        expect(total === 0 || total + inFlight.length <= 128).toBe(true);
        for (const { webhookId, limit } of orders) {
          const own = inFlight.filter((entry) => entry.webhookId === webhookId).length;
          const failing = due.find(({ id }) => id === webhookId)?.failing_since !== null;
          expect(limit).toBeGreaterThan(0);
          expect(own + limit).toBeLessThanOrEqual(failing ? 1 : 4);
        }
      }),
    );
  });

  test('leaves room for endpoints that work, however many others hang', () => {
    const hanging = Array.from({ length: 500 }, (_, index) => ({ id: `h${index}`, failing_since: 1 }));
    const orders = plan([...hanging, { id: 'good', failing_since: null }], []);
    expect(orders[0]).toEqual({ webhookId: 'good', limit: 4 });
    expect(orders).toHaveLength(1 + 64);
    const inFlight = orders.slice(1).map(({ webhookId }) => ({ webhookId, failing: true }));
    expect(plan([{ id: 'good', failing_since: null }], inFlight)).toEqual([{ webhookId: 'good', limit: 4 }]);
    expect(plan(hanging.slice(100), inFlight)).toEqual([]);
  });
});
