import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const { refused } = readTestData<{ refused: [string, unknown][] }>(import.meta);

const env = { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8', ENVSNAP_WEBHOOK_RETRY_SECONDS: '0,0,0' };
const everyEvent = words`snapshot.created snapshot.deleted file.uploaded file.deleted member.invited member.removed`;
const unknownId = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';

async function subscribe(service: TestService, key: string, body: Record<string, unknown>) {
  const answer = await service.send(key, 'POST', '/machine/webhooks', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function createSnapshot(service: TestService, key: string, machineName = 'build-7') {
  const answer = await service.send(key, 'POST', '/machine/snapshots', { machineName });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

function payloads(receiver: Receiver) {
  return receiver.received.map(({ body }) => JSON.parse(body.toString()));
}

describeEachDatabase((openDatabase) => {
  /** A project with a subscription to every event, and their receiver. */
  async function start(answer: Parameters<typeof startReceiver>[0], retries = '0,0,0') {
    const settings = { ...env, ENVSNAP_WEBHOOK_RETRY_SECONDS: retries };
    const { service, key } = await startProject(openDatabase, settings);
    const receiver = await startReceiver(answer);
    const webhook = await subscribe(service, key, { url: receiver.origin, events: everyEvent });
    const path = `/machine/webhooks/${webhook.id}`;
    const recent = async () => (await service.send(key, 'GET', path)).body.recentDeliveries;
    return { service, key, receiver, webhook, path, recent };
  }

  describe('webhooks', () => {
    test('are created with a generated secret that is shown once and stored encrypted', async () => {
      const { service, key } = await startProject(openDatabase, env);
      const created = await subscribe(service, key, {
        url: 'https://hooks.example.com/x?y=1',
        events: ['snapshot.created', 'file.deleted', 'snapshot.created'],
        unknown: 1,
      });
      expect(created).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: 'https://hooks.example.com/x?y=1',
        events: ['snapshot.created', 'file.deleted'],
        format: 'standard',
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        active: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const { secret, ...shown } = created;
      const list = await service.send(key, 'GET', '/machine/webhooks');
      expect(list.body).toEqual({ webhooks: [shown], total: 1, limit: null, offset: 0 });
      const one = await service.send(key, 'GET', `/machine/webhooks/${created.id.toUpperCase()}`);
      expect(one.body).toEqual({ ...shown, recentDeliveries: [] });
      const rows = await service.database.all(service.database.dialect.builder('webhooks').select('*'));
      const stored = JSON.stringify(rows, (_name, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      );
      expect(stored).toContain(created.id);
      expect(stored).not.toContain(secret.slice(6));
      expect(service.log()).not.toContain(secret.slice(6));
    });

    test.each<[string, unknown]>([
      ...refused,
      [
        'a URL of 2,049 characters',
        { url: `https://a.test/${'x'.repeat(2034)}`, events: ['snapshot.created'] },
      ],
      [
        'a secret of 257 characters',
        { url: 'https://a.test', events: ['snapshot.created'], secret: 'x'.repeat(257) },
      ],
    ])('are not created with %s', async (_what, body) => {
      const { service, key } = await startProject(openDatabase, env);
      const answer = await service.send(key, 'POST', '/machine/webhooks', body);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('validation_failed');
    });

    test('deliver the event of a change, signed both ways, and log the attempt', async () => {
      const { service, key } = await startProject(openDatabase, env);
      const receiver = await startReceiver(() => 201);
      const webhook = await subscribe(service, key, {
        url: `${receiver.origin}/hook`,
        events: ['snapshot.created'],
      });
      const body = { machineName: 'büro ☃', envVars: { TOKEN: 'canary-secret-value' } };
      const { body: snapshot } = await service.send(key, 'POST', '/machine/snapshots', body);
      await receiver.arrived(1);
      const [delivery] = receiver.received;
      const text = delivery?.body.toString() ?? '';
      const headers = delivery?.headers as Record<string, string>;
      expect(JSON.parse(text)).toEqual({
        id: headers['webhook-id'],
        event: 'snapshot.created',
        data: { snapshotId: snapshot.id, machineName: 'büro ☃' },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(text).not.toContain('canary');
      expect(new Webhook(webhook.secret).verify(text, headers)).toEqual(JSON.parse(text));
      expect(headers['x-webhook-signature']).toBe(
        createHmac('sha256', webhook.secret).update(text).digest('hex'),
      );
      const path = `/machine/webhooks/${webhook.id}`;
      await expect
        .poll(async () => (await service.send(key, 'GET', path)).body.recentDeliveries)
        .toEqual([
          {
            id: expect.any(String),
            event: 'snapshot.created',
            responseStatus: 201,
            success: true,
            attemptedAt: expect.any(String),
            attempt: 1,
            durationMs: expect.any(Number),
            error: null,
          },
        ]);
    });

    test('receive events of snapshots and members with the documented data, and no others', async () => {
      const { service, key, apiKeyId, projectId } = await startProject(openDatabase, env);
      const everything = await startReceiver(() => 200);
      const membersOnly = await startReceiver(() => 200);
      const otherProject = await startReceiver(() => 200);
      await subscribe(service, key, { url: everything.origin, events: everyEvent });
      await subscribe(service, key, { url: membersOnly.origin, events: ['member.removed'] });
      const other = await service.bootstrap('another project');
      await subscribe(service, other.apiKey, { url: otherProject.origin, events: everyEvent });

      const snapshotId = await createSnapshot(service, key);
      await service.send(key, 'DELETE', `/machine/snapshots/${snapshotId}`);
      const members = `/machine/team/${projectId}/members`;
      const { body: invited } = await service.send(key, 'POST', members, { role: 'viewer' });
      await service.send(key, 'DELETE', `${members}/${invited.memberId}`);

      await everything.arrived(4);
      await membersOnly.arrived(1);
      const received = payloads(everything).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(received.map(({ event, data }) => ({ event, data }))).toEqual([
        { event: 'snapshot.created', data: { snapshotId, machineName: 'build-7' } },
        { event: 'snapshot.deleted', data: { snapshotId } },
        {
          event: 'member.invited',
          data: { memberId: invited.memberId, role: 'viewer', invitedBy: apiKeyId },
        },
        { event: 'member.removed', data: { memberId: invited.memberId, apiKeyId: invited.apiKeyId } },
      ]);
      expect(payloads(membersOnly).map(({ event }) => event)).toEqual(['member.removed']);
      expect(otherProject.connections()).toBe(0);
    });

    test('show the last 20 attempts, newest first, with status, error and number', async () => {
      const { service, key } = await startProject(openDatabase, {
        ...env,
        ENVSNAP_WEBHOOK_RETRY_SECONDS: Array.from({ length: 24 }, () => 0).join(','),
      });
      const receiver = await startReceiver((_delivery, index) => (index < 21 ? 500 + (index % 2) : 200));
      const webhook = await subscribe(service, key, { url: receiver.origin, events: everyEvent });
      await createSnapshot(service, key);
      await receiver.arrived(22);
      const recent = async () =>
        (await service.send(key, 'GET', `/machine/webhooks/${webhook.id}`)).body.recentDeliveries;
      await expect.poll(async () => (await recent())[0].success).toBe(true);
      const deliveries = await recent();
      expect(deliveries.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
        Array.from({ length: 20 }, (_, index) => 22 - index),
      );
      expect(deliveries[0]).toMatchObject({ responseStatus: 200, success: true, error: null });
      expect(deliveries[1]).toMatchObject({
        responseStatus: 500,
        success: false,
        error: 'status: the endpoint returned 500',
      });
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    });

    test('to an address that is not public are refused once, with the name of the setting in the log', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_WEBHOOK_RETRY_SECONDS: '0,0,0' });
      const receiver = await startReceiver(() => 200);
      const webhook = await subscribe(service, key, { url: receiver.origin, events: everyEvent });
      await createSnapshot(service, key);
      const path = `/machine/webhooks/${webhook.id}`;
      const recent = async () => (await service.send(key, 'GET', path)).body.recentDeliveries;
      await expect.poll(async () => (await recent()).length).toBe(1);
      expect((await recent())[0]).toMatchObject({
        responseStatus: null,
        success: false,
        error: expect.stringMatching(/^blocked: 127\.0\.0\.1 .*ENVSNAP_WEBHOOK_ALLOW$/),
      });
      const states = await service.database.all(
        service.database.dialect.builder('webhook_deliveries').select('state'),
      );
      expect(states).toEqual([{ state: 'failed' }]);
      expect(receiver.connections()).toBe(0);
    });

    test('can be changed one field at a time, and an empty change is refused', async () => {
      const { service, key } = await startProject(openDatabase, env);
      const webhook = await subscribe(service, key, { url: 'https://a.test', events: everyEvent });
      const path = `/machine/webhooks/${webhook.id}`;
      const change = async (body: unknown) => service.send(key, 'PATCH', path, body);
      expect((await change({})).status).toBe(400);
      expect((await change({ active: 'no' })).status).toBe(400);
      expect((await change({ url: 'https://b.test' })).body).toEqual({
        success: true,
        id: webhook.id,
        url: 'https://b.test/',
        events: everyEvent,
        format: 'standard',
        active: true,
        createdAt: webhook.createdAt,
      });
      expect((await change({ events: ['file.deleted'] })).body.events).toEqual(['file.deleted']);
      expect((await change({ active: false })).body.active).toBe(false);
      expect((await service.send(key, 'GET', path)).body).toMatchObject({
        url: 'https://b.test/',
        events: ['file.deleted'],
        active: false,
      });
    });

    test('get nothing while they are inactive, neither queued before nor during that time', async () => {
      const { service, key, receiver, path } = await start(
        (_delivery, index) => (index === 0 ? 500 : 200),
        '3600',
      );
      await createSnapshot(service, key, 'before');
      await receiver.arrived(1);
      await service.send(key, 'PATCH', path, { active: false });
      await createSnapshot(service, key, 'during');
      await service.send(key, 'PATCH', path, { active: true });
      await createSnapshot(service, key, 'after');
      await receiver.arrived(2);
      expect(payloads(receiver).map(({ data }) => data.machineName)).toEqual(['before', 'after']);
      const rows = await service.database.all(
        service.database.dialect.builder('webhook_deliveries').select('state').orderBy('id'),
      );
      expect(rows).toMatchObject([{ state: 'dropped' }, {}]);
      expect(rows).toHaveLength(2);
    });

    test('are deleted with their log, and unknown ones are not found', async () => {
      const { service, key, receiver, path } = await start(() => 200);
      await createSnapshot(service, key);
      await receiver.arrived(1);
      const stranger = await service.bootstrap('another project');
      for (const [method, suffix] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', `/deliveries/${unknownId}/redeliver`],
      ] as const) {
        const body = method === 'PATCH' ? { active: true } : undefined;
        const foreign = await service.send(stranger.apiKey, method, path + suffix, body);
        const unknown = await service.send(key, method, `/machine/webhooks/${unknownId}${suffix}`, body);
        expect([foreign.status, unknown.status], `${method} ${suffix}`).toEqual([404, 404]);
        expect(foreign.body).toMatchObject({ error: 'Webhook not found', code: 'webhook_not_found' });
      }
      expect((await service.send(key, 'DELETE', path)).body).toEqual({ success: true });
      expect((await service.send(key, 'GET', path)).status).toBe(404);
      const rows = await service.database.all(
        service.database.dialect.builder('webhook_attempts').select('id'),
      );
      expect(rows).toEqual([]);
    });

    test('can be tested at once, active or not, and the response says how it went', async () => {
      const { service, key } = await startProject(openDatabase, env);
      const receiver = await startReceiver((_delivery, index) => (index === 0 ? 204 : 500));
      const webhook = await subscribe(service, key, { url: receiver.origin, events: ['file.deleted'] });
      const path = `/machine/webhooks/${webhook.id}`;
      const first = await service.send(key, 'POST', `${path}/test`);
      expect(first.status).toBe(200);
      expect(first.body.delivery).toMatchObject({
        event: 'webhook.test',
        responseStatus: 204,
        success: true,
        attempt: 1,
        error: null,
      });
      await service.send(key, 'PATCH', path, { active: false });
      const second = await service.send(key, 'POST', `${path}/test`);
      expect(second.body.delivery).toMatchObject({ responseStatus: 500, success: false });
      expect(payloads(receiver)).toMatchObject([
        { event: 'webhook.test', data: { webhookId: webhook.id } },
        { event: 'webhook.test', data: { webhookId: webhook.id } },
      ]);
      const { recentDeliveries } = (await service.send(key, 'GET', path)).body;
      expect(recentDeliveries).toEqual([second.body.delivery, first.body.delivery]);
      // One attempt each: a test is not tried again.
      const { builder } = service.database.dialect;
      const states = await service.database.all(
        builder('webhook_deliveries').select('state', 'attempt').orderBy('id'),
      );
      expect(states).toEqual([
        { state: 'delivered', attempt: 1 },
        { state: 'failed', attempt: 1 },
      ]);
    });

    test('get what a person asks for while inactive, and nothing else that is queued', async () => {
      const { service, key, receiver, path, recent } = await start(
        (_delivery, index) => (index === 0 ? 500 : 200),
        '3600',
      );
      await createSnapshot(service, key);
      await expect.poll(async () => (await recent()).length).toBe(1);
      const [{ id }] = await recent();
      await service.send(key, 'PATCH', path, { active: false });
      const again = await service.send(key, 'POST', `${path}/deliveries/${id}/redeliver`);
      expect(again.body.delivery).toMatchObject({ success: true, attempt: 2 });
      expect(receiver.received).toHaveLength(2);
      const { builder } = service.database.dialect;
      const pending = () =>
        service.database.all(builder('webhook_deliveries').select('id').where('state', 'pending'));
      await expect.poll(pending).toEqual([]);
    });

    test('get no retries of events that they no longer subscribe to', {
      tags: 'both-databases',
    }, async () => {
      const { service, key, receiver, path } = await start(() => 500, '3600');
      const id = await createSnapshot(service, key);
      await service.send(key, 'DELETE', `/machine/snapshots/${id}`);
      await receiver.arrived(2);
      const { builder } = service.database.dialect;
      const pending = () =>
        service.database.all(
          builder('webhook_deliveries')
            .join('outbox_events', 'outbox_events.id', 'event_id')
            .select('event')
            .where('state', 'pending')
            .whereNull('lease_until'),
        );
      await expect.poll(async () => (await pending()).length).toBe(2);
      await service.send(key, 'PATCH', path, { events: ['snapshot.deleted', 'file.deleted'] });
      expect(await pending()).toEqual([{ event: 'snapshot.deleted' }]);
      await service.send(key, 'PATCH', path, { events: everyEvent });
      expect(await pending()).toEqual([{ event: 'snapshot.deleted' }]);
    });

    test('can be sent an earlier event again, with the same id and body', async () => {
      const { service, key, receiver, path, recent } = await start(
        (_delivery, index) => (index === 0 ? 500 : 200),
        '3600',
      );
      await createSnapshot(service, key);
      await expect.poll(async () => (await recent()).length).toBe(1);
      const [failed] = await recent();

      const again = await service.send(key, 'POST', `${path}/deliveries/${failed.id}/redeliver`);
      expect(again.status).toBe(200);
      expect(again.body.delivery).toMatchObject({ event: 'snapshot.created', success: true, attempt: 2 });
      expect(again.body.delivery.id).not.toBe(failed.id);
      const [first, second] = receiver.received;
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(second?.body).toEqual(first?.body);
      const rows = await service.database.all(
        service.database.dialect.builder('webhook_deliveries').select('state'),
      );
      expect(rows).toEqual([{ state: 'delivered' }, { state: 'delivered' }]);

      const missing = await service.send(key, 'POST', `${path}/deliveries/${unknownId}/redeliver`);
      expect(missing.status).toBe(404);
      expect(missing.body.code).toBe('delivery_not_found');
    });

    test('keeps its retries whatever is sent by hand between them', async () => {
      const { service, key, path } = await start(() => 500, '3600,3600');
      await createSnapshot(service, key);
      const attempts = async () => {
        const { recentDeliveries } = (await service.send(key, 'GET', path)).body;
        return recentDeliveries.map(({ attempt }: { attempt: number }) => attempt);
      };
      await expect.poll(attempts).toEqual([1]);
      const [{ id }] = (await service.send(key, 'GET', path)).body.recentDeliveries;
      for (let count = 0; count < 3; count += 1)
        await service.send(key, 'POST', `${path}/deliveries/${id}/redeliver`);
      expect(await attempts()).toEqual([4, 3, 2, 1]);
      const rows = service.database.dialect.builder('webhook_deliveries').where('requested', false);
      const retryNow = () => service.database.run(rows.clone().update({ next_attempt_at: 0 }));
      const state = async () => (await service.database.all(rows.clone().select('state')))[0];
      await retryNow();
      await expect.poll(attempts, { timeout: 10_000 }).toEqual([5, 4, 3, 2, 1]);
      expect(await state()).toEqual({ state: 'pending' });
      await retryNow();
      await expect.poll(attempts, { timeout: 10_000 }).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await state()).toEqual({ state: 'failed' });
    });

    test('can be read by every role and changed by owner and admin only', async () => {
      const { service, key } = await startProject(openDatabase, env);
      const url = 'https://a.test/hooks/in?x=y';
      const webhook = await subscribe(service, key, { url, events: everyEvent });
      const path = `/machine/webhooks/${webhook.id}`;
      expect((await service.send(key, 'GET', path)).body.url).toBe(url);
      for (const role of ['member', 'viewer']) {
        const { body } = await service.send(key, 'POST', '/machine/keys', { role });
        const asRole = { key: body.apiKey };
        // The rest of an address may give access to anyone who knows it.
        const list = await service.request('GET', '/machine/webhooks', asRole);
        expect([list.status, list.body.webhooks[0].url]).toEqual([200, 'https://a.test']);
        const one = await service.request('GET', path, asRole);
        expect([one.status, one.body.url]).toEqual([200, 'https://a.test']);
        const refused = [
          await service.request('POST', '/machine/webhooks', {
            ...asRole,
            body: { url: 'https://a.test', events: everyEvent },
          }),
          await service.request('PATCH', path, { ...asRole, body: { active: false } }),
          await service.request('POST', `${path}/test`, asRole),
          await service.request('POST', `${path}/deliveries/${unknownId}/redeliver`, asRole),
          await service.request('DELETE', path, asRole),
        ];
        for (const answer of refused) {
          expect(answer.status).toBe(403);
          expect(answer.body.error).toBe('Forbidden: requires one of [owner, admin]');
        }
      }
    });

    test('get nothing if the change is rolled back', { tags: 'both-databases' }, async () => {
      const { service, key } = await startProject(openDatabase, { ...env, ENVSNAP_MAX_SNAPSHOTS: '1' });
      const receiver = await startReceiver(() => 200);
      await subscribe(service, key, { url: receiver.origin, events: everyEvent });
      await createSnapshot(service, key);
      const refused = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'x' });
      expect(refused.status).toBe(403);
      await receiver.arrived(1);
      const rows = await service.database.all(
        service.database.dialect.builder('outbox_events').select('event'),
      );
      expect(rows).toEqual([{ event: 'snapshot.created' }]);
    });
  });
});
