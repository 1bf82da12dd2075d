import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService, untilServed } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';

const { full } = readTestData<{
  full: Record<
    string,
    Record<string, Record<string, (boolean | null | number)[] | string> | string> | string
  >;
}>(import.meta);

async function create(service: TestService, key: string, body: unknown = full) {
  const answer = await service.send(key, 'POST', '/machine/snapshots', body);
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

describeEachDatabase((openDatabase) => {
  describe('snapshots', () => {
    it('are returned as they were sent, variables decrypted, timestamps with milliseconds', {
      tags: 'both-databases',
    }, async () => {
      const { service, key } = await startProject(openDatabase);
      const created = await service.send(key, 'POST', '/machine/snapshots', full);
      expect(created.status).toBe(201);
      expect(Object.keys(created.body).sort()).toEqual(['createdAt', 'id', 'machineName']);
      const answer = await service.send(key, 'GET', `/machine/snapshots/${created.body.id.toUpperCase()}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ id: created.body.id, createdAt: created.body.createdAt, ...full });
      expect(answer.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('fill in what was left out: null for text, an empty object for maps', async () => {
      const { service, key } = await startProject(openDatabase);
      const id = await create(service, key, { machineName: 'm', unknown: 'ignored' });
      const { body } = await service.send(key, 'GET', `/machine/snapshots/${id}`);
      expect(body).toEqual({
        id,
        machineName: 'm',
        os: null,
        arch: null,
        runtimeVersions: {},
        dependencies: {},
        envVars: {},
        metadata: {},
        createdAt: expect.any(String),
      });
    });

    it('keep keys such as __proto__ as data', async () => {
      const { service, key } = await startProject(openDatabase);
      const body =
        '{"machineName":"m","runtimeVersions":{"__proto__":"1"},"dependencies":{"__proto__":{"constructor":"2"}},' +
        '"envVars":{"__proto__":"3"},"metadata":{"__proto__":{"polluted":true}}}';
      const id = await create(service, key, body);
      const response = await fetch(`${service.url}/machine/snapshots/${id}`, {
        headers: { 'x-api-key': key },
      });
      const text = await response.text();
      for (const part of [
        '"runtimeVersions":{"__proto__":"1"}',
        '"dependencies":{"__proto__":{"constructor":"2"}}',
        '"envVars":{"__proto__":"3"}',
        '"metadata":{"__proto__":{"polluted":true}}',
      ])
        expect(text).toContain(part);
      const compared = await service.send(key, 'POST', '/machine/snapshots/compare', {
        snapshotA: id,
        snapshotB: id,
      });
      expect(compared.body.diff.envVars).toEqual([{ key: '__proto__', status: 'same' }]);
    });

    it('are listed newest first, in pages, without variables and dependencies', async () => {
      const { service, key } = await startProject(openDatabase);
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1)
        ids.unshift(await create(service, key, { machineName: `m${index % 2}`, os: 'linux' }));
      const { body } = await service.send(key, 'GET', '/machine/snapshots?limit=2&offset=1');
      expect(body).toMatchObject({ total: 5, limit: 2, offset: 1 });
      expect(body.snapshots.map((item: { id: string }) => item.id)).toEqual(ids.slice(1, 3));
      expect(Object.keys(body.snapshots[0]).sort()).toEqual(
        words`arch createdAt id machineName metadata os runtimeVersions`,
      );
      const filtered = await service.send(key, 'GET', '/machine/snapshots?machineName=m1&limit=1000');
      expect(filtered.body).toMatchObject({ total: 2, limit: 100 });
      const none = await service.send(key, 'GET', '/machine/snapshots?to=2020-01-01');
      expect(none.body.snapshots).toEqual([]);
    });

    it('compare by names of variables, by their values without showing them, or with them', async () => {
      const { service, key } = await startProject(openDatabase);
      const snapshotA = await create(service, key);
      const snapshotB = await create(service, key, {
        ...full,
        arch: 'arm64',
        envVars: { TOKEN: 'another-canary', NEW: 'x', EMPTY: '' },
      });
      const compare = async (options: object) =>
        (await service.send(key, 'POST', '/machine/snapshots/compare', { snapshotA, snapshotB, ...options }))
          .body;
      const byName = await compare({});
      expect(byName.diff.arch).toEqual({ a: 'x64', b: 'arm64', match: false });
      expect(byName.diff.envVars).toEqual([
        { key: 'EMPTY', status: 'same' },
        { key: 'NEW', status: 'added' },
        { key: 'TOKEN', status: 'same' },
        { key: 'WITH "QUOTES"', status: 'removed' },
      ]);
      const byStatus = await compare({ compareEnvValues: true });
      expect(byStatus.diff.envVars).toContainEqual({ key: 'TOKEN', status: 'changed' });
      expect(JSON.stringify(byStatus)).not.toContain('canary');
      const byValue = await compare({ includeEnvValues: true });
      expect(byValue.diff.envVars).toContainEqual({
        key: 'TOKEN',
        status: 'changed',
        a: 'canary-secret-value',
        b: 'another-canary',
      });
      expect(byValue.diff.envVars).toContainEqual({ key: 'NEW', status: 'added', a: null, b: 'x' });
      expect(byValue.summary.envVars).toEqual({ same: 1, changed: 1, added: 1, removed: 1 });
    });

    it('of another project or unknown are not found, and compare says which', async () => {
      const { service, key } = await startProject(openDatabase);
      const { apiKey: strangerKey } = await service.bootstrap();
      const id = await create(service, key);
      const others = await create(service, strangerKey);
      for (const method of ['GET', 'DELETE']) {
        const answer = await service.send(key, method, `/machine/snapshots/${others}`);
        expect(answer).toMatchObject({ status: 404, body: { error: 'Snapshot not found' } });
      }
      const answer = await service.send(key, 'POST', '/machine/snapshots/compare', {
        snapshotA: id,
        snapshotB: others,
      });
      expect(answer).toMatchObject({
        status: 404,
        body: { error: 'Snapshot not found', code: 'snapshot_not_found' },
      });
      expect(answer.body.details).toEqual([expect.objectContaining({ path: 'snapshotB' })]);
    });

    it('are exactly as many as the quota allows under a hundred parallel creations', {
      tags: 'both-databases',
    }, async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_MAX_SNAPSHOTS: '50' });
      const create = () => service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      const answers = await Promise.all(Array.from({ length: 100 }, () => untilServed(create)));
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(50);
      const refused = answers.filter((answer) => answer.status === 403);
      expect(refused).toHaveLength(50);
      expect(refused[0]?.body).toMatchObject({
        error: 'Snapshot quota exceeded (max 50)',
        code: 'snapshot_quota_exceeded',
      });
      const list = await service.send(key, 'GET', '/machine/snapshots');
      expect(list.body.total).toBe(50);
      const usage = await service.send(key, 'GET', '/machine/usage');
      expect(usage.body.resources.snapshots).toBe(50);
      await service.send(key, 'DELETE', `/machine/snapshots/${list.body.snapshots[0].id}`);
      expect((await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' })).status).toBe(201);
    });

    it('have an entity tag, and return 304 to a caller that has it', async () => {
      const { service, key } = await startProject(openDatabase);
      const path = `/machine/snapshots/${await create(service, key)}`;
      const etag = (await service.send(key, 'GET', path)).headers.get('etag') as string;
      const again = await service.request('GET', path, {
        key,
        headers: { 'if-none-match': `"other", W/${etag}` },
      });
      expect(again).toMatchObject({ status: 304, body: '' });
      await service.send(key, 'DELETE', path);
      expect((await service.request('GET', path, { key, headers: { 'if-none-match': etag } })).status).toBe(
        404,
      );
    });

    it('never show a value of a variable or a key in the log', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_LOG_LEVEL: 'trace' });
      await create(service, key);
      await service.send(key, 'POST', '/machine/snapshots', '{"machineName":"m","envVars":{"A":"canary');
      expect(service.log()).toContain('/machine/snapshots');
      expect(service.log()).not.toContain('canary');
      expect(service.log()).not.toContain(key);
    });
  });
});
