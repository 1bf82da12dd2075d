// A key that is revoked or demoted, or whose project is deleted, while its request is in progress: the request has no effect, and
// gets the response of a new one.

import { type Operation, type OperationName, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import {
  createTargets,
  createWorld,
  kindsFor,
  multipart,
  pathOf,
  validBodyOf,
  type World,
} from '../../server/api/world.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { type PausedAdmission, pauseAdmissions, pauseReads } from '../../support/paused-admission.ts';
import { openRaw } from '../../support/raw-http.ts';
import { type ApiAnswer, startServiceOn, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';

const changing = (Object.entries(operations) as [OperationName, Operation][]).filter(
  ([, { method, access, safe }]) => method !== 'GET' && access !== 'public' && !safe,
);
const idempotent = changing.filter(([, { idempotency }]) => idempotency !== undefined);

/** One operation of each kind: with an `Idempotency-Key`, in a list, of one row, of a file, of keys, of the project itself. */
const ofEachKind: readonly string[] = words`
  createSnapshot createKey updateWebhook deleteFile rotateFingerprintKey deleteProject`;
const isSampled = ([name]: (typeof changing)[number]) => ofEachKind.includes(name);

/** Everything that a request could have changed, except counters and logs of requests. */
const tables = words`
  projects api_keys memberships data_keys fingerprint_keys snapshots files webhooks outbox_events
  webhook_deliveries webhook_attempts project_quotas idempotency_keys`;

async function contentOf(database: Database): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await database.all<Record<string, unknown>>(database.dialect.builder(table).select('*'));
    content[table] = rows.map(({ last_used_at: _, ...row }) => JSON.stringify(row)).sort();
  }
  return content;
}

async function makeKey(service: TestService, owner: string) {
  const body = { role: 'admin' };
  return (await service.send(owner, 'POST', '/machine/keys', body)).body as {
    apiKey: string;
    apiKeyId: string;
  };
}

async function memberOf(service: TestService, { keys, projectId }: World, apiKeyId: string) {
  const path = `/machine/team/${projectId}/members`;
  const { members } = (await service.send(keys.owner, 'GET', path)).body;
  return `${path}/${members.find((member: { apiKeyId: string }) => member.apiKeyId === apiKeyId).id}`;
}

interface Case {
  readonly service: TestService;
  readonly admissions: PausedAdmission;
  readonly world: World;
  readonly name: OperationName;
  readonly operation: Operation;
}

/** Calls the operation, and `act` after its admission. Returns the response, and what changed after `act`. */
async function callWhile(
  { service, admissions, world, name, operation }: Case,
  key: string,
  act: () => Promise<ApiAnswer>,
  idempotencyKey?: string,
) {
  let before: Record<string, unknown> | undefined;
  admissions.afterNextAdmission(async () => {
    expect((await act()).status).toBe(200);
    before = await contentOf(service.database);
  });
  const { body, headers } = validBodyOf(name, world);
  const answer = await service.request(operation.method, pathOf(operation, world), {
    key,
    ...(body !== undefined && { body }),
    headers: { ...headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
  });
  expect(before, 'the request was let in').toBeDefined();
  return { answer: [answer.status, answer.body.error], before, after: await contentOf(service.database) };
}

const unknownKey = [401, 'Invalid API key'];

describeEachDatabase((openDatabase) => {
  async function start() {
    const admissions = pauseAdmissions(await openDatabase());
    const service = await startServiceOn(admissions.database, { ENVSNAP_WEBHOOK_TIMEOUT_MS: '100' });
    return { service, admissions };
  }

  describe('a request that was let in', () => {
    const noEffect = '%s: has no effect after its key is revoked or demoted, or its project deleted';
    it.each(changing.filter(isSampled))(noEffect, hasNoEffect);
    it.each(changing.filter((one) => !isSampled(one)))(noEffect, { tags: 'release' }, hasNoEffect);

    async function hasNoEffect(name: OperationName, operation: Operation): Promise<void> {
      const { service, admissions } = await start();
      const world = await createWorld(service, kindsFor(operation));
      const owner = world.keys.owner;
      const one = { service, admissions, world, name, operation };
      const expectRefused = async (
        refusal: unknown[],
        key: string,
        act: () => Promise<ApiAnswer>,
        idempotencyKey?: string,
      ) => {
        const { answer, before, after } = await callWhile(one, key, act, idempotencyKey);
        expect(answer).toEqual(refusal);
        expect(after).toEqual(before);
      };

      if (name !== 'deleteProject') {
        const revoked = await makeKey(service, owner);
        const revoke = () => service.send(owner, 'DELETE', `/machine/keys/${revoked.apiKeyId}`);
        await expectRefused(unknownKey, revoked.apiKey, revoke);

        const removed = await makeKey(service, owner);
        const path = await memberOf(service, world, removed.apiKeyId);
        const remove = () => service.send(owner, 'DELETE', path);
        await expectRefused(
          unknownKey,
          removed.apiKey,
          remove,
          operation.idempotency && 'a key of an operation',
        );
      }
      // A demotion does not affect operations that are open to every role.
      if (name !== 'deleteProject' && operation.access !== 'any') {
        const demoted = await makeKey(service, owner);
        const member = await memberOf(service, world, demoted.apiKeyId);
        const demote = () => service.send(owner, 'PATCH', member, { role: 'viewer' });
        const roles = (operation.access as readonly string[]).join(', ');
        const forbidden = [403, `Forbidden: requires one of [${roles}]`];
        await expectRefused(forbidden, demoted.apiKey, demote, operation.idempotency && 'another key');
      }
      await expectRefused(unknownKey, name === 'deleteProject' ? owner : world.keys.admin, () =>
        service.send(owner, 'DELETE', `/machine/projects/${world.projectId}`),
      );
    }

    const noAnswer = '%s: shows no stored answer after its key is revoked';
    it.each(idempotent.filter(isSampled))(noAnswer, showsNoAnswer);
    it.each(idempotent.filter((one) => !isSampled(one)))(noAnswer, { tags: 'release' }, showsNoAnswer);

    async function showsNoAnswer(name: OperationName, operation: Operation): Promise<void> {
      const { service, admissions } = await start();
      const world = await createWorld(service, kindsFor(operation));
      const { apiKey, apiKeyId } = await makeKey(service, world.keys.owner);
      const { body, headers } = validBodyOf(name, world);
      const first = await service.request(operation.method, pathOf(operation, world), {
        key: apiKey,
        ...(body !== undefined && { body }),
        headers: { ...headers, 'idempotency-key': 'again' },
      });
      expect(first.status).toBe(operation.status);
      const revoke = () => service.send(world.keys.owner, 'DELETE', `/machine/keys/${apiKeyId}`);
      const one = { service, admissions, world, name, operation };
      expect((await callWhile(one, apiKey, revoke, 'again')).answer).toEqual(unknownKey);
    }

    it('stores no refusal of a role as the response to its Idempotency-Key', async () => {
      const { service, admissions } = await start();
      const world = await createWorld(service, kindsFor(operations.createSnapshot));
      const { apiKey, apiKeyId } = await makeKey(service, world.keys.owner);
      const member = await memberOf(service, world, apiKeyId);
      const setRole = (role: string) => service.send(world.keys.owner, 'PATCH', member, { role });
      const one = {
        service,
        admissions,
        world,
        name: 'createSnapshot',
        operation: operations.createSnapshot,
      } as const;
      expect((await callWhile(one, apiKey, () => setRole('viewer'), 'k')).answer[0]).toBe(403);
      await setRole('member');
      const options = { key: apiKey, body: { machineName: 'm' }, headers: { 'idempotency-key': 'k' } };
      expect((await service.request('POST', '/machine/snapshots', options)).status).toBe(201);
    });

    it('reads nothing for a comparison whose key is revoked before its body ends', async () => {
      const { service, admissions } = await start();
      const world = await createWorld(service, kindsFor(operations.compareSnapshots));
      const { apiKey, apiKeyId } = await makeKey(service, world.keys.owner);
      const one = {
        service,
        admissions,
        world,
        name: 'compareSnapshots',
        operation: operations.compareSnapshots,
      } as const;
      const revoke = () => service.send(world.keys.owner, 'DELETE', `/machine/keys/${apiKeyId}`);
      expect((await callWhile(one, apiKey, revoke)).answer).toEqual(unknownKey);
    });
  });

  it('a form of the console that was let in has no effect after its session is ended or its key demoted', async () => {
    const { service, admissions } = await start();
    const { database } = service;
    const { builder } = database.dialect;
    const { apiKey: owner } = await service.bootstrap();
    const admin = await makeKey(service, owner);
    const post = (form: string, cookie: string, fields: Record<string, string>) =>
      fetch(`${service.url}/console/${form}`, {
        method: 'POST',
        headers: { cookie },
        redirect: 'manual',
        body: new URLSearchParams(fields),
      });
    const signIn = async (key: string) =>
      String((await post('sign-in', '', { key })).headers.get('set-cookie')).split(';')[0] as string;
    const listSessions = () => database.all<{ id: string }>(builder('sessions').select('id'));
    const cookie = await signIn(owner);
    const [ended] = await listSessions();
    let before: Record<string, unknown> = {};
    admissions.afterNextAdmission(async () => {
      await database.run(builder('sessions').where({ id: ended?.id }).delete());
      before = await contentOf(database);
    });
    expect((await post('keys', cookie, { role: 'admin' })).status).toBe(401);
    expect(await contentOf(database)).toEqual(before);

    await signIn(owner);
    const [another] = await listSessions();
    const cookieOfAdmin = await signIn(admin.apiKey);
    admissions.afterNextAdmission(() =>
      database.run(builder('api_keys').where({ id: admin.apiKeyId }).update({ role: 'member' })),
    );
    expect((await post(`sessions/${another?.id}/end`, cookieOfAdmin, {})).status).toBe(403);
    expect(await listSessions()).toHaveLength(2);
  });

  describe('a body that takes its time', () => {
    /** Sends all but the last byte, revokes the key, sends the last byte. */
    async function finishAfterRevocation(
      service: TestService,
      owner: string,
      path: string,
      headers: Record<string, string>,
      body: Uint8Array,
    ) {
      const { apiKey, apiKeyId } = await makeKey(service, owner);
      const connection = await openRaw(service.url);
      const lines = Object.entries({
        Host: 'x',
        'X-API-Key': apiKey,
        ...headers,
        'Content-Length': `${body.length}`,
      });
      connection.send(
        `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      connection.send(body.subarray(0, body.length - 1));
      // The key counts as used once the request is admitted.
      const window = service.database.dialect.builder('rate_limit_windows').where('subject', apiKeyId);
      await expect.poll(() => service.database.all(window), { interval: 5 }).toHaveLength(1);
      const revocation = await service.send(owner, 'DELETE', `/machine/keys/${apiKeyId}`);
      expect(revocation.status).toBe(200);
      const before = await contentOf(service.database);
      connection.send(body.subarray(body.length - 1));
      const [answer] = await connection.answers(1);
      connection.end();
      expect([answer?.status, JSON.parse(answer?.body ?? '{}').error]).toEqual(unknownKey);
      await expect.poll(() => contentOf(service.database)).toEqual(before);
    }

    it('has no effect if the key was revoked during it: JSON, and an upload', async () => {
      const { service } = await start();
      const { apiKey: owner } = await service.bootstrap();
      const json = { 'Content-Type': 'application/json' };
      const bodies: [string, unknown][] = [
        ['/machine/keys', { role: 'admin' }],
        ['/machine/snapshots', { machineName: 'm' }],
        ['/machine/webhooks', { url: 'https://example.com/', events: ['snapshot.created'] }],
        ['/machine/projects', { name: 'p' }],
      ];
      for (const [path, body] of bodies)
        await finishAfterRevocation(service, owner, path, json, Buffer.from(JSON.stringify(body)));
      const form = multipart(new Uint8Array(300_000));
      const type = { 'Content-Type': form.headers['content-type'] };
      await finishAfterRevocation(service, owner, '/machine/files', type, form.body);
    });
  });

  describe('a request that reads in the thread of jobs', () => {
    it.each([
      ['GET', '/machine/history?key=runtimes.node', undefined],
      ['POST', '/machine/diagnosis', {}],
    ])(
      '%s %s: gets 401 in place of its response once its key is revoked',
      { tags: 'both-databases' },
      async (method, path, body) => {
        // Only a job asks for metadata here.
        const reads = pauseReads(await openDatabase(), (row) => 'metadata' in row);
        const service = await startServiceOn(reads.database);
        const { apiKey: owner } = await service.bootstrap();
        for (const result of ['passed', 'failed']) {
          const metadata = { outcome: { result, of: 'test' } };
          const snapshot = { machineName: 'm', runtimeVersions: { node: result }, metadata };
          await service.send(owner, 'POST', '/machine/snapshots', snapshot);
        }
        const { apiKey, apiKeyId } = await makeKey(service, owner);
        const { status, body: first } = await service.send(owner, method, path, body);
        expect([status, JSON.stringify(first)]).toEqual([200, expect.stringContaining('failed')]);
        // Cached results are those of unchanged snapshots.
        await service.send(owner, 'POST', '/machine/snapshots', {
          machineName: 'm',
          metadata: { outcome: { result: 'passed', of: 'test' } },
        });
        reads.afterNext(() => service.send(owner, 'DELETE', `/machine/keys/${apiKeyId}`));
        const answer = await service.send(apiKey, method, path, body);
        expect([reads.isArmed(), answer.status, answer.body.error]).toEqual([false, ...unknownKey]);
      },
    );
  });

  const eachOther = 'two admins who revoke each other at the same time: one of them does it';
  it(eachOther, { tags: 'both-databases' }, () => revokeEachOther(3));
  it(`${eachOther}, in each of five rounds`, { tags: 'release' }, () => revokeEachOther(5));

  async function revokeEachOther(rounds: number): Promise<void> {
    const { service } = await start();
    const { apiKey: owner, projectId } = await service.bootstrap();
    for (let round = 0; round < rounds; round += 1) {
      const pair = [await makeKey(service, owner), await makeKey(service, owner)] as const;
      const writers = pair.map(({ apiKey }) =>
        service.send(apiKey, 'POST', '/machine/snapshots', { machineName: 'm' }),
      );
      const revocations = [
        service.send(pair[0].apiKey, 'DELETE', `/machine/keys/${pair[1].apiKeyId}`),
        service.send(pair[1].apiKey, 'DELETE', `/machine/keys/${pair[0].apiKeyId}`),
      ];
      const statuses = (await Promise.all(revocations)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 401]);
      for (const { status } of await Promise.all(writers)) expect([201, 401]).toContain(status);
    }
    const targets = await createTargets(service, owner, projectId, ['memberId']);
    expect(targets.memberId).toEqual(expect.any(String));
  }
});
