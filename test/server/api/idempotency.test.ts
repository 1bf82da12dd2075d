import { gzipSync } from 'node:zlib';
import { type Operation, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { pruneSpentAnswers } from '../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { openRaw } from '../../support/raw-http.ts';
import { startProject, startServiceOn, type TestService } from '../../support/service.ts';
import { multipart } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;

interface AnswerRow {
  status_code: number;
  response: Buffer;
  response_encrypted: boolean;
  created_at: number;
  expires_at: number;
  project_id: string | null;
}

async function storedAnswers(database: Database): Promise<AnswerRow[]> {
  return database.all<AnswerRow>(
    database.dialect.builder('idempotency_keys').select('*').orderBy('created_at'),
  );
}

/** Makes every stored response older. */
async function age(database: Database, ms: number): Promise<void> {
  const { builder } = database.dialect;
  await database.run(builder('idempotency_keys').update({ expires_at: builder.raw('expires_at - ?', [ms]) }));
}

/** One call with its raw text, so that replays can be compared byte by byte. */
async function call(
  service: TestService,
  path: string,
  options: { key?: string; idempotencyKey?: string; body?: unknown; headers?: Record<string, string> },
) {
  const { key, idempotencyKey, body, headers } = options;
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body ?? {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    text,
    body: JSON.parse(text),
  };
}

describeEachDatabase((openDatabase) => {
  describe('Idempotency-Key', () => {
    it('replays the first response of every creation byte for byte, with one effect', async () => {
      const { service, key, projectId } = await startProject(openDatabase);
      const form = multipart('bytes');
      const creations: [string, { body?: unknown; headers?: Record<string, string> }, string][] = [
        ['/machine/keys/bootstrap', { body: { projectName: 'p' } }, 'projects'],
        ['/machine/projects', { body: { name: 'p' } }, 'projects'],
        ['/machine/keys', { body: { label: 'k' } }, 'api_keys'],
        ['/machine/keys', {}, 'api_keys'],
        [`/machine/team/${projectId}/members`, { body: { label: 'm' } }, 'memberships'],
        ['/machine/snapshots', { body: { machineName: 'm', envVars: { A: '1' } } }, 'snapshots'],
        ['/machine/webhooks', { body: { url: 'https://e.com/', events: ['file.deleted'] } }, 'webhooks'],
        ['/machine/files', form, 'files'],
      ];
      const { builder } = service.database.dialect;
      const count = async (table: string) =>
        Number((await service.database.get<{ n: number }>(builder(table).count({ n: '*' })))?.n);
      for (const [index, [path, options, table]] of creations.entries()) {
        const idempotencyKey = `creation ${index} of a project that is hard to guess`;
        const before = await count(table);
        const first = await call(service, path, { key, idempotencyKey, ...options });
        expect([path, first.status, first.replayed]).toEqual([path, 201, null]);
        for (let retry = 0; retry < 3; retry += 1) {
          const again = await call(service, path, { key, idempotencyKey, ...options });
          expect([path, again.status, again.replayed, again.text]).toEqual([path, 201, 'true', first.text]);
        }
        expect([path, await count(table)]).toEqual([path, before + 1]);
        const without = await call(service, path, { key, ...options });
        expect([without.status, without.replayed, without.text === first.text], path).toEqual([
          201,
          null,
          false,
        ]);
      }
    });

    it('compares the meaning of bodies: whitespace, the order of members and escapes make no difference', async () => {
      const { service, key } = await startProject(openDatabase);
      const send = (text: string) =>
        call(service, '/machine/snapshots', { key, idempotencyKey: 'k', body: Buffer.from(text) });
      const first = await send(
        '{"machineName":"m","metadata":{"a":1,"b":[1,2]},"envVars":{"__proto__":"x"}}',
      );
      expect(first.status).toBe(201);
      const again = await send(
        '{ "envVars": {"__proto__": "x"},\n "metadata": {"b": [1, 2], "a": 1.0}, "machineName": "\\u006d" }',
      );
      expect([again.status, again.replayed, again.text]).toEqual([201, 'true', first.text]);
      // The order of a list means something, and so does a key called __proto__.
      for (const other of [
        '{"machineName":"m","metadata":{"a":1,"b":[2,1]},"envVars":{"__proto__":"x"}}',
        '{"machineName":"m","metadata":{"a":1,"b":[1,2]},"envVars":{"__proto__":"y"}}',
      ])
        expect((await send(other)).status).toBe(422);
    });

    it('with another body is 422, with the same body in another encoding the same request', async () => {
      const { service, key } = await startProject(openDatabase);
      const body = { machineName: 'm' };
      const first = await call(service, '/machine/snapshots', { key, idempotencyKey: 'k', body });
      const other = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'k',
        body: { machineName: 'n' },
      });
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
      const packed = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'k',
        body: gzipSync(JSON.stringify(body)),
        headers: { 'content-encoding': 'gzip' },
      });
      expect([packed.replayed, packed.text]).toEqual(['true', first.text]);
      const { body: list } = await service.send(key, 'GET', '/machine/snapshots');
      expect(list.total).toBe(1);
      const upload = (content: string, filename?: string) =>
        call(service, '/machine/files', { key, idempotencyKey: 'f', ...multipart(content, filename) });
      expect((await upload('one')).status).toBe(201);
      expect((await upload('two')).status).toBe(422);
      expect((await upload('one', 'other.txt')).status).toBe(422);
      expect((await upload('one')).replayed).toBe('true');
      const { body: files } = await service.send(key, 'GET', '/machine/files');
      expect(files.total).toBe(1);
    });

    it('sent at the same moment has one effect: the others get 409 or the same response', {
      tags: 'both-databases',
    }, async () => {
      const { service, key } = await startProject(openDatabase);
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            call(service, '/machine/snapshots', {
              key,
              idempotencyKey: `round ${round}`,
              body: { machineName: 'm' },
            }),
          ),
        );
        const created = answers.filter(({ status }) => status === 201);
        expect(created.length).toBeGreaterThan(0);
        expect(new Set(created.map(({ text }) => text)).size).toBe(1);
        for (const { status, body } of answers.filter((answer) => answer.status !== 201))
          expect([status, body.code, body.retryAfter]).toEqual([409, 'idempotency_key_in_use', 1]);
      }
      const { body } = await service.send(key, 'GET', '/machine/snapshots');
      expect(body.total).toBe(5);
    });

    it('has one effect on two replicas too', { tags: 'both-databases' }, async () => {
      const masterKey = '44'.repeat(32);
      const target =
        openDatabase.databaseName === 'postgresql' ? await openDatabase.target('migrated') : undefined;
      const first = target ? await openDatabase.again(target) : await openDatabase();
      const replicas = [
        await startServiceOn(first, {}, masterKey),
        await startServiceOn(target ? await openDatabase.again(target) : first, {}, masterKey),
      ];
      const { apiKey: key } = await (replicas[0] as TestService).bootstrap();
      const texts = new Set<string>();
      for (let round = 0; round < 10; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, index) =>
            call(replicas[index % 2] as TestService, '/machine/keys', {
              key,
              idempotencyKey: `r${round}`,
              body: {},
            }),
          ),
        );
        for (const { status, text } of answers) {
          expect([201, 409]).toContain(status);
          if (status === 201) texts.add(text);
        }
      }
      expect(texts.size).toBe(10);
      const { body } = await (replicas[1] as TestService).send(key, 'GET', '/machine/keys');
      expect(body.keys).toHaveLength(11);
    });

    it('belongs to one key and one operation', async () => {
      const { service, key: owner } = await startProject(openDatabase);
      const { apiKey: admin } = (await service.send(owner, 'POST', '/machine/keys', { role: 'admin' })).body;
      const other = await service.bootstrap();
      const texts = new Set<string>();
      for (const key of [owner, admin, other.apiKey]) {
        const answer = await call(service, '/machine/snapshots', {
          key,
          idempotencyKey: 'same',
          body: { machineName: 'm' },
        });
        expect([answer.status, answer.replayed]).toEqual([201, null]);
        texts.add(answer.text);
      }
      expect(texts.size).toBe(3);
      const elsewhere = await call(service, '/machine/keys', {
        key: owner,
        idempotencyKey: 'same',
        body: {},
      });
      expect([elsewhere.status, elsewhere.replayed]).toEqual([201, null]);
    });

    it('keeps responses with a secret encrypted and for 10 minutes, others for 24 hours', async () => {
      const { service, key } = await startProject(openDatabase);
      const secret = await call(service, '/machine/keys', { key, idempotencyKey: 's', body: {} });
      const hook = await call(service, '/machine/webhooks', {
        key,
        idempotencyKey: 'w',
        body: { url: 'https://e.com/', events: ['file.deleted'] },
      });
      const plain = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'p',
        body: { machineName: 'm' },
      });
      const rows = await storedAnswers(service.database);
      expect(
        rows.map((row) => [row.status_code, row.response_encrypted, row.expires_at - row.created_at]),
      ).toEqual([
        [201, true, 10 * minute],
        [201, true, 10 * minute],
        [201, false, 24 * hour],
      ]);
      for (const { response } of rows) {
        expect(response.includes(secret.body.apiKey)).toBe(false);
        expect(response.includes(hook.body.secret)).toBe(false);
      }
      expect((await call(service, '/machine/keys', { key, idempotencyKey: 's', body: {} })).text).toBe(
        secret.text,
      );
      await age(service.database, 10 * minute);
      expect(await pruneSpentAnswers(service.database, Date.now())).toBe(2);
      expect(await storedAnswers(service.database)).toHaveLength(1);
      const later = await call(service, '/machine/keys', { key, idempotencyKey: 's', body: {} });
      expect([later.status, later.replayed, later.body.apiKey === secret.body.apiKey]).toEqual([
        201,
        null,
        false,
      ]);
      const again = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'p',
        body: { machineName: 'm' },
      });
      expect([again.replayed, again.text]).toEqual(['true', plain.text]);
      await age(service.database, 24 * hour);
      // A response that is too old, but not yet removed, is ignored.
      const renewed = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'p',
        body: { machineName: 'n' },
      });
      expect([renewed.status, renewed.replayed]).toEqual([201, null]);
    });

    it('never shows again a secret that is no longer valid: 404, for every operation that shows one', async () => {
      const { service, key, projectId } = await startProject(openDatabase);
      const { id: snapshotId } = (await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' }))
        .body;
      const bodies = {
        bootstrap: { projectName: 'b' },
        createProject: { name: 'b' },
        createKey: { role: 'admin' },
        inviteMember: {},
        createShare: { kind: 'snapshot', snapshotId },
        createConsoleLink: {},
        createWebhook: { url: 'https://e.com/', events: ['file.deleted'] },
        rotateFingerprintKey: {},
      };
      const showing = Object.values<Operation>(operations).filter(
        ({ idempotency }) => idempotency === 'secret',
      );
      expect(Object.keys(bodies).sort()).toEqual(showing.map(({ name }) => name).sort());
      const pathOf = (name: keyof typeof bodies) => operations[name].path.replace(':projectId', projectId);
      const { builder } = service.database.dialect;
      const expire = (table: string, id = {}) =>
        service.database.run(builder(table).where(id).update({ expires_at: Date.now() }));
      const remove = (path: string, by = key) => service.send(by, 'DELETE', path);
      const removeProject = ({ projectId: id, apiKey }: Shown) => remove(`/machine/projects/${id}`, apiKey);
      const expireKey = ({ apiKeyId: id }: Shown) => expire('api_keys', { id });
      type Shown = Record<string, string>;
      const ends: readonly [keyof typeof bodies, code: string, (shown: Shown) => Promise<unknown>][] = [
        ['bootstrap', 'project_not_found', removeProject],
        ['bootstrap', 'api_key_not_found', expireKey],
        ['createProject', 'project_not_found', removeProject],
        ['createKey', 'api_key_not_found', ({ apiKeyId }) => remove(`/machine/keys/${apiKeyId}`)],
        ['createKey', 'api_key_not_found', expireKey],
        [
          'inviteMember',
          'api_key_not_found',
          (shown) => remove(`${pathOf('inviteMember')}/${shown.memberId}`),
        ],
        ['createShare', 'share_not_found', ({ id }) => remove(`/machine/shares/${id}`)],
        ['createShare', 'share_not_found', () => expire('shares')],
        [
          'createConsoleLink',
          'console_link_not_found',
          ({ url }) => fetch(url as string, { redirect: 'manual' }),
        ],
        ['createConsoleLink', 'console_link_not_found', () => expire('console_links')],
        ['createWebhook', 'webhook_not_found', ({ id }) => remove(`/machine/webhooks/${id}`)],
        [
          'rotateFingerprintKey',
          'fingerprint_key_not_found',
          () => service.send(key, 'POST', pathOf('rotateFingerprintKey')),
        ],
      ];
      expect(new Set(ends.map(([name]) => name)).size).toBe(showing.length);
      for (const [place, [name, code, end]] of ends.entries()) {
        const idempotencyKey = `the secret number ${place} that is hard to guess`;
        const ask = () => call(service, pathOf(name), { key, idempotencyKey, body: bodies[name] });
        const { text, body: shown } = await ask();
        expect([name, (await ask()).text]).toEqual([name, text]);
        await end(shown);
        const { status, body } = await ask();
        expect([name, status, body.code, Object.keys(body)]).toEqual([
          name,
          404,
          code,
          ['error', 'code', 'requestId'],
        ]);
      }
    });

    it('replays refusals by a quota, but neither 422, 401, 403 for a role nor 400 for a wrong body', async () => {
      const { service, key } = await startProject(openDatabase, {
        ENVSNAP_MAX_SNAPSHOTS: '1',
        ENVSNAP_MAX_WEBHOOKS: '1',
      });
      const { apiKey: viewer } = (await service.send(key, 'POST', '/machine/keys', { role: 'viewer' })).body;
      const create = (idempotencyKey: string, body: unknown = { machineName: 'm' }, caller = key) =>
        call(service, '/machine/snapshots', { key: caller, idempotencyKey, body });
      const first = await create('one');
      const refused = await create('two');
      expect([refused.status, refused.body.error]).toEqual([403, 'Snapshot quota exceeded (max 1)']);
      await service.send(key, 'DELETE', `/machine/snapshots/${first.body.id}`);
      const replayed = await create('two');
      expect([replayed.status, replayed.replayed, replayed.text]).toEqual([403, 'true', refused.text]);
      const hook = { url: 'https://e.com/', events: ['file.deleted'] };
      await service.send(key, 'POST', '/machine/webhooks', hook);
      // An operation that shows a secret has not shown one then.
      const subscribe = () => call(service, '/machine/webhooks', { key, idempotencyKey: 'w', body: hook });
      expect([(await subscribe()).status, (await subscribe()).replayed]).toEqual([403, 'true']);
      expect((await create('three', {})).status).toBe(400);
      const corrected = await create('three');
      expect([corrected.status, corrected.replayed]).toEqual([201, null]);
      expect((await create('four', undefined, viewer)).status).toBe(403);
      expect((await create('four', undefined, viewer)).replayed).toBeNull();
    });

    it('stores no 5xx response: the retry is performed', async () => {
      const { service, key } = await startProject(openDatabase);
      const { builder } = service.database.dialect;
      await service.database.run(builder.raw('alter table snapshots rename to snapshots_away'));
      const create = () =>
        call(service, '/machine/snapshots', { key, idempotencyKey: 'k', body: { machineName: 'm' } });
      const failed = await create();
      expect([failed.status, failed.body.code, failed.body.error]).toEqual([
        500,
        'internal_error',
        'Internal server error',
      ]);
      await service.database.run(builder.raw('alter table snapshots_away rename to snapshots'));
      const retried = await create();
      expect([retried.status, retried.replayed]).toEqual([201, null]);
      expect((await service.send(key, 'GET', '/machine/usage')).body.resources.snapshots).toBe(1);
    });

    it('gives the retry the response that was lost', async () => {
      const { service, key } = await startProject(openDatabase);
      const body = JSON.stringify({ machineName: 'm' });
      const connection = await openRaw(service.url);
      connection.send(
        `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nIdempotency-Key: lost\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      // Cut as soon as the effect exists, whether or not the response has arrived.
      for (;;) {
        const { body: list } = await service.send(key, 'GET', '/machine/snapshots');
        if (list.total === 1) break;
      }
      connection.end();
      let retried = await call(service, '/machine/snapshots', {
        key,
        idempotencyKey: 'lost',
        body: JSON.parse(body),
      });
      while (retried.status === 409)
        retried = await call(service, '/machine/snapshots', {
          key,
          idempotencyKey: 'lost',
          body: JSON.parse(body),
        });
      expect([retried.status, retried.replayed]).toEqual([201, 'true']);
      const { body: list } = await service.send(key, 'GET', '/machine/snapshots');
      expect(list.snapshots.map((snapshot: { id: string }) => snapshot.id)).toEqual([retried.body.id]);
    });

    it('must have 1 to 255 characters, and may hold anything that a header can', async () => {
      const { service, key } = await startProject(openDatabase);
      const create = (idempotencyKey: string) =>
        call(service, '/machine/snapshots', { key, idempotencyKey, body: { machineName: 'm' } });
      for (const bad of ['', 'x'.repeat(256)]) {
        const answer = await create(bad);
        expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
      }
      for (const good of ['x', 'x'.repeat(255), '"quoted"', "'; drop table", 'é', '__proto__'])
        expect([(await create(good)).status, (await create(good)).replayed], good).toEqual([201, 'true']);
    });

    it('has no effect on operations that create nothing', async () => {
      const { service, key } = await startProject(openDatabase);
      const { body } = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      const compare = () =>
        call(service, '/machine/snapshots/compare', {
          key,
          idempotencyKey: 'k',
          body: { snapshotA: body.id, snapshotB: body.id },
        });
      expect([(await compare()).status, (await compare()).replayed]).toEqual([200, null]);
      expect(await storedAnswers(service.database)).toEqual([]);
    });
  });
});
