// Hostile values in single fields, and large amounts of them, are refused, or stored in the one way in which they are understood.

import { describe, expect, it } from 'vitest';
import { createTargets, createWorld } from '../../server/api/world.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startProject, startService, type TestService } from '../../support/service.ts';

const longKey = 'a key of 32 characters and a few';

describeEachDatabase((openDatabase) => {
  describe('a bootstrap with Idempotency-Key', () => {
    const bootstrap = (service: TestService, idempotencyKey: string) =>
      service.request('POST', '/machine/keys/bootstrap', {
        body: { projectName: 'p' },
        headers: { 'idempotency-key': idempotencyKey },
      });

    it('is refused when the key could be guessed', async () => {
      const service = await startService(openDatabase);
      const refused = await bootstrap(service, longKey.slice(1));
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'Idempotency-Key']);
      expect((await bootstrap(service, longKey)).status).toBe(201);
    });

    it('shows no key of a deleted project', async () => {
      const service = await startService(openDatabase);
      const { body } = await bootstrap(service, longKey);
      const again = await bootstrap(service, longKey);
      expect([again.status, again.body.apiKey]).toEqual([201, body.apiKey]);
      const further = { key: body.apiKey, body: { name: 'q' }, headers: { 'idempotency-key': 'further' } };
      const second = await service.request('POST', '/machine/projects', further);
      for (const { projectId, apiKey } of [second.body, body]) {
        await service.send(apiKey, 'DELETE', `/machine/projects/${projectId}`);
        if (projectId === body.projectId) continue;
        const refusedProject = await service.request('POST', '/machine/projects', further);
        expect([refusedProject.status, refusedProject.body.code]).toEqual([404, 'project_not_found']);
      }
      const refusedBootstrap = await bootstrap(service, longKey);
      expect([
        refusedBootstrap.status,
        refusedBootstrap.body.code,
        refusedBootstrap.headers.get('idempotency-replayed'),
      ]).toEqual([404, 'project_not_found', null]);
    });
  });

  describe('a webhook', () => {
    it('has a secret that every verifier decodes alike, or one that is plain text', async () => {
      const { service, key } = await startProject(openDatabase);
      const create = async (secret: string) => {
        const body = { url: 'https://example.com/', events: ['file.deleted'], secret };
        return (await service.send(key, 'POST', '/machine/webhooks', body)).status;
      };
      const encoded = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
      for (const bytes of [24, 25, 32, 64])
        expect([bytes, await create(encoded(bytes))]).toEqual([bytes, 201]);
      expect(await create('plain text with whsec_ inside')).toBe(201);
      for (const secret of [
        'whsec_',
        encoded(23),
        encoded(65),
        encoded(25).replace(/=+$/, ''),
        `${encoded(24)}=`,
        encoded(24).replace(/.$/, '-'),
        `whsec_ ${'A'.repeat(32)}`,
        `whsec_${'A'.repeat(30)}=A`,
      ])
        expect([secret, await create(secret)]).toEqual([secret, 400]);
    });

    it('is stored with its URL as the URL standard writes it', async () => {
      const { service, key } = await startProject(openDatabase);
      const body = { url: 'HTTPS://Ex%41mple.COM:443/a/../b c?q=é', events: ['file.deleted'] };
      const made = await service.send(key, 'POST', '/machine/webhooks', body);
      expect(made.body.url).toBe('https://example.com/b%20c?q=%C3%A9');
      const path = `/machine/webhooks/${made.body.id}`;
      const changed = await service.send(key, 'PATCH', path, { url: 'http://0x7f.1/' });
      expect(changed.body.url).toBe('http://127.0.0.1/');
      expect((await service.send(key, 'GET', path)).body.url).toBe('http://127.0.0.1/');
    });
  });

  describe('a snapshot', () => {
    it('treats null maps as absent', async () => {
      const { service, key } = await startProject(openDatabase);
      const maps = { runtimeVersions: null, dependencies: null, envVars: null, metadata: null };
      const body = { machineName: 'm', os: null, arch: null, ...maps };
      const made = await service.send(key, 'POST', '/machine/snapshots', body);
      expect(made.status).toBe(201);
      const shown = await service.send(key, 'GET', `/machine/snapshots/${made.body.id}`);
      expect(shown.body).toMatchObject({ runtimeVersions: {}, dependencies: {}, envVars: {}, metadata: {} });
    });

    it('is listed from a moment to a later one only', async () => {
      const { service, key } = await startProject(openDatabase);
      const list = async (query: string) =>
        (await service.send(key, 'GET', `/machine/snapshots?${query}`)).status;
      expect(await list('from=2026-02-02&to=2026-02-01')).toBe(400);
      expect(await list('from=2026-02-01T12:00:00Z&to=2026-02-01T11:59:59.999Z')).toBe(400);
      expect(await list('from=2026-02-01&to=2026-02-01')).toBe(200);
      expect(await list('from=2026-02-01T12:00:00%2B02:00&to=2026-02-01T10:00:00Z')).toBe(200);
    });
  });

  it('lengths are counted in code points', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    const emoji = (count: number) => '🧭'.repeat(count);
    const fields: [string, string, (text: string) => unknown, number][] = [
      ['POST', '/machine/projects', (name) => ({ name }), 200],
      ['PATCH', `/machine/projects/${projectId}`, (description) => ({ description }), 2000],
      ['POST', '/machine/keys', (label) => ({ label }), 100],
      ['POST', '/machine/snapshots', (machineName) => ({ machineName }), 255],
      ['POST', '/machine/snapshots', (os) => ({ machineName: 'm', os }), 64],
      ['POST', '/machine/snapshots', (name) => ({ machineName: 'm', envVars: { [name]: '' } }), 1024],
      [
        'POST',
        '/machine/webhooks',
        (secret) => ({ url: 'https://example.com', events: ['file.deleted'], secret }),
        256,
      ],
    ];
    for (const [method, path, bodyOf, max] of fields) {
      const send = async (count: number) =>
        (await service.send(key, method, path, bodyOf(emoji(count)))).status;
      expect([path, await send(max)]).toEqual([path, method === 'PATCH' ? 200 : 201]);
      expect([path, await send(max + 1)]).toEqual([path, 400]);
    }
    const short = { url: 'https://example.com', events: ['file.deleted'], secret: emoji(7) };
    expect((await service.send(key, 'POST', '/machine/webhooks', short)).status).toBe(400);
  });

  it('two Host headers are refused, whatever they say', async () => {
    const service = await startService(openDatabase);
    for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nhost: a', 'HOST: a\r\nX: y\r\nHost: b']) {
      const answer = await sendRaw(service.url, `GET /health HTTP/1.1\r\n${hosts}\r\n\r\n`);
      expect([answer?.status, JSON.parse(answer?.body ?? '{}').code]).toEqual([400, 'malformed_request']);
    }
    expect((await sendRaw(service.url, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'))?.status).toBe(200);
  });

  it('a method that a path does not have is logged under the template of the path', async () => {
    const { service, key } = await startProject(openDatabase);
    await service.send(key, 'PATCH', '/machine/snapshots/some-id');
    await service.send(key, 'DELETE', '/machine/keys/current');
    await service.send(key, 'GET', '/machine/nothing');
    await service.send(key, 'GET', '/machine/usage/requests/live');
    const { data } = (await service.send(key, 'GET', '/machine/usage/requests?period=month')).body;
    const [{ endpoints }] = Object.values(data) as [{ endpoints: { path: string; statusCode: number }[] }];
    const refused = endpoints.filter(({ statusCode }) => statusCode >= 400);
    expect(refused.map(({ path, statusCode }) => [path, statusCode]).sort()).toEqual([
      ['/machine/keys/current', 405],
      ['/machine/snapshots/:id', 405],
      ['unmatched', 404],
    ]);
  });

  it('the revocation of a key notifies the webhooks that its member is gone', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    const body = { url: 'https://example.com/', events: ['member.removed'] };
    await service.send(key, 'POST', '/machine/webhooks', body);
    const { keyId, memberId } = await createTargets(service, key, projectId, ['memberId']);
    await service.send(key, 'DELETE', `/machine/keys/${keyId}`);
    const { builder } = service.database.dialect;
    const events = await service.database.all<{ payload: string }>(
      builder('outbox_events').select('payload'),
    );
    expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { event: 'member.removed', data: { memberId, apiKeyId: keyId } },
    ]);
  });

  describe('quotas', () => {
    it('of webhooks and keys are exact when many come at once', { tags: 'both-databases' }, async () => {
      const { service, key, projectId } = await startProject(openDatabase, {
        ENVSNAP_MAX_WEBHOOKS: '5',
        ENVSNAP_MAX_API_KEYS: '5',
      });
      const many = async (path: string, body: unknown) => {
        const calls = Array.from({ length: 20 }, () => service.send(key, 'POST', path, body));
        const answers = await Promise.all(calls);
        const refused = answers.filter(({ status }) => status !== 201);
        return {
          made: 20 - refused.length,
          refusals: [...new Set(refused.map((one) => `${one.status} ${one.body.code} ${one.body.error}`))],
        };
      };
      expect(await many('/machine/webhooks', { url: 'https://e.com', events: ['file.deleted'] })).toEqual({
        made: 5,
        refusals: ['403 webhook_quota_exceeded Webhook quota exceeded (max 5)'],
      });
      expect(await many('/machine/keys', {})).toEqual({
        made: 4,
        refusals: ['403 key_quota_exceeded API key quota exceeded (max 5)'],
      });
      const invitation = await service.send(key, 'POST', `/machine/team/${projectId}/members`, {});
      expect(invitation.body.code).toBe('key_quota_exceeded');
      const { body } = await service.send(key, 'GET', '/machine/keys');
      const spare = body.keys.find((one: { role: string }) => one.role !== 'owner');
      await service.send(key, 'DELETE', `/machine/keys/${spare.id}`);
      expect((await service.send(key, 'POST', '/machine/keys', {})).status).toBe(201);
    });

    it('of projects hold for bootstrap and for every key; who may make more is a setting', async () => {
      const bounded = await startService(openDatabase, { ENVSNAP_MAX_PROJECTS: '3' });
      const calls = Array.from({ length: 10 }, () =>
        bounded.request('POST', '/machine/keys/bootstrap', { body: { projectName: 'p' } }),
      );
      const answers = await Promise.all(calls);
      const made = answers.filter(({ status }) => status === 201);
      expect(made).toHaveLength(3);
      const further = { key: made[0]?.body.apiKey, body: { name: 'p' } };
      expect((await bounded.request('POST', '/machine/projects', further)).body).toMatchObject({
        error: 'Project quota exceeded (max 3)',
        code: 'project_quota_exceeded',
      });

      const owners = await startService(openDatabase, { ENVSNAP_PROJECT_CREATION: 'owner' });
      const { keys } = await createWorld(owners);
      const create = async (service: TestService, key: string) =>
        (await service.send(key, 'POST', '/machine/projects', { name: 'p' })).status;
      expect(await create(owners, keys.admin)).toBe(403);
      expect(await create(owners, keys.owner)).toBe(201);
      const closed = await startService(openDatabase, { ENVSNAP_PROJECT_CREATION: 'closed' });
      const { apiKey } = await closed.bootstrap();
      const refused = await closed.send(apiKey, 'POST', '/machine/projects', { name: 'p' });
      expect([refused.status, refused.body.code]).toEqual([403, 'project_creation_closed']);
    });
  });
});
