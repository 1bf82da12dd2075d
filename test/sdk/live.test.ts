import { failureOf } from './support.ts';
// The SDK against the real service: every resource, and every answer checked against its contract.

import {
  EnvSnap,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ValidationError,
  verifyWebhook,
} from '@envsnap/sdk';
import { type OperationName, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { describeOnSqlite, type OpenDatabase } from '../support/databases.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { startService } from '../support/service.ts';

/** The response, after checking that it matches its operation's contract and has no unknown field. */
async function checked<T>(name: OperationName, answer: Promise<T>): Promise<T> {
  const data = await answer;
  const { response } = operations[name];
  if (response === 'binary') throw new Error(`${name} has no JSON answer`);
  expect(response.parse(data), name).toEqual(data);
  return data;
}

async function start(openDatabase: OpenDatabase, env: Record<string, string> = {}) {
  const service = await startService(openDatabase, env);
  const baseUrl = service.url;
  const made = await checked('bootstrap', EnvSnap.bootstrap({ baseUrl, projectName: 'live' }));
  return { service, baseUrl, made, client: new EnvSnap({ apiKey: made.apiKey, baseUrl }) };
}

describeOnSqlite((openDatabase) => {
  describe('the SDK and the service', () => {
    it('store, list, show, compare and delete snapshots', async () => {
      const { client } = await start(openDatabase);
      const envVars = JSON.parse('{"__proto__":"kept","LANG":"pl_PL"}') as Record<string, string>;
      const a = await checked(
        'createSnapshot',
        client.snapshots.create({
          machineName: 'a',
          os: 'linux',
          runtimeVersions: { node: '24.1.0' },
          envVars,
        }),
      );
      const b = await client.snapshots.create({
        machineName: 'b',
        os: 'linux',
        dependencies: { 'go.mod': { 'example.org/x': 'v1.2.3' } },
        metadata: { ci: { provider: 'none' } },
      });
      const full = await checked('getSnapshot', client.snapshots.get(a.id));
      expect(full).toMatchObject({
        machineName: 'a',
        os: 'linux',
        arch: null,
        dependencies: {},
        metadata: {},
      });
      expect(JSON.stringify(full.envVars)).toBe('{"__proto__":"kept","LANG":"pl_PL"}');
      const page = await checked('listSnapshots', client.snapshots.list({ limit: 1 }));
      expect(page).toMatchObject({ total: 2, limit: 1, offset: 0, snapshots: [{ id: b.id }] });
      expect((await client.snapshots.list({ machineName: 'a', to: new Date() })).total).toBe(1);
      const comparison = await checked(
        'compareSnapshots',
        client.snapshots.compare({ snapshotA: a.id, snapshotB: b.id, includeEnvValues: true }),
      );
      expect(comparison.diff.runtimes).toEqual([{ key: 'node', a: '24.1.0', b: null, match: false }]);
      expect(comparison.diff.envVars).toContainEqual({ key: 'LANG', status: 'removed', a: 'pl_PL', b: null });
      await checked('deleteSnapshot', client.snapshots.delete(a.id));
      const error = await failureOf(client.snapshots.get(a.id));
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ code: 'snapshot_not_found', requestId: expect.stringMatching(/./) });
    });

    it('walk all snapshots while others come and go', async () => {
      const { client } = await start(openDatabase);
      const ids: string[] = [];
      for (let index = 0; index < 25; index += 1)
        ids.unshift((await client.snapshots.create({ machineName: `m-${index}` })).id);
      const [newest] = ids;
      const walked: string[] = [];
      for await (const snapshot of client.snapshots.iterate({}, { pageSize: 5 })) {
        walked.push(snapshot.id);
        if (walked.length % 4 === 0) await client.snapshots.create({ machineName: 'newcomer' });
        if (walked.length === 7) await client.snapshots.delete(newest ?? '');
        if (walked.length === 13) for (const id of walked.slice(1, 8)) await client.snapshots.delete(id);
      }
      expect(walked).toEqual(ids);
      const machines = await client.snapshots.iterate({ machineName: 'newcomer' }).toArray({ limit: 3 });
      expect(machines.map((machine) => machine.machineName)).toEqual(['newcomer', 'newcomer', 'newcomer']);
    });

    it('walk on from a page that was asked for', async () => {
      const { client } = await start(openDatabase);
      const ids: string[] = [];
      for (let index = 0; index < 25; index += 1) {
        ids.unshift((await client.snapshots.create({ machineName: `m-${index}` })).id);
        if (index < 7) await client.keys.create({ label: `k-${index}` });
      }
      const idsOf = async (list: AsyncIterable<{ readonly id: string }>) => {
        const found: string[] = [];
        for await (const { id } of list) found.push(id);
        return found;
      };
      expect(await idsOf(client.snapshots.list())).toEqual(ids);
      expect(await idsOf(client.snapshots.list({ limit: 4 }))).toEqual(ids);
      expect(await idsOf(client.snapshots.list({ limit: 4, offset: 3 }))).toEqual(ids.slice(3));
      const { keys } = await client.keys.list();
      expect(keys).toHaveLength(8);
      const all = keys.map(({ id }) => id);
      expect(await idsOf(client.keys.list())).toEqual(all);
      expect(await idsOf(client.keys.list({ limit: 3, offset: 2 }))).toEqual(all.slice(2));
      expect(await idsOf(client.projects.list())).toHaveLength(1);
      const machines: string[] = [];
      for await (const { machineName } of client.snapshots.machines()) machines.push(machineName);
      expect(new Set(machines)).toHaveProperty('size', 25);
    });

    it('walk a list to its end if the server returns shorter pages than requested', async () => {
      const { client } = await start(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '1000' });
      const labels = Array.from({ length: 104 }, (_, index) => `key ${index}`);
      await Promise.all(labels.map((label) => client.keys.create({ label })));
      const count = async (list: AsyncIterable<unknown>) => {
        let items = 0;
        for await (const _ of list) items += 1;
        return items;
      };
      expect(await count(client.keys.list({ limit: 500 }))).toBe(105);
      expect(await count(client.keys.list({ limit: 500, offset: 3 }))).toBe(102);
    });

    it('walk a list whose pages are short because their values are long', { tags: 'release' }, async () => {
      const { client } = await start(openDatabase);
      // A page holds no more than 16 Mi characters of values, here those of two machines.
      const packages = ['p', 'q', 'r', 's', 't', 'u'];
      const lock = Object.fromEntries(packages.map((name) => [name, 'v'.repeat(1_000_000)]));
      for (const machineName of ['a', 'b', 'c'])
        await client.snapshots.create({ machineName, dependencies: { lock } });
      const keys = packages.map((name) => `dependencies:lock/${name}`).join();
      const machines: string[] = [];
      for await (const { machineName } of client.snapshots.machines({ keys })) machines.push(machineName);
      expect(machines).toHaveLength(3);
    });

    it('walk every other list too, in pieces', async () => {
      const {
        client,
        made: { projectId },
      } = await start(openDatabase);
      for (let index = 0; index < 7; index += 1) {
        await client.keys.create({ label: `key ${index}` });
        await client.webhooks.create({ url: `https://example.com/${index}`, events: ['file.deleted'] });
        await client.snapshots.create({ machineName: `machine ${index}` });
        await client.files.upload({ content: `${index}`, filename: `${index}.txt` });
      }
      const inPieces = { pageSize: 3 };
      const { keys } = await client.keys.list();
      expect(await client.keys.iterate(inPieces).toArray()).toEqual(keys);
      expect((await client.keys.list({ limit: 2, offset: 1 })).keys).toEqual(keys.slice(1, 3));
      const { webhooks } = await client.webhooks.list();
      expect(webhooks).toHaveLength(7);
      expect(await client.webhooks.iterate(inPieces).toArray()).toEqual(webhooks);
      const { members } = await client.team.list(projectId);
      expect(members).toHaveLength(8);
      expect(await client.team.iterate(projectId, inPieces).toArray()).toEqual(members);
      const { machines } = await client.snapshots.machines();
      expect(machines).toHaveLength(7);
      expect(await client.snapshots.iterateMachines({}, inPieces).toArray()).toEqual(machines);
      const { files } = await client.files.list();
      expect(files).toHaveLength(7);
      expect(await client.files.iterate(inPieces).toArray()).toEqual(files);
    });

    it('create, list, show, change and delete projects', async () => {
      const { client, baseUrl } = await start(openDatabase);
      const made = await checked(
        'createProject',
        client.projects.create({ name: 'second', description: 'd' }),
      );
      const second = new EnvSnap({ apiKey: made.apiKey, baseUrl });
      await checked('listProjects', client.projects.list());
      await expect(client.projects.get(made.projectId)).rejects.toThrow(PermissionError);
      await checked('updateProject', second.projects.update(made.projectId, { name: 'renamed' }));
      const project = await checked('getProject', second.projects.get(made.projectId));
      expect(project).toMatchObject({
        name: 'renamed',
        description: 'd',
        role: 'owner',
        counts: { members: 1 },
      });
      await checked('deleteProject', second.projects.delete(made.projectId));
      await expect(second.projects.list()).rejects.toMatchObject({
        name: 'AuthenticationError',
        status: 401,
      });
    });

    it('create, list and revoke keys, and say who one is', async () => {
      const { client, made, baseUrl } = await start(openDatabase);
      const key = await checked('createKey', client.keys.create({ label: 'ci', role: 'viewer' }));
      const viewer = new EnvSnap({ apiKey: key.apiKey, baseUrl });
      const current = await checked('getCurrentKey', viewer.keys.current());
      expect(current).toMatchObject({
        id: key.apiKeyId,
        role: 'viewer',
        projectId: made.projectId,
        projectName: 'live',
      });
      const { keys } = await checked('listKeys', client.keys.list());
      expect(keys.map((entry) => entry.label).sort()).toEqual(['bootstrap', 'ci']);
      await expect(viewer.snapshots.create({ machineName: 'm' })).rejects.toMatchObject({
        name: 'PermissionError',
        code: 'role_forbidden',
      });
      await checked('revokeKey', client.keys.revoke(key.apiKeyId));
      await expect(viewer.keys.current()).rejects.toMatchObject({ code: 'invalid_api_key' });
      await expect(client.keys.revoke(made.apiKeyId)).rejects.toMatchObject({ code: 'own_key_protected' });
    });

    it('invite, list, change and remove members', async () => {
      const { client, made } = await start(openDatabase);
      const { projectId } = made;
      const invited = await checked('inviteMember', client.team.invite(projectId, { label: 'Ada' }));
      const changed = await checked(
        'updateMember',
        client.team.updateRole(projectId, invited.memberId, 'admin'),
      );
      expect(changed).toEqual({ success: true, memberId: invited.memberId, newRole: 'admin' });
      const { members } = await checked('listMembers', client.team.list(projectId));
      expect(members.map((member) => [member.keyLabel, member.role])).toEqual([
        ['bootstrap', 'owner'],
        ['Ada', 'admin'],
      ]);
      await checked('removeMember', client.team.remove(projectId, invited.memberId));
      await expect(client.team.remove(projectId, invited.memberId)).rejects.toThrow(NotFoundError);
    });

    it('create, list, show, change, test, redeliver and delete webhooks, and verify what comes', async () => {
      const { client } = await start(openDatabase, { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' });
      await using receiver = await startScriptedServer({ status: 204, text: '' });
      const url = `${receiver.baseUrl}/hook`;
      const made = await checked(
        'createWebhook',
        client.webhooks.create({ url, events: ['snapshot.created'] }),
      );
      const verifyLast = async (count: number) => {
        await expect.poll(() => receiver.seen.length).toBe(count);
        const delivery = receiver.seen.at(-1);
        return verifyWebhook(delivery?.body ?? '', delivery?.headers, made.secret);
      };
      const { id: snapshotId } = await client.snapshots.create({ machineName: 'zażółć' });
      const event = await verifyLast(1);
      expect(event).toMatchObject({ event: 'snapshot.created', data: { snapshotId, machineName: 'zażółć' } });
      await expect
        .poll(async () => (await client.webhooks.get(made.id)).recentDeliveries)
        .toMatchObject([{ event: 'snapshot.created', success: true, responseStatus: 204 }]);
      const { recentDeliveries } = await checked('getWebhook', client.webhooks.get(made.id));
      await checked('redeliverWebhook', client.webhooks.redeliver(made.id, recentDeliveries[0]?.id ?? ''));
      expect((await verifyLast(2)).id).toBe(event.id);
      const { delivery } = await checked('testWebhook', client.webhooks.test(made.id));
      expect(delivery).toMatchObject({ event: 'webhook.test', success: true });
      expect(await verifyLast(3)).toMatchObject({ event: 'webhook.test', data: { webhookId: made.id } });
      expect((await checked('listWebhooks', client.webhooks.list())).webhooks).toHaveLength(1);
      const changed = await checked('updateWebhook', client.webhooks.update(made.id, { active: false }));
      expect(changed).toMatchObject({ success: true, url, active: false });
      await checked('deleteWebhook', client.webhooks.delete(made.id));
      await expect(client.webhooks.get(made.id)).rejects.toMatchObject({ code: 'webhook_not_found' });
    });

    it('report usage, history and the live feed', async () => {
      const { client } = await start(openDatabase);
      await client.snapshots.create({ machineName: 'm' });
      const usage = await checked('getUsage', client.usage.get());
      expect(usage.resources.snapshots).toBe(1);
      const history = await checked('getUsageHistory', client.usage.history({ period: 'hour' }));
      expect(history.period).toBe('hour');
      const { requests } = await checked('getLiveRequests', client.usage.live());
      expect(requests).toContainEqual(
        expect.objectContaining({ method: 'POST', path: '/machine/snapshots' }),
      );
    });

    it('report health and readiness without a key', async () => {
      const { baseUrl } = await start(openDatabase);
      const anonymous = new EnvSnap({ baseUrl });
      await checked('getHealth', anonymous.service.health());
      await checked('getReadiness', anonymous.service.ready({ retries: 0 }));
    });

    it('say what is wrong with a call', async () => {
      const { client } = await start(openDatabase);
      const error = await failureOf(client.snapshots.create({ machineName: '' }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({
        code: 'validation_failed',
        details: [{ path: 'machineName' }],
        message: 'Invalid body: machineName must not be empty',
      });
    });

    it('say when the project is full', async () => {
      const { client } = await start(openDatabase, { ENVSNAP_MAX_SNAPSHOTS: '1' });
      await client.snapshots.create({ machineName: 'm' });
      const error = await failureOf(client.snapshots.create({ machineName: 'm' }));
      expect(error).toBeInstanceOf(QuotaError);
      expect(error).toMatchObject({
        message: 'Snapshot quota exceeded (max 1)',
        code: 'snapshot_quota_exceeded',
      });
    });

    it('say when the rate is too high, and for how long', async () => {
      const { client } = await start(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '5' });
      for (let call = 0; call < 5; call += 1) await client.keys.current();
      expect(client.rateLimit).toMatchObject({ limit: 5, remaining: 0 });
      const error = await failureOf(client.keys.current({ maxRetryAfterSeconds: 0 }));
      expect(error).toBeInstanceOf(RateLimitError);
      const { retryAfterSeconds } = error as RateLimitError;
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    });

    it('create once what is sent again with the same idempotency key', async () => {
      const { client } = await start(openDatabase);
      const options = { idempotencyKey: 'build-17' };
      const first = await client.snapshots.create({ machineName: 'm' }, options).withResponse();
      const again = await client.snapshots.create({ machineName: 'm' }, options).withResponse();
      expect(again.data).toEqual(first.data);
      expect([first.replayed, again.replayed]).toEqual([false, true]);
      await expect(client.snapshots.create({ machineName: 'other' }, options)).rejects.toMatchObject({
        name: 'ConflictError',
        code: 'idempotency_key_reused',
      });
    });

    it('create exactly what was asked for over a connection that loses requests and responses', async () => {
      const { made, baseUrl, client } = await start(openDatabase);
      await using proxy = await startCuttingProxy(
        baseUrl,
        ['request', 'answer'],
        (call) => call.idempotencyKey,
      );
      const shaky = new EnvSnap({ apiKey: made.apiKey, baseUrl: proxy.baseUrl });
      const names = Array.from({ length: 40 }, (_, index) => `machine-${index}`);
      const answers = await Promise.all(
        names.map((machineName) => shaky.snapshots.create({ machineName }).withResponse()),
      );
      expect(answers.every((answer) => answer.attempts === 3 && answer.replayed)).toBe(true);
      expect(proxy.answered()).toBe(80);
      const stored = await client.snapshots.iterate().toArray();
      expect(stored.map((snapshot) => snapshot.machineName).sort()).toEqual([...names].sort());
      expect(stored.map((snapshot) => snapshot.id).sort()).toEqual(
        answers.map((answer) => answer.data.id).sort(),
      );
    });

    it('delete exactly once over a connection that loses responses', async () => {
      const { made, baseUrl, client } = await start(openDatabase);
      const { id } = await client.snapshots.create({ machineName: 'm' });
      await using proxy = await startCuttingProxy(baseUrl, ['answer'], (call) => call.url);
      const shaky = new EnvSnap({ apiKey: made.apiKey, baseUrl: proxy.baseUrl });
      expect(await shaky.snapshots.delete(id)).toEqual({ success: true });
      await expect(client.snapshots.get(id)).rejects.toThrow(NotFoundError);
    });
  });
});
