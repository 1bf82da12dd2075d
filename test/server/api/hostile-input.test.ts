import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppDeps, createApp } from '../../../packages/server/src/app.ts';
import { createByteBudget } from '../../../packages/server/src/infra/http/byte-budget.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { describeEachDatabase, describeOnSqlite, type OpenDatabase } from '../../support/databases.ts';
import { openRaw, type RawAnswer, sendRaw } from '../../support/raw-http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';

const { otherTypes, textFields, withNul, nestings, notJson, refusals, served } = readTestData<{
  otherTypes: string[];
  textFields: [method: string, path: string, body: object][];
  withNul: object[];
  nestings: Record<number, string[]>;
  notJson: string[];
  refusals: Record<string, Record<string, RawRequest>>;
  served: Record<number, Record<string, RawRequest>>;
}>(import.meta);

/** A request as bytes: all of it, or its parts. KEY is the caller's key. */
type RawRequest =
  | string
  | { get?: string; post?: string; start?: string; headers?: readonly string[]; body?: string };

const mebibyte = 1024 * 1024;

interface Stage {
  service: TestService;
  key: string;
}

async function stage(openDatabase: OpenDatabase): Promise<Stage> {
  const service = await startService(openDatabase);
  return { service, key: (await service.bootstrap()).apiKey };
}

function head(key: string, ...lines: string[]): string {
  return ['Host: localhost', `X-API-Key: ${key}`, ...lines, '', ''].join('\r\n');
}

/** Every refusal has the usual shape of errors, and the server keeps serving. */
function expectRefusal(answer: RawAnswer | undefined, status: number, code: string, about?: string): void {
  expect(answer?.body, about).toContain(`"code":"${code}"`);
  const body = JSON.parse(answer?.body ?? '{}');
  expect([answer?.status, body.code]).toEqual([status, code]);
  expect(body.error).toEqual(expect.any(String));
  expect(body.requestId).toBe(answer?.headers['x-request-id']);
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8');
  for (const name of ['limit', 'remaining', 'reset'])
    expect(answer?.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
}

/** Another caller is served while something is done to the server. */
async function expectOthersServed({ service }: Stage): Promise<void> {
  const { apiKey } = await service.bootstrap();
  const created = await service.send(apiKey, 'POST', '/machine/snapshots', { machineName: 'm' });
  expect(created.status).toBe(201);
}

function nested(depth: number, open: string, close: string, core: string): string {
  return open.repeat(depth) + core + close.repeat(depth);
}

async function post(
  { service, key }: Stage,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  const answer = await service.request('POST', '/machine/snapshots', { key, body, headers });
  return { ...answer, code: answer.body.code };
}

describeEachDatabase((openDatabase) => {
  describe('texts', () => {
    it('with NUL are refused everywhere, with unpaired surrogates where they could not be stored as they are', async () => {
      const at = await stage(openDatabase);
      const { service, key } = at;
      const { projectId } = (await service.send(key, 'GET', '/machine/keys/current')).body;
      for (const [method, path, body] of textFields)
        for (const text of ['a\0b', '\0', 'a\ud800b', '\udc00', '\ud83d\ud83d']) {
          const sent = JSON.stringify(body).replace('TEXT', () => JSON.stringify(text).slice(1, -1));
          const answer = await service.send(key, method, path.replace('ID', projectId), JSON.parse(sent));
          const about = `${path} ${JSON.stringify(text)}`;
          expect([answer.status, answer.body.code], about).toEqual([400, 'validation_failed']);
        }
      for (const content of withNul) {
        const { status, body } = await post(at, JSON.stringify({ machineName: 'm', ...content }));
        expect([JSON.stringify(content), status]).toEqual([JSON.stringify(content), 400]);
        expect(body.details[0].path).toContain(Object.keys(content)[0]);
      }
    });

    it('come back as they were sent if they are odd but valid', { tags: 'both-databases' }, async () => {
      const at = await stage(openDatabase);
      const text = 'é\u0301 \u202e \ufeff \u{1f600} \u0001 "\\" </script> \u2028 $x %00 \r\n\t';
      const content = {
        machineName: text,
        os: text,
        arch: '\u{10ffff}',
        runtimeVersions: { [text]: text, '': '', constructor: '1', toString: '2', 'a\ud800': '\udfff' },
        dependencies: { [text]: { [text]: text }, hasOwnProperty: { valueOf: '1' }, '': {} },
        envVars: { [text]: text, PATH: '/bin\ud800' },
        metadata: { [text]: [text, null, 1e300, -0.5, { constructor: {} }], '\ud800': '\udc00' },
      };
      const created = await post(at, JSON.stringify(content));
      expect(created.status).toBe(201);
      const { body } = await at.service.send(at.key, 'GET', `/machine/snapshots/${created.body.id}`);
      expect(body).toEqual({ id: created.body.id, createdAt: created.body.createdAt, ...content });
      const list = await at.service.send(
        at.key,
        'GET',
        `/machine/snapshots?machineName=${encodeURIComponent(text)}`,
      );
      expect(list.body.total).toBe(1);
    });

    it('with a repeated member keep the last value', async () => {
      const at = await stage(openDatabase);
      const { body } = await post(at, '{"machineName":1,"machineName":"last","envVars":{"A":"1","A":"2"}}');
      const answer = await at.service.send(at.key, 'GET', `/machine/snapshots/${body.id}`);
      expect(answer.body).toMatchObject({ machineName: 'last', envVars: { A: '2' } });
    });
  });
});

describeOnSqlite((openDatabase) => {
  describe('bodies', () => {
    it('that unpack to more than the limit are refused without being unpacked further', async () => {
      const at = await stage(openDatabase);
      const bomb = gzipSync(Buffer.alloc(100 * mebibyte, 0x20), { level: 9 });
      expect(bomb.length).toBeLessThan(mebibyte / 2);
      const before = process.memoryUsage().arrayBuffers;
      const [refused] = await Promise.all([
        post(at, bomb, { 'content-encoding': 'gzip' }),
        expectOthersServed(at),
      ]);
      expect([refused.status, refused.code]).toEqual([413, 'body_too_large']);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * mebibyte);
      const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
      const brotli = brotliCompressSync(Buffer.alloc(30 * mebibyte, 0x20), quick);
      expect((await post(at, brotli, { 'content-encoding': 'br' })).code).toBe('body_too_large');
      const twice = gzipSync(gzipSync(Buffer.from('{"machineName":"m"}')));
      expect((await post(at, twice, { 'content-encoding': 'gzip' })).status).toBe(400);
      for (const encoding of ['gzip, gzip', 'gzip, br', 'zstd', 'compress', 'constructor'])
        expect((await post(at, twice, { 'content-encoding': encoding })).status, encoding).toBe(415);
    });

    it('in gzip and brotli are stored as what they unpack to, also with an idempotency key', async () => {
      const at = await stage(openDatabase);
      const json = JSON.stringify({ machineName: 'packed', envVars: { A: 'x'.repeat(1000) } });
      for (const [encoding, bytes] of [
        ['gzip', gzipSync(json)],
        ['br', brotliCompressSync(json)],
        ['GZIP', gzipSync(json)],
        ['identity', Buffer.from(json)],
      ] as const) {
        const created = await post(at, bytes, { 'content-encoding': encoding, 'idempotency-key': encoding });
        expect([encoding, created.status]).toEqual([encoding, 201]);
        const { body } = await at.service.send(at.key, 'GET', `/machine/snapshots/${created.body.id}`);
        expect(body.envVars).toEqual({ A: 'x'.repeat(1000) });
      }
    });

    it('with broken compression get 400', async () => {
      const at = await stage(openDatabase);
      const packed = gzipSync(randomBytes(5000));
      for (const [encoding, bytes] of [
        ['gzip', packed.subarray(0, 2000)],
        ['gzip', Buffer.from('not gzip at all')],
        ['br', packed],
        ['deflate', deflateSync('{}').subarray(0, 4)],
        ['gzip', Buffer.concat([gzipSync('{"machineName":"m"}'), Buffer.from('trailing rubbish')])],
      ] as const) {
        const { status, code } = await post(at, bytes, { 'content-encoding': encoding });
        expect([status, ['malformed_request', 'malformed_json'].includes(code)]).toEqual([400, true]);
      }
    });

    it('nested 50,000 levels deep get a clear 4xx wherever the nesting is, and delay nobody', async () => {
      const at = await stage(openDatabase);
      const deep = nested(50_000, '[', ']', '1');
      const deepObject = nested(50_000, '{"a":', '}', '1');
      const bodies = Object.entries(nestings).flatMap(([status, texts]) =>
        texts.map(
          (text) => [text.replace('DEEP', deep).replace('OBJECT', deepObject), Number(status)] as const,
        ),
      );
      for (const start of ['[', '{"a":']) bodies.push([start.repeat(1_000_000), 400]);
      for (const [body, status] of bodies) {
        const [answer] = await Promise.all([post(at, body), expectOthersServed(at)]);
        expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), status]);
      }
    });

    it('that are not JSON objects in UTF-8 are refused with 400 or 415', async () => {
      const at = await stage(openDatabase);
      const malformed: (string | Uint8Array)[] = [
        ...notJson,
        Buffer.from('{"machineName":"\xff\xfe"}', 'latin1'),
        Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
        Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
        Buffer.from('{"machineName":"overlong \xc0\xaf"}', 'latin1'),
        randomBytes(1000),
      ];
      for (const body of malformed) {
        const { status, code } = await post(at, body);
        expect([status, code], `${String(body).slice(0, 40)}`).toEqual([400, 'malformed_json']);
      }
      expect((await post(at, '[]')).code).toBe('validation_failed');
      const utf16 = Buffer.from('{"machineName":"m"}', 'utf16le');
      for (const type of otherTypes) {
        const { status, code } = await post(at, utf16, { 'content-type': type });
        expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type']);
      }
      for (const type of [
        'application/json',
        'Application/JSON; charset="UTF-8"',
        'application/vnd.api+json',
        'application/json;',
      ])
        expect((await post(at, '{"machineName":"m"}', { 'content-type': type })).status, type).toBe(201);
      expect((await post(at, '\ufeff{"machineName":"m"}')).status).toBeLessThan(500);
    });

    it('never change what objects of the server are', async () => {
      const at = await stage(openDatabase);
      const body =
        '{"__proto__":{"machineName":"polluted","role":"owner"},"constructor":{"prototype":{"x":1}}}';
      const answer = await post(at, body);
      expect([answer.status, answer.body.details[0].path]).toEqual([400, 'machineName']);
      expect(({} as Record<string, unknown>).machineName).toBeUndefined();
      const key = await at.service.send(at.key, 'POST', '/machine/keys', '{"__proto__":{"role":"admin"}}');
      expect(key.body).toMatchObject({ role: 'member' });
      const query = await at.service.send(
        at.key,
        'GET',
        '/machine/snapshots?__proto__[limit]=1&__proto__=2&constructor=3',
      );
      expect(query.body).toMatchObject({ limit: 50, offset: 0 });
    });
  });

  describe('requests that no client would send', () => {
    it('are refused as HTTP, or served as what they are', async () => {
      const { service, key } = await stage(openDatabase);
      const many = (count: number) => Array.from({ length: count }, (_, index) => `X-H${index}: 1`);
      const textOf = (request: RawRequest): string => {
        if (typeof request === 'string') return request.replaceAll('KEY', key);
        const { get, post, headers = [], body = '' } = request;
        const start = request.start ?? (get ? `GET ${get} HTTP/1.1` : `POST ${post} HTTP/1.1`);
        const type = post ? ['Content-Type: application/json'] : [];
        return `${start}\r\n${head(key, ...type, ...headers)}${body}`.replaceAll('KEY', key);
      };
      const get = (target: string, ...headers: string[]) => textOf({ get: target, headers });
      const made: typeof refusals = {
        '400 malformed_request': { 'bare LF': get('/machine/usage').replaceAll('\r\n', '\n') },
        '401 invalid_api_key': { 'a key with a tail': get('/machine/usage').replace(key, `${key}, x`) },
        '431 headers_too_large': {
          '500 headers': get('/machine/usage', ...many(500)),
          'a large header': get('/machine/usage', `X-Big: ${'a'.repeat(40_000)}`),
          'a large target': get(`/machine/usage?${'a'.repeat(40_000)}`),
        },
      };
      for (const [refusal, requests] of [...Object.entries(refusals), ...Object.entries(made)]) {
        const [status, code = ''] = refusal.split(' ');
        for (const [name, request] of Object.entries(requests))
          expectRefusal(await sendRaw(service.url, textOf(request)), Number(status), code, name);
      }
      const accepted = [[200, '150 headers', { get: '/machine/usage', headers: many(150) }] as const];
      const all = Object.entries(served).flatMap(([status, requests]) =>
        Object.entries(requests).map(([name, request]) => [Number(status), name, request] as const),
      );
      for (const [status, name, request] of [...accepted, ...all])
        expect([name, (await sendRaw(service.url, textOf(request)))?.status]).toEqual([name, status]);
      const live = await service.send(key, 'GET', '/machine/usage/requests/live');
      const paths: string[] = live.body.requests.map((request: { path: string }) => request.path);
      expect(paths.filter((path) => path.includes('secret') || !path.startsWith('/'))).toEqual(['*']);
    });

    it('for HEAD get the headers of GET and no body', async () => {
      const { service, key } = await stage(openDatabase);
      for (const [path, status] of [
        ['/machine/usage', 200],
        ['/health', 200],
        ['/machine/nowhere', 404],
        ['/machine/snapshots/compare', 405],
      ] as const) {
        const answer = await sendRaw(
          service.url,
          `HEAD ${path} HTTP/1.1\r\n${head(key, 'Connection: close')}`,
          { bodyless: true },
        );
        expect([path, answer?.status]).toEqual([path, status]);
        expect(Number(answer?.headers['content-length'])).toBeGreaterThan(0);
      }
    });

    it('on one connection get their responses in order, and trailing garbage is refused last', async () => {
      const { service, key } = await stage(openDatabase);
      const connection = await openRaw(service.url);
      connection.send(
        `GET /machine/usage HTTP/1.1\r\n${head(key)}` +
          `GET /machine/nowhere HTTP/1.1\r\n${head(key)}` +
          `POST /machine/snapshots HTTP/1.1\r\n${head(key, 'Content-Type: application/json', 'Content-Length: 19')}` +
          '{"machineName":"m"}' +
          'RUBBISH\r\n\r\n',
      );
      const answers = await connection.answers(4);
      expect(answers.map((answer) => answer.status)).toEqual([200, 404, 201, 400]);
      await connection.closed;
      const list = await service.send(key, 'GET', '/machine/snapshots');
      expect(list.body.total).toBe(1);
    });

    it('never get a second response after one that was sent before the body arrived', async () => {
      const { service } = await stage(openDatabase);
      const connection = await openRaw(service.url);
      connection.send('POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
      const [refused] = await connection.answers(1);
      expect(refused?.status).toBe(401);
      connection.send('rubbish instead of a chunk\r\n');
      await connection.closed;
      expect(connection.received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    });

    it('cannot put headers into responses through a request id', async () => {
      const { service, key } = await stage(openDatabase);
      const kept = await service.request('GET', '/health', { headers: { 'x-request-id': 'my-id_1.2:3' } });
      expect(kept.headers.get('x-request-id')).toBe('my-id_1.2:3');
      for (const id of ['a b', '<script>', 'x'.repeat(129), 'a"b', 'é', '']) {
        const answer = await service.request('GET', '/machine/usage', {
          key,
          headers: { 'x-request-id': id },
        });
        expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      }
      const answer = await sendRaw(
        service.url,
        `GET /health HTTP/1.1\r\nHost: x\r\nX-Request-Id: a%0d%0aSet-Cookie:%20x\r\n\r\n`,
      );
      expect(answer?.headers['set-cookie']).toBeUndefined();
    });
  });

  describe('callers who reset the connection', () => {
    it('have no address any more, which is no failure of the server', async () => {
      const service = await startService(openDatabase, { ENVSNAP_TRUST_PROXY: '127.0.0.1' });
      const share = `GET /share/${'x'.repeat(43)} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`;
      const forwarded = 'GET /health HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n';
      for (const request of [share, forwarded]) {
        for (let count = 0; count < 20; count += 1) {
          const { socket, closed } = await openRaw(service.url);
          socket.write(request, () => socket.resetAndDestroy());
          await closed;
        }
      }
      await service.stop();
      const logged = service.log();
      expect(logged).not.toContain('request failed');
      const lines = logged
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const unknown = lines.filter(({ clientAddress }) => clientAddress === 'unknown');
      expect(new Set(unknown.map(({ route }) => route))).toEqual(new Set(['/share/:token', '/health']));
    });
  });

  describe('a failure before a request is known', () => {
    it('is a line of JSON in the log, and cuts the connection', async () => {
      const lines: string[] = [];
      const app = createApp({
        logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
        budget: createByteBudget(mebibyte),
        intake: {} as AppDeps['intake'],
        bootstrapPolicy: { mode: 'closed', token: undefined },
        isTrustedProxy() {
          throw new Error('nobody foresaw this');
        },
      } as Partial<AppDeps> as AppDeps);
      const server = createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const request = 'GET /health HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n';
      expect(await sendRaw(`http://127.0.0.1:${port}`, request)).toBeUndefined();
      server.close();
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 'error', msg: 'request failed' }),
      ]);
    });
  });

  describe('slow and silent callers', () => {
    let connections: Awaited<ReturnType<typeof openRaw>>[] = [];
    beforeAll(() => {
      connections = [];
    });
    afterAll(() => {
      for (const connection of connections) connection.end();
    });

    it('keep nobody else waiting: 300 half-open connections, half bodies and stalled uploads', async () => {
      const at = await stage(openDatabase);
      const { service, key } = at;
      const starts = [
        '',
        'GET /machine/usage HTTP/1.1\r\nHost: x\r\n',
        `POST /machine/snapshots HTTP/1.1\r\n${head(key, 'Content-Type: application/json', 'Content-Length: 1000')}{"machineName":`,
        `POST /machine/snapshots HTTP/1.1\r\n${head(key, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}5\r\n{"mac\r\n`,
        `POST /machine/snapshots HTTP/1.1\r\n${head(key, 'Content-Type: application/json', 'Content-Length: 1000', 'Idempotency-Key: k')}{`,
        `POST /machine/files HTTP/1.1\r\n${head(key, 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 9000')}--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nabc`,
      ];
      for (let index = 0; index < 300; index += 1) {
        const connection = await openRaw(service.url);
        connection.send(starts[index % starts.length] as string);
        connections.push(connection);
      }
      for (let round = 0; round < 5; round += 1) await expectOthersServed(at);
      // So is the same caller: stalled requests hold no lock and no place.
      const mine = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      expect(mine.status).toBe(201);
      for (const connection of connections) connection.end();
      await expectOthersServed(at);
    });

    it('that send more than the limit get their response while they send', async () => {
      const at = await stage(openDatabase);
      const connection = await openRaw(at.service.url);
      connection.send(
        `POST /machine/snapshots HTTP/1.1\r\n${head(at.key, 'Content-Type: application/json', `Content-Length: ${10 ** 12}`)}`,
      );
      const [answer] = await connection.answers(1);
      expectRefusal(answer, 413, 'body_too_large');
      connection.end();
      const chunked = await openRaw(at.service.url);
      chunked.send(
        `POST /machine/snapshots HTTP/1.1\r\n${head(at.key, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}`,
      );
      const piece = `100000\r\n${' '.repeat(mebibyte)}\r\n`;
      for (let sent = 0; sent < 10; sent += 1) chunked.send(piece);
      const [refused] = await chunked.answers(1);
      expectRefusal(refused, 413, 'body_too_large');
      chunked.end();
      await expectOthersServed(at);
    });
  });
});
