import { gzipSync } from 'node:zlib';
import { operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase, describeOnSqlite, type OpenDatabase } from '../../support/databases.ts';
import { type ApiAnswer, startProject } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';

const { edges, types, pages, allowed } = readTestData<{
  edges: Record<string, [field: string, good: object, bad: object][]>;
  types: [call: string, field: string, values: string, rest: object][];
  pages: [string, number, number][];
  allowed: Record<string, string>;
}>(import.meta);

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const kibibyte = 1024;

async function stage(openDatabase: OpenDatabase, env: Record<string, string> = {}) {
  const { service, key, projectId } = await startProject(openDatabase, env);
  const send = (method: string, path: string, body?: unknown) => service.send(key, method, path, body);
  return { service, key, projectId, send };
}

function text(length: number): string {
  return 'x'.repeat(length);
}

/** Every error has this shape, and 400s of validation say which field is wrong. */
function expectInvalid(answer: ApiAnswer, path: string): void {
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  expect(answer.body).toEqual({
    error: expect.stringMatching(/^Invalid (body|query|path): /),
    code: 'validation_failed',
    requestId: answer.headers.get('x-request-id'),
    details: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
  });
  expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
}

describeEachDatabase((openDatabase) => {
  it('an empty machine name, which an unset variable produces, counts as none', async () => {
    const { send } = await stage(openDatabase);
    await send('POST', '/machine/snapshots', { machineName: 'm' });
    for (const path of ['/machine/snapshots?', '/machine/history?key=os&'])
      expectInvalid(await send('GET', `${path}machineName=`), 'machineName');
    expectInvalid(await send('POST', '/machine/diagnosis', { machineName: '' }), 'machineName');
    expect((await send('GET', '/machine/snapshots?machineName=m')).body.total).toBe(1);
  });

  describe('limits of fields', () => {
    it('hold at their exact edges', async () => {
      const { send, projectId } = await stage(openDatabase, { ENVSNAP_MAX_BODY_BYTES: '30000000' });
      const packages = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '1']));
      const files = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { p: '1' }]));
      const ofSnapshots = (field: string, good: object, bad: object) =>
        [field, { machineName: 'm', [field]: good }, { machineName: 'm', [field]: bad }] as const;
      const large = [
        ofSnapshots('dependencies', files(1000), files(1001)),
        ofSnapshots(
          'dependencies',
          { a: packages(50_000), b: packages(50_000) },
          { a: packages(50_000), b: packages(50_001) },
        ),
      ];
      const filled = JSON.parse(
        JSON.stringify(edges)
          .replaceAll(/<(.)×(\d+)>/g, (_, letter: string, count: string) => letter.repeat(Number(count)))
          .replaceAll('PROJECT', projectId),
      ) as typeof edges;
      for (const [call, ofCall] of [...Object.entries(filled), ['POST /machine/snapshots', large] as const]) {
        const [method, path] = call.split(' ') as [string, string];
        for (const [field, good, bad] of ofCall) {
          const accepted = await send(method, path, good);
          const status = method === 'PATCH' ? 200 : 201;
          expect([accepted.status, accepted.body.error], field).toEqual([status, undefined]);
          expectInvalid(await send(method, path, bad), field);
        }
      }
    });

    it('give back every byte of the largest values', { tags: 'both-databases' }, async () => {
      const { send } = await stage(openDatabase);
      const content = {
        machineName: text(255),
        os: text(64),
        arch: text(64),
        runtimeVersions: { node: '24.1.0' },
        dependencies: { 'package-lock.json': { [text(1024)]: text(5000) } },
        envVars: { [text(1024)]: '\u{1f600}'.repeat(32 * kibibyte) },
        metadata: { list: Array.from({ length: 20_000 }, (_, index) => index) },
      };
      const { body } = await send('POST', '/machine/snapshots', content);
      const answer = await send('GET', `/machine/snapshots/${body.id}`);
      expect(answer.body).toEqual({ ...content, id: body.id, createdAt: body.createdAt });
    });

    it('of the body count after decompression, at the exact byte', async () => {
      const { service, key } = await stage(openDatabase, { ENVSNAP_MAX_BODY_BYTES: '1000' });
      const json = (bytes: number) => `{"machineName":"m","x":"${text(bytes - 26)}"}`;
      const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
        service.request('POST', '/machine/snapshots', { key, body, headers });
      expect(json(1000)).toHaveLength(1000);
      expect((await post(json(1000))).status).toBe(201);
      const refused = await post(json(1001));
      expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
      const packed = { 'content-encoding': 'gzip' };
      expect((await post(gzipSync(json(1000)), packed)).status).toBe(201);
      expect((await post(gzipSync(json(1001)), packed)).status).toBe(413);
    });
  });
});

describeOnSqlite((openDatabase) => {
  describe('types', () => {
    it('are checked and never coerced', async () => {
      const { send, projectId } = await stage(openDatabase);
      const { body: hook } = await send('POST', '/machine/webhooks', {
        url: 'https://e.com/',
        events: ['file.deleted'],
      });
      const text = [1, 0, true, false, null, [], ['x'], {}, { length: 1 }];
      const wrong: Record<string, unknown[]> = {
        text: [...text, undefined],
        'optional text': text.filter((value) => value !== null),
        object: [1, 'x', true, [], ['a']],
        events: [1, 'file.deleted', {}, null, undefined],
        flag: ['true', 1, 0, null, []],
      };
      for (const [call, field, kind, rest] of types)
        for (const value of wrong[kind] ?? []) {
          const [method, path] = call.replace('PROJECT', projectId).replace('HOOK', hook.id).split(' ');
          const answer = await send(method as string, path as string, { ...rest, [field]: value });
          expect([field, value, answer.status]).toEqual([field, value, 400]);
          expectInvalid(answer, field);
        }
      for (const value of [1, null, true, [], {}])
        for (const [field, part] of [
          ['envVars.A', { envVars: { A: value } }],
          ['runtimeVersions.node', { runtimeVersions: { node: value } }],
          ['dependencies.f.p', { dependencies: { f: { p: value } } }],
        ] as const)
          expectInvalid(await send('POST', '/machine/snapshots', { machineName: 'm', ...part }), field);
      for (const value of ['true', 1, null]) {
        const { body: one } = await send('POST', '/machine/snapshots', { machineName: 'm' });
        const compared = { snapshotA: one.id, snapshotB: one.id, includeEnvValues: value };
        expectInvalid(await send('POST', '/machine/snapshots/compare', compared), 'includeEnvValues');
      }
    });

    it('of events are the six documented ones; duplicates collapse', async () => {
      const { send } = await stage(openDatabase);
      const create = (events: unknown) =>
        send('POST', '/machine/webhooks', { url: 'https://example.com/', events });
      const created = await create(['file.deleted', 'snapshot.created', 'file.deleted']);
      expect([created.status, created.body.events]).toEqual([201, ['file.deleted', 'snapshot.created']]);
      const all = words`
        snapshot.created snapshot.deleted file.uploaded file.deleted member.invited
        member.removed`;
      expect((await create(all)).body.events).toEqual(all);
      for (const events of [
        ['*'],
        ['webhook.test'],
        ['snapshot.updated'],
        ['SNAPSHOT.CREATED'],
        ['file.deleted', ''],
        [null],
      ])
        expect([events, (await create(events)).status]).toEqual([events, 400]);
    });

    it('of webhook addresses are http and https without credentials', async () => {
      const { send } = await stage(openDatabase);
      const create = async (url: string) =>
        (await send('POST', '/machine/webhooks', { url, events: ['file.deleted'] })).status;
      for (const url of [
        'http://example.com',
        'https://example.com:8443/a?b=c',
        'HTTPS://EXAMPLE.COM/',
        'http://[2001:db8::1]/',
      ])
        expect([url, await create(url)]).toEqual([url, 201]);
      const refused = words`
        ftp://example.com/ javascript:alert(1) file:///etc/passwd example.com //example.com/ /path http://
        http://user@example.com/ http://user:pass@example.com/ http://:pass@example.com/ http://example.com:99999/`;
      for (const url of ['http://exa mple.com/', ...refused])
        expect([url, await create(url)]).toEqual([url, 400]);
    });
  });

  describe('bodies', () => {
    it('may leave out what is optional, hold null where null means none, and fields that nobody knows', async () => {
      const { send, projectId } = await stage(openDatabase);
      const key = await send('POST', '/machine/keys');
      expect(key.body).toMatchObject({ role: 'member', label: null });
      expect((await send('POST', '/machine/keys', {})).body).toMatchObject({ role: 'member', label: null });
      expect((await send('POST', '/machine/keys', { label: null })).body).toMatchObject({ label: null });
      const invited = await send('POST', `/machine/team/${projectId}/members`, {
        unknown: { x: 1 },
        id: 'mine',
      });
      expect(invited).toMatchObject({ status: 201, body: { role: 'member', label: null } });
      expect(invited.body.memberId).toMatch(uuidPattern);
      const project = await send('POST', '/machine/projects', {
        name: ' padded ',
        description: null,
        role: 'viewer',
      });
      expect(project).toMatchObject({ status: 201, body: { name: 'padded' } });
      const snapshot = await send('POST', '/machine/snapshots', {
        machineName: 'm',
        os: null,
        arch: null,
        id: '01936000-0000-7000-8000-000000000000',
        createdAt: '2020-01-01T00:00:00.000Z',
        project_id: 'other',
      });
      expect(snapshot.status).toBe(201);
      expect(snapshot.body.id).not.toBe('01936000-0000-7000-8000-000000000000');
      expect(snapshot.body.createdAt > '2025').toBe(true);
      const shown = await send('GET', `/machine/snapshots/${snapshot.body.id}`);
      expect(Object.keys(shown.body).sort()).toEqual(
        words`arch createdAt dependencies envVars id machineName metadata os runtimeVersions`.sort(),
      );
    });

    it('hold null for absent text', async () => {
      const { send, projectId } = await stage(openDatabase);
      const { body: snapshot } = await send('POST', '/machine/snapshots', { machineName: 'm' });
      const hook = { url: 'https://e.com/', events: ['file.deleted'] };
      const { body: created } = await send('POST', '/machine/webhooks', { ...hook, secret: null });
      expect(created.secret).toMatch(/^whsec_/);
      const share = { kind: 'snapshot', snapshotId: snapshot.id, a: null, b: null };
      for (const [method, path, body, shown] of [
        ['POST', '/machine/keys', { label: null, expiresAt: null }, { role: 'member' }],
        ['PATCH', `/machine/projects/${projectId}`, { name: null, description: 'd' }, {}],
        ['PATCH', `/machine/webhooks/${created.id}`, { url: null, active: false }, { url: hook.url }],
        ['POST', '/machine/diagnosis', { outcomeOf: null, machineName: null, test: null }, {}],
        ['POST', '/machine/console-links', { page: null }, {}],
        ['POST', '/machine/shares', share, {}],
      ] as const) {
        const answer = await send(method, path, body);
        expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
        expect(answer.body).toMatchObject(shown);
      }
      const { name, description } = (await send('GET', `/machine/projects/${projectId}`)).body;
      expect([typeof name, description]).toEqual(['string', 'd']);
    });

    it('of changes must change something', async () => {
      const { send, projectId } = await stage(openDatabase);
      const { body: hook } = await send('POST', '/machine/webhooks', {
        url: 'https://e.com/',
        events: ['file.deleted'],
      });
      for (const body of [undefined, {}, { unknown: 1 }, { id: projectId }])
        for (const path of [`/machine/projects/${projectId}`, `/machine/webhooks/${hook.id}`]) {
          const answer = await send('PATCH', path, body);
          expect([answer.status, answer.body.code], `${path} ${body}`).toEqual([400, 'validation_failed']);
        }
      const cleared = await send('PATCH', `/machine/projects/${projectId}`, { description: null });
      expect(cleared).toMatchObject({ status: 200, body: { success: true } });
      expect((await send('PATCH', `/machine/projects/${projectId}`, { name: null })).status).toBe(400);
    });

    it('that are missing are reported as missing fields', async () => {
      const { send } = await stage(openDatabase);
      for (const [path, field] of [
        ['/machine/keys/bootstrap', 'projectName'],
        ['/machine/projects', 'name'],
        ['/machine/snapshots', 'machineName'],
        ['/machine/snapshots/compare', 'snapshotA'],
        ['/machine/webhooks', 'url'],
      ] as const) {
        expectInvalid(await send('POST', path), field);
        expectInvalid(await send('POST', path, {}), field);
        expectInvalid(await send('POST', path, { [field]: undefined, x: 1 }), field);
      }
      const both = await send('POST', '/machine/snapshots/compare', {});
      expect(both.body.details.map((detail: { path: string }) => detail.path)).toEqual([
        'snapshotA',
        'snapshotB',
      ]);
    });

    it('report at most ten problems, however many there are', async () => {
      const { send } = await stage(openDatabase);
      const envVars = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`V${index}`, index]));
      const answer = await send('POST', '/machine/snapshots', { machineName: 1, envVars });
      expect(answer.status).toBe(400);
      expect(answer.body.details.length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(answer.body).length).toBeLessThan(3000);
    });
  });

  describe('queries', () => {
    it('are parsed strictly: numbers, moments, periods', async () => {
      const { send } = await stage(openDatabase);
      const lists = ['/machine/snapshots', '/machine/files'];
      for (const list of lists) {
        for (const query of words`
          limit=abc limit=0 limit=-1 limit= limit=1.5 limit=1e2 limit=0x10 limit=+5 limit=%205 limit=NaN
          limit=Infinity limit=\u0665 offset=-1 offset=abc offset= offset=1.0 limit=5&offset=x`) {
          const [field = ''] = query.split('&').at(-1)?.split('=') ?? [];
          const answer = await send('GET', `${list}?${query}`);
          expect([query, answer.status]).toEqual([query, 400]);
          expectInvalid(answer, field);
        }
        for (const [query, limit, offset] of pages) {
          const answer = await send('GET', `${list}?${query}`);
          expect([answer.status, answer.body.limit, answer.body.offset], query).toEqual([200, limit, offset]);
        }
      }
      const badMoments = words`
        yesterday 2026 2026-13-01 2026-02-30 2026-02-01T25:00:00Z 2026-02-01T10:00:60Z 2026-02-01T10Z 1770000000
        01/02/2026 2026-02-01T10:00:00+99:00 0000-01-01 9999-12-31T23:59:59-10:00 +012026-01-01`;
      for (const path of ['/machine/snapshots', '/machine/usage/requests']) {
        for (const moment of ['', ...badMoments]) {
          const answer = await send('GET', `${path}?from=${encodeURIComponent(moment)}`);
          expect([path, moment, answer.status]).toEqual([path, moment, 400]);
          expectInvalid(answer, 'from');
        }
        for (const moment of words`
          2026-02-01 2026-02-01T10:00 2026-02-01T10:00:00Z 2026-02-01T10:00:00.123456Z
          2026-02-01T10:00:00+05:30 2026-02-01T10:00:00-0800 2026-02-01t10:00:00z`) {
          expect((await send('GET', `${path}?from=${encodeURIComponent(moment)}`)).status, moment).toBe(200);
          expect([moment, (await send('GET', `${path}?from=${moment}`)).status]).toEqual([moment, 200]);
        }
      }
      for (const period of ['year', 'Day', '', 'minute'])
        expectInvalid(await send('GET', `/machine/usage/requests?period=${period}`), 'period');
      expectInvalid(await send('GET', '/machine/usage/requests?from=2026-02-02&to=2026-02-01'), 'from');
    });
  });

  describe('paths and methods', () => {
    it('that are known with another method are 405 with Allow; unknown ones are 404', async () => {
      const { service, key } = await stage(openDatabase);
      for (const [path, allow] of Object.entries(allowed)) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          if (allow.split(', ').includes(method)) continue;
          for (const caller of [key, undefined]) {
            const answer = await service.send(caller, method, path);
            expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
            expect(answer.body).toMatchObject({
              error: expect.any(String),
              code: 'method_not_allowed',
              requestId: answer.headers.get('x-request-id'),
            });
          }
        }
      }
      for (const path of words`
        / /machine /machine/ /machine/nothing /machine/snapshots/a/b /machine/team
        /machine/team/x /machine/webhooks/x/y /v1/machine/usage /healthz
        /machine/usage/requests/live/more /favicon.ico /.env`)
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await service.send(key, method, path);
          expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([404, 'route_not_found']);
        }
      const paths = new Set(
        Object.values(operations).map((operation) => operation.path.replace(/:\w+/g, '*')),
      );
      const covered = new Set([
        ...Object.keys(allowed),
        '/machine/machines',
        '/machine/history',
        '/machine/diagnosis',
        '/machine/fingerprint-key',
        '/machine/fingerprint-key/rotate',
        '/machine/shares',
        '/machine/shares/x',
        '/machine/console-links',
        '/machine/audit',
      ]);
      for (const path of paths) {
        const pattern = new RegExp(`^${path.replaceAll('*', '[^/]+')}$`);
        expect(
          [...covered].some((one) => pattern.test(one)),
          path,
        ).toBe(true);
      }
    });

    it('accept ids in upper case, and responses hold them in lower case', async () => {
      const { send, projectId } = await stage(openDatabase);
      const { body: one } = await send('POST', '/machine/snapshots', { machineName: 'm' });
      const shown = await send('GET', `/machine/snapshots/${one.id.toUpperCase()}`);
      expect([shown.status, shown.body.id]).toEqual([200, one.id]);
      expect((await send('GET', `/machine/projects/${projectId.toUpperCase()}`)).body.id).toBe(projectId);
      const compared = await send('POST', '/machine/snapshots/compare', {
        snapshotA: one.id.toUpperCase(),
        snapshotB: one.id,
      });
      expect(compared.body).toMatchObject({ snapshotA: one.id, snapshotB: one.id });
      for (const id of [
        `{${one.id}}`,
        one.id.replaceAll('-', ''),
        `${one.id}0`,
        `urn:uuid:${one.id}`,
        '1',
        'null',
      ]) {
        const answer = await send('GET', `/machine/snapshots/${encodeURIComponent(id)}`);
        expect([id, answer.status]).toEqual([id, 400]);
      }
      for (const id of ['x', '', 1, null, {}])
        expectInvalid(
          await send('POST', '/machine/snapshots/compare', { snapshotA: id, snapshotB: one.id }),
          'snapshotA',
        );
    });
  });

  describe('errors', () => {
    it('of every kind are JSON with error, code and request id, and nothing of the inside', async () => {
      const { service, key } = await stage(openDatabase, { ENVSNAP_MAX_BODY_BYTES: '500' });
      const typed = (path: string, type: string) =>
        service.request('POST', path, { key, body: 'x', headers: { 'content-type': type } });
      const answers = [
        await service.request('GET', '/nowhere'),
        await service.request('GET', '/machine/usage'),
        await service.send('x', 'GET', '/machine/usage'),
        await service.send(key, 'PUT', '/machine/usage'),
        await service.send(key, 'POST', '/machine/snapshots', '{'),
        await service.send(key, 'POST', '/machine/snapshots', '{}'),
        await service.send(key, 'POST', '/machine/snapshots', 'x'.repeat(501)),
        await typed('/machine/snapshots', 'text/plain'),
        await service.send(key, 'GET', '/machine/snapshots/01936000-0000-7000-8000-000000000000'),
        await service.send(key, 'GET', '/machine/snapshots/%zz'),
        await typed('/machine/files', 'multipart/form-data'),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([
        404, 401, 401, 405, 400, 400, 413, 415, 404, 400, 400,
      ]);
      for (const answer of answers) {
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.body).toMatchObject({
          error: expect.stringMatching(/./),
          code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
          requestId: answer.headers.get('x-request-id'),
        });
        expect(JSON.stringify(answer.body)).not.toMatch(
          /node_modules|\.ts|select |insert |sqlite|postgres|at .*:\d+:\d+/i,
        );
        expect(answer.headers.get('x-powered-by')).toBeNull();
      }
    });
  });
});
