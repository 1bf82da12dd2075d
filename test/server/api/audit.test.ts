// The audit log: every effect leaves an entry, a refusal leaves none, and only the project's owners and admins can read it.

import { type Operation, type OperationName, operations } from '@envsnap/shared';
import type { AuditAction } from '@envsnap/shared/catalogue/audit-actions';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../packages/server/src/infra/crypto/api-key.ts';
import { operatorAudit } from '../../../packages/server/src/operator/operator-audit.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, startServiceOn, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';
import { createTargets, createWorld, multipart, pathOf, validBodyOf } from './world.ts';

interface Entry {
  id: string;
  action: string;
  actor: {
    type: string;
    apiKeyId: string | null;
    label: string | null;
    role: string | null;
    memberId: string | null;
  };
  target: { type: string; id: string | null; name: string | null };
  details: Record<string, unknown>;
  requestId: string | null;
  clientRequestId: string | null;
  clientAddress: string | null;
}

async function read(service: TestService, key: string, query = ''): Promise<Entry[]> {
  const answer = await service.send(key, 'GET', `/machine/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.body.entries;
}

const actionsOf = (entries: readonly Entry[]) => entries.map(({ action }) => action);

/** Several operations that leave the same. */
const each = <Name extends OperationName, Left>(left: Left, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, left])) as Record<Name, Left>;

/** What each operation leaves: an action, or why there is none. */
const expectedActions: Record<OperationName, AuditAction | 'adds content' | 'shows no value' | 'elsewhere'> =
  {
    ...each('elsewhere', 'bootstrap', 'createProject', 'deleteProject'),
    ...each('shows no value', 'listKeys', 'getCurrentKey', 'listProjects', 'getProject', 'listAuditEntries'),
    ...each('shows no value', 'listMembers', 'listSnapshots', 'listMachines', 'getHistory', 'listWebhooks'),
    ...each('shows no value', 'getWebhook', 'testWebhook', 'redeliverWebhook', 'listFiles', 'listShares'),
    ...each('shows no value', 'createConsoleLink', 'getProjectHealth', 'getUsage', 'getUsageHistory'),
    ...each('shows no value', 'getLiveRequests', 'getHealth', 'getReadiness'),
    ...each('adds content', 'createSnapshot', 'uploadFile'),
    ...each('snapshot.variables_read', 'getSnapshot', 'compareSnapshots'),
    createKey: 'key.created',
    revokeKey: 'key.revoked',
    getFingerprintKey: 'fingerprint_key.read',
    rotateFingerprintKey: 'fingerprint_key.rotated',
    updateProject: 'project.updated',
    inviteMember: 'member.invited',
    updateMember: 'member.role_changed',
    removeMember: 'member.removed',
    deleteSnapshot: 'snapshot.deleted',
    diagnose: 'diagnosis.made',
    createWebhook: 'webhook.created',
    updateWebhook: 'webhook.updated',
    deleteWebhook: 'webhook.deleted',
    downloadFile: 'file.downloaded',
    deleteFile: 'file.deleted',
    createShare: 'share.created',
    deleteShare: 'share.revoked',
  };

describeEachDatabase((openDatabase) => {
  describe('the audit log', () => {
    it('has an entry for each operation that changes or discloses something, and for no other', async () => {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      const canary = 'canary-4711';
      const { body: snapshot } = await service.send(world.keys.owner, 'POST', '/machine/snapshots', {
        machineName: 'm',
        envVars: { SECRET: canary },
      });
      const targets = { ...world, snapshotId: snapshot.id, keyId: world.keyIds.viewer };
      const queries: Partial<Record<OperationName, string>> = { listMachines: '?keys=env:SECRET' };
      const both = { snapshotA: snapshot.id, snapshotB: snapshot.id };
      const bodies: Partial<Record<OperationName, object>> = {
        compareSnapshots: { ...both, includeEnvValues: true },
        updateWebhook: { active: false },
      };
      // Those that remove what others need come last.
      const inOrder = (Object.entries(operations) as [OperationName, Operation][]).sort(
        ([, x], [, y]) => Number(x.method === 'DELETE') - Number(y.method === 'DELETE'),
      );
      for (const [name, operation] of inOrder) {
        const expected = expectedActions[name];
        if (expected === 'elsewhere') continue;
        // A key's repeated reads within an hour leave no further entry.
        const made = await service.send(world.keys.owner, 'POST', '/machine/keys', { role: 'admin' });
        const before = (await read(service, world.keys.owner, '?limit=100')).length;
        const { body, headers = {} } = validBodyOf(name, targets);
        const path = pathOf(operation, targets).replace('key=os', 'key=env:SECRET');
        const answer = await service.request(operation.method, path + (queries[name] ?? ''), {
          key: made.body.apiKey,
          body: bodies[name] ?? body,
          headers,
        });
        expect([name, answer.status < 300]).toEqual([name, true]);
        const entries = await read(service, world.keys.owner, '?limit=100');
        const isAction = expected.includes('.');
        expect([name, ...actionsOf(entries.slice(0, -before))]).toEqual(isAction ? [name, expected] : [name]);
        if (!isAction) expect([name, JSON.stringify(answer.body).includes(canary)]).toEqual([name, false]);
      }
    });

    it('has an entry for every effect, newest first, and none for a refusal', async () => {
      const service = await startService(openDatabase);
      const { projectId, apiKey: key, apiKeyId } = await service.bootstrap('shop');
      const targets = await createTargets(service, key, projectId);
      const ok = async (method: string, path: string, body?: unknown) =>
        expect((await service.send(key, method, path, body)).status).toBeLessThan(300);
      await ok('PATCH', `/machine/projects/${projectId}`, { name: 'shop 2' });
      const made = await service.send(key, 'POST', '/machine/keys', { label: 'ci', role: 'viewer' });
      await ok('PATCH', `/machine/team/${projectId}/members/${targets.memberId}`, { role: 'admin' });
      await ok('DELETE', `/machine/team/${projectId}/members/${targets.memberId}`);
      await ok('DELETE', `/machine/keys/${made.body.apiKeyId}`);
      await ok('POST', '/machine/fingerprint-key/rotate');
      await ok('PATCH', `/machine/webhooks/${targets.webhookId}`, { active: false });
      await ok('DELETE', `/machine/webhooks/${targets.webhookId}`);
      await ok('DELETE', `/machine/snapshots/${targets.snapshotId}`);
      await ok('DELETE', `/machine/files/${targets.fileId}`);
      const refused = [
        await service.send(key, 'DELETE', `/machine/keys/${apiKeyId}`),
        await service.send(key, 'DELETE', `/machine/snapshots/${targets.snapshotId}`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 404]);

      const entries = await read(service, key);
      expect(actionsOf(entries)).toEqual(words`
        file.deleted snapshot.deleted webhook.deleted webhook.updated fingerprint_key.rotated
        key.revoked member.removed member.role_changed key.created project.updated share.created
        webhook.created member.invited project.created`);
      const find = (action: string) => entries.find((entry) => entry.action === action);
      expect(find('member.role_changed')).toMatchObject({
        actor: { type: 'key', apiKeyId, label: 'bootstrap', role: 'owner' },
        target: { type: 'member', id: targets.memberId },
        details: { from: 'member', to: 'admin' },
        clientAddress: '127.0.0.1',
      });
      expect(find('key.revoked')?.target).toEqual({ type: 'key', id: made.body.apiKeyId, name: 'ci' });
      expect(find('webhook.updated')?.details).toEqual({ active: { from: true, to: false } });
      expect(find('webhook.deleted')?.target.name).toBe('http://127.0.0.1:9');
      expect(find('file.deleted')?.target).toEqual({ type: 'file', id: targets.fileId, name: 'notes.txt' });
      expect(find('project.created')?.actor).toMatchObject({ type: 'unknown', apiKeyId: null });
    });

    it('has the server’s id and the caller’s id of the request, and the address behind a trusted proxy', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_TRUST_PROXY: '127.0.0.0/8' });
      const headers = { 'x-request-id': 'deploy-4711', 'x-forwarded-for': '2001:db8::17' };
      await service.request('POST', '/machine/keys', { key, body: {}, headers });
      const [entry] = await read(service, key, '?action=key.created');
      expect(entry).toMatchObject({
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        clientRequestId: 'deploy-4711',
        clientAddress: '2001:db8::17',
      });
      const made = await service.send(key, 'POST', '/machine/keys', {});
      const [plain] = await read(service, key, '?action=key.created');
      // Without its own id, the caller gets the server's.
      expect([plain?.requestId, plain?.clientRequestId]).toEqual([made.headers.get('x-request-id'), null]);
    });

    it('has an entry for each read that discloses, with the key that read', async () => {
      const { service, key, projectId } = await startProject(openDatabase);
      const { fileId } = await createTargets(service, key, projectId);
      const make = async (part: object) =>
        (await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm', ...part })).body.id;
      const withVariables = await make({ envVars: { TOKEN: 'canary' } });
      const without = await make({});
      const { body: member } = await service.send(key, 'POST', '/machine/keys', {
        role: 'member',
        label: 'stolen',
      });
      const before = (await read(service, key)).length;
      const ask = async (method: string, path: string, body?: object, headers = {}) => {
        const answer = await service.request(method, path, { key: member.apiKey, body, headers });
        expect([path, answer.status < 400]).toEqual([path, true]);
        return answer.headers.get('etag') ?? '';
      };
      const compare = (part: object) =>
        ask('POST', '/machine/snapshots/compare', { snapshotA: withVariables, snapshotB: without, ...part });
      // Reads that show no value leave nothing.
      await ask('GET', `/machine/snapshots/${without}`);
      await ask('GET', '/machine/snapshots');
      await compare({});
      await compare({ compareEnvValues: true });
      expect(await read(service, key)).toHaveLength(before);
      const etag = await ask('GET', `/machine/snapshots/${withVariables}`);
      await ask('GET', `/machine/snapshots/${withVariables}`, undefined, { 'if-none-match': etag });
      await ask('GET', `/machine/snapshots/${withVariables}`);
      await compare({ includeEnvValues: true });
      await ask('POST', '/machine/diagnosis', {});
      await ask('GET', '/machine/fingerprint-key');
      await ask('HEAD', `/machine/files/${fileId}`);
      await ask('GET', `/machine/files/${fileId}`);
      await ask('GET', `/machine/files/${fileId}`, undefined, { range: 'bytes=0-1' });
      const entries = (await read(service, key)).slice(0, -before);
      expect(entries.map(({ action, target }) => [action, target.id === fileId || target.id])).toEqual([
        ['file.downloaded', true],
        ['fingerprint_key.read', expect.any(String)],
        ['diagnosis.made', projectId],
        ['snapshot.variables_read', without],
        ['snapshot.variables_read', withVariables],
      ]);
      for (const { actor } of entries)
        expect(actor).toMatchObject({ apiKeyId: member.apiKeyId, label: 'stolen', role: 'member' });
      expect(JSON.stringify(entries)).not.toContain('canary');
      // Another key is another reader.
      await service.send(key, 'GET', `/machine/snapshots/${withVariables}`);
      expect((await read(service, key))[0]).toMatchObject({
        action: 'snapshot.variables_read',
        actor: { role: 'owner' },
        target: { id: withVariables },
      });
    });

    it('is for owners and admins of the project alone', async () => {
      const { service, key } = await startProject(openDatabase);
      const other = await service.bootstrap();
      for (const [role, status] of [
        ['admin', 200],
        ['member', 403],
        ['viewer', 403],
      ] as const) {
        const made = await service.send(key, 'POST', '/machine/keys', { role });
        const answer = await service.send(made.body.apiKey, 'GET', '/machine/audit');
        expect({ role, status: answer.status }).toEqual({ role, status });
      }
      expect(actionsOf(await read(service, other.apiKey))).toEqual(['project.created']);
    });

    it('can be filtered by action, actor and time, and read page by page', async () => {
      const { service, key: owner, projectId, apiKeyId } = await startProject(openDatabase);
      const admin = await service.send(owner, 'POST', '/machine/keys', { role: 'admin' });
      for (const key of [owner, admin.body.apiKey, owner])
        await service.send(key, 'PATCH', `/machine/projects/${projectId}`, { name: 'n' });
      expect(await read(service, owner, '?action=project.updated')).toHaveLength(3);
      expect(await read(service, owner, `?actor=${admin.body.apiKeyId}`)).toHaveLength(1);
      expect(await read(service, owner, `?action=project.updated&actor=${apiKeyId}`)).toHaveLength(2);
      expect(await read(service, owner, '?actor=operator')).toEqual([]);
      expect(await read(service, owner, '?from=2099-01-01')).toEqual([]);
      expect(await read(service, owner, '?to=2099-01-01')).toHaveLength(5);
      const seen: string[] = [];
      for (let query: string | null = '?limit=2'; query; ) {
        const { body } = await service.send(owner, 'GET', `/machine/audit${query}`);
        expect(body.total).toBe(5);
        seen.push(...body.entries.map(({ id }: Entry) => id));
        query = body.next && `?limit=2&after=${body.next}`;
      }
      expect(seen).toEqual((await read(service, owner)).map(({ id }) => id));
      for (const query of ['?action=nothing', '?actor=me', '?from=2026-02-02&to=2026-02-01']) {
        const { status } = await service.send(owner, 'GET', `/machine/audit${query}`);
        expect({ query, status }).toEqual({ query, status: 400 });
      }
    });

    it('records an action once when its request is repeated with its Idempotency-Key', async () => {
      const { service, key } = await startProject(openDatabase);
      const options = { key, body: { label: 'once' }, headers: { 'idempotency-key': 'a-key-of-the-test' } };
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect((await service.request('POST', '/machine/keys', options)).status).toBe(201);
      expect(await read(service, key, '?action=key.created')).toHaveLength(1);
    });

    it('holds no secret: no key, no webhook secret, no path of a webhook URL', async () => {
      const { service, key } = await startProject(openDatabase);
      const url = 'https://hooks.example.com/services/T0/B0/abcdefsecret';
      await service.send(key, 'POST', '/machine/webhooks', { url, events: ['file.deleted'] });
      await service.send(key, 'POST', '/machine/keys', {});
      expect(JSON.stringify(await read(service, key))).not.toMatch(/mk_|whsec_|abcdefsecret/);
    });

    it('keeps the deletion of a project for the operator, and nothing else of it', async () => {
      const service = await startService(openDatabase);
      const { projectId, apiKey: key, apiKeyId } = await service.bootstrap('shop');
      expect((await service.send(key, 'DELETE', `/machine/projects/${projectId}`)).status).toBe(200);
      const { builder } = service.database.dialect;
      const rows = await service.database.all<Record<string, unknown>>(builder('audit_log').select('*'));
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({
        project_id: null,
        action: 'project.deleted',
        actor: apiKeyId,
        target_id: projectId,
        target_name: 'shop',
      });
    });
  });

  describe('a failed sign-in', () => {
    async function revokeOne(service: TestService, path: 'keys' | 'team') {
      const { projectId, apiKey: key } = await service.bootstrap();
      const url = path === 'keys' ? '/machine/keys' : `/machine/team/${projectId}/members`;
      const made = (await service.send(key, 'POST', url, { label: 'gone' })).body;
      const target = path === 'keys' ? `/machine/keys/${made.apiKeyId}` : `${url}/${made.memberId}`;
      expect((await service.send(key, 'DELETE', target)).status).toBe(200);
      return { key, revoked: made.apiKey as string, revokedId: made.apiKeyId as string };
    }

    it.each(['keys', 'team'] as const)(
      'with a key revoked through %s is recorded once an hour',
      async (path) => {
        const service = await startService(openDatabase);
        const { key, revoked, revokedId } = await revokeOne(service, path);
        const calls = Array.from({ length: 20 }, () => service.send(revoked, 'GET', '/machine/usage'));
        expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([401]));
        const entries = await read(service, key, '?action=sign_in.failed');
        expect(entries).toHaveLength(1);
        expect(entries[0]).toMatchObject({
          actor: { type: 'unknown' },
          target: { type: 'key', id: revokedId, name: 'gone' },
          details: { reason: 'revoked' },
          clientAddress: '127.0.0.1',
        });
        // An hour later there is a new entry.
        const { database } = service;
        const { builder } = database.dialect;
        await database.run(builder('revoked_keys').decrement('last_failure_at', 3_600_000));
        await service.send(revoked, 'GET', '/machine/usage');
        expect(await read(service, key, '?action=sign_in.failed')).toHaveLength(2);
      },
    );

    it('with a key that has expired is recorded once an hour, also once it is revoked', async () => {
      const { service, key: owner } = await startProject(openDatabase);
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const { body: made } = await service.send(owner, 'POST', '/machine/keys', { label: 'ci', expiresAt });
      const { database } = service;
      const { builder } = database.dialect;
      const expired = { expires_at: Date.now() - 1000 };
      await database.run(builder('api_keys').where('id', made.apiKeyId).update(expired));
      const calls = () =>
        Promise.all(Array.from({ length: 5 }, () => service.send(made.apiKey, 'GET', '/machine/usage')));
      expect(new Set((await calls()).map(({ status }) => status))).toEqual(new Set([401]));
      const [entry, ...others] = await read(service, owner, '?action=sign_in.failed');
      expect(entry).toMatchObject({
        target: { type: 'key', id: made.apiKeyId, name: 'ci' },
        details: { reason: 'expired', expiredAt: new Date(expired.expires_at).toISOString() },
      });
      expect(others).toEqual([]);
      await service.send(owner, 'DELETE', `/machine/keys/${made.apiKeyId}`);
      await calls();
      expect(await read(service, owner, '?action=sign_in.failed')).toHaveLength(1);
      await database.run(builder('revoked_keys').decrement('last_failure_at', 3_600_000));
      await calls();
      const [later] = await read(service, owner, '?action=sign_in.failed');
      expect(later?.details).toMatchObject({ reason: 'revoked' });
    });

    it('is counted across replicas, and a key that nobody had leaves nothing', {
      tags: 'both-databases',
    }, async () => {
      const database = await openDatabase();
      const masterKey = '11'.repeat(32);
      const service = await startServiceOn(database, {}, masterKey);
      const replica = await startServiceOn(database, {}, masterKey);
      const { key, revoked } = await revokeOne(service, 'keys');
      await Promise.all([service, replica].map((one) => one.send(revoked, 'GET', '/machine/usage')));
      await service.send(generateApiKey(), 'GET', '/machine/usage');
      await service.send('mk_typo', 'GET', '/machine/usage');
      expect(await read(service, key, '?action=sign_in.failed')).toHaveLength(1);
    });
  });

  it('the server logs a wrong bootstrap token once an hour for each address', async () => {
    const service = await startService(openDatabase, {
      ENVSNAP_BOOTSTRAP: 'token',
      ENVSNAP_BOOTSTRAP_TOKEN: 'a token of sixteen',
      ENVSNAP_TRUST_PROXY: '127.0.0.0/8',
    });
    const bootstrap = (address: string, token?: string) =>
      service.request('POST', '/machine/keys/bootstrap', {
        body: { projectName: 'p' },
        headers: { 'x-forwarded-for': address, ...(token !== undefined && { 'x-bootstrap-token': token }) },
      });
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      expect((await bootstrap(address, 'a guess, canary')).status).toBe(401);
    // Neither for a caller who sends none, nor for one who has the right one.
    expect((await bootstrap('192.0.2.3')).status).toBe(401);
    expect((await bootstrap('192.0.2.4', 'a token of sixteen')).status).toBe(201);
    const list = async () => {
      const filter = { projectId: null, action: 'bootstrap.refused' } as const;
      return (await (await operatorAudit(service.database)).list(filter, { limit: 10, offset: 0 })).entries;
    };
    await expect.poll(async () => (await list()).length).toBe(2);
    const entries = await list();
    expect(entries.map(({ clientAddress }) => clientAddress).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(entries[0]).toMatchObject({
      actor: { type: 'unknown' },
      target: { type: 'server' },
      details: { reason: 'wrong_token' },
    });
    expect(JSON.stringify(entries)).not.toContain('canary');
  });

  it('a webhook that the server switches off is in the audit log, with the server as its actor', async () => {
    const service = await startService(openDatabase, { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const { createServer } = await import('node:http');
    const receiver = createServer((request, response) =>
      request.resume().on('end', () => response.writeHead(410).end()),
    );
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as import('node:net').AddressInfo;
    const { apiKey: key } = await service.bootstrap();
    const body = { url: `http://127.0.0.1:${port}/`, events: ['file.uploaded'] };
    const { id } = (await service.send(key, 'POST', '/machine/webhooks', body)).body;
    await service.request('POST', '/machine/files', { key, ...multipart('x') });
    await expect
      .poll(() => read(service, key, '?action=webhook.deactivated'))
      .toMatchObject([{ actor: { type: 'server' }, target: { id }, details: { reason: 'gone' } }]);
    await new Promise((resolve) => receiver.close(resolve));
  });
});
