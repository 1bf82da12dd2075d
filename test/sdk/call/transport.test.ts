import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import {
  AbortError,
  ApiError,
  ConnectionError,
  EnvSnap,
  EnvsnapError,
  TimeoutError,
  type TransportEvent,
  UnexpectedResponseError,
  UsageError,
} from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { startScriptedServer, unusedAddress } from '../../support/scripted-server.ts';
import { words } from '../../support/words.ts';
import { clientOf, failureOf, snapshotId, testKey } from '../support.ts';

const ok = { status: 200, json: { status: 'ok', version: '1.0.0' } } as const;
const created = { status: 201, json: { id: snapshotId, machineName: 'm', createdAt: 'now' } } as const;
const busy = { status: 503, json: { error: 'Stopping', code: 'shutting_down', requestId: 'r' } } as const;

describe('a call', () => {
  it('sends the key, the body as JSON, who calls, and an idempotency key', async () => {
    await using server = await startScriptedServer(created);
    const client = clientOf(server, { userAgent: 'my-tool/2' });
    const answer = await client.snapshots.create({ machineName: 'm', envVars: { A: 'ż' } });
    expect(answer).toEqual(created.json);
    const [request] = server.seen;
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe('/machine/snapshots');
    expect(request?.headers).toMatchObject({
      'x-api-key': testKey,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^my-tool\/2 envsnap-sdk\/\d/),
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({ machineName: 'm', envVars: { A: 'ż' } });
  });

  it("sends the caller's own idempotency key", async () => {
    await using server = await startScriptedServer(created);
    await clientOf(server).snapshots.create({ machineName: 'm' }, { idempotencyKey: 'build-17' });
    expect(server.seen[0]?.headers['idempotency-key']).toBe('build-17');
  });

  it('sends a name such as __proto__ as the data that it is', async () => {
    await using server = await startScriptedServer(created);
    const envVars = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    await clientOf(server).snapshots.create({ machineName: 'm', envVars });
    expect(server.seen[0]?.body.toString()).toBe('{"machineName":"m","envVars":{"__proto__":"x"}}');
  });

  it('fills and encodes path parameters, and leaves undefined query parameters out', async () => {
    const snapshot = { id: snapshotId, runtimeVersions: {}, dependencies: {}, envVars: {}, metadata: {} };
    await using server = await startScriptedServer({ status: 200, json: { snapshots: [], ...snapshot } });
    const client = clientOf({ baseUrl: `${server.baseUrl}/prefix/` });
    await client.snapshots.list({ limit: 5, os: undefined, machineName: 'a&b ü', from: new Date(0) });
    await client.snapshots.get('a/b?c');
    expect(server.seen.map((request) => request.url)).toEqual([
      '/prefix/machine/snapshots?limit=5&machineName=a%26b+%C3%BC&from=1970-01-01T00%3A00%3A00.000Z',
      '/prefix/machine/snapshots/a%2Fb%3Fc',
    ]);
  });

  it('sends no key to operations that need none, and works without one there', async () => {
    await using server = await startScriptedServer(ok);
    await clientOf(server).service.health();
    await new EnvSnap({ baseUrl: server.baseUrl }).service.health();
    for (const request of server.seen) expect(request.headers).not.toHaveProperty('x-api-key');
  });

  it('reports request id, status, attempts and replay on request', async () => {
    await using server = await startScriptedServer(busy, {
      ...created,
      headers: { 'idempotency-replayed': 'true' },
    });
    const call = clientOf(server).snapshots.create({ machineName: 'm' });
    const response = await call.withResponse();
    expect(response).toMatchObject({
      data: created.json,
      status: 201,
      requestId: 'req-201',
      attempts: 2,
      replayed: true,
      idempotencyKey: server.seen[0]?.headers['idempotency-key'],
    });
    expect(await call).toBe(response.data);
  });

  it('remembers the rate-limit numbers that it saw last', async () => {
    await using server = await startScriptedServer(
      {
        ...ok,
        headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '7' },
      },
      ok,
    );
    const client = clientOf(server);
    expect(client.rateLimit).toBeUndefined();
    await client.service.health();
    await client.service.health();
    expect(client.rateLimit).toMatchObject({ limit: 60, remaining: 59, resetSeconds: 7 });
  });

  it('reports every request, response and retry, without anything secret', async () => {
    const events: TransportEvent[] = [];
    await using server = await startScriptedServer(busy, { status: 200, json: { projects: [] } });
    await clientOf(server, { onEvent: (event) => events.push(event) }).projects.list();
    expect(events.map((event) => event.type)).toEqual(words`request response retry request response`);
    expect(events[1]).toMatchObject({
      operation: 'listProjects',
      status: 503,
      requestId: 'req-503',
      attempt: 1,
    });
    expect(inspect(events, { depth: 9 })).not.toContain(testKey);
  });
});

describe('options', () => {
  it.each([
    ['an empty key', { apiKey: '' }, /empty/],
    ['something else than a key', { apiKey: 'sk-live-1234' }, /not an envsnap API key/],
    ['a truncated key', { apiKey: testKey.slice(0, -1) }, /66 characters/],
    ['a mistyped key', { apiKey: testKey.replace('0123', '0124') }, /mistyped/],
    ['no address', { baseUrl: 'localhost:4780' }, /absolute http/],
    ['an address with a password', { baseUrl: 'http://me:hunter2@localhost' }, /user name or password/],
    ['an address with a query', { baseUrl: 'http://localhost/?a=1' }, /query/],
    ['a time of zero', { timeoutMs: 0 }, /timeoutMs/],
    ['a time longer than timers can', { totalTimeoutMs: 2 ** 31 }, /totalTimeoutMs/],
    ['half a retry', { retries: 1.5 }, /retries/],
    ['a line break in the program name', { userAgent: 'a\r\nx: y' }, /userAgent/],
  ])('refuses %s before anything is sent, and shows no secret', async (_, options, message) => {
    const make = () => new EnvSnap({ apiKey: testKey, baseUrl: 'http://127.0.0.1:1', ...options });
    expect(make).toThrow(UsageError);
    expect(make).toThrow(message);
    expect(make).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/hunter2|mk_0123|live/) }),
    );
  });

  it('refuses an id that would name another path', async () => {
    await using server = await startScriptedServer(ok);
    for (const id of ['', '.', '..'])
      await expect(clientOf(server).snapshots.delete(id)).rejects.toThrow(UsageError);
    expect(server.seen).toEqual([]);
  });

  it('says that a key is needed where one is', async () => {
    await using server = await startScriptedServer(ok);
    await expect(new EnvSnap({ baseUrl: server.baseUrl }).keys.current()).rejects.toThrow(/needs an API key/);
    expect(server.seen).toEqual([]);
  });
});

describe('bootstrap', () => {
  it('sends the project and the token, and no key', async () => {
    const answer = { projectId: 'p', apiKeyId: 'k', apiKey: testKey, message: 'Store it' };
    await using server = await startScriptedServer({ status: 201, json: answer });
    const made = await EnvSnap.bootstrap({
      baseUrl: server.baseUrl,
      projectName: 'p',
      description: 'd',
      bootstrapToken: 'open sesame',
    });
    expect(made).toEqual(answer);
    const [request] = server.seen;
    expect(request?.headers).toMatchObject({ 'x-bootstrap-token': 'open sesame' });
    expect(request?.headers).not.toHaveProperty('x-api-key');
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({ projectName: 'p', description: 'd' });
  });
});

describe('responses that do not come from an envsnap server', () => {
  it.each([
    ['an HTML page', { status: 200, text: '<html>' }, /text\/html.*baseUrl/],
    ['an empty answer', { status: 200, text: '' }, /not a JSON object/],
    ['JSON that is not an object', { status: 200, json: 7 }, /not a JSON object/],
    [
      'a redirect',
      { status: 301, headers: { location: 'https://elsewhere.example/x' } },
      /https:\/\/elsewhere\.example,/,
    ],
  ])('refuses %s at once', async (_, step, message) => {
    await using server = await startScriptedServer(step);
    const error = await failureOf(clientOf(server).service.health());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect((error as Error).message).toMatch(message);
    expect(server.seen).toHaveLength(1);
  });

  it('keeps the status of an error page', async () => {
    await using server = await startScriptedServer({ status: 404, text: '<h1>nginx</h1>' });
    const error = await failureOf(clientOf(server).service.health());
    expect(error).toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: undefined,
      requestId: 'req-404',
    });
    expect((error as ApiError).message).toBe('The server responded with 404');
  });
});

describe('connections that fail', () => {
  it('says which address does not respond, and why', async () => {
    const baseUrl = await unusedAddress();
    const error = await failureOf(clientOf({ baseUrl }, { retries: 0 }).service.health());
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(
      `No response from ${baseUrl}: the connection was refused. Is the server running there?`,
    );
  });

  it('names a host that does not exist', async () => {
    const client = clientOf({ baseUrl: 'http://nowhere.invalid' }, { retries: 0 });
    await expect(client.service.health()).rejects.toThrow(/nowhere\.invalid: the host name/);
  });

  it.each<[string, (client: EnvSnap) => Promise<unknown>]>([
    ['a BigInt', (client) => client.snapshots.create({ machineName: 'm', metadata: { big: 1n } })],
    ['a GET with a body', (client) => client.request({ method: 'GET', path: '/machine/usage', body: {} })],
    ['a signal that is none', (client) => client.usage.get({ signal: {} as AbortSignal })],
  ])('is none where %s cannot be sent, which is the fault of the call', async (_, call) => {
    await using server = await startScriptedServer(ok);
    const error = (await failureOf(call(clientOf(server)))) as UsageError;
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/^The call cannot be made: \w/);
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(server.seen).toEqual([]);
  });

  it('says what fetch refuses to call', async () => {
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1' }, { retries: 0 });
    await expect(client.service.health()).rejects.toThrow('No response from http://127.0.0.1:1: bad port');
  });

  it.each(['drop', 'truncate'] as const)('reports a connection that is lost (%s)', async (step) => {
    await using server = await startScriptedServer(step);
    await expect(clientOf(server, { retries: 0 }).service.health()).rejects.toThrow(ConnectionError);
  });
});

describe('time limits', () => {
  it.each(['hang', 'stall'] as const)(
    'end an attempt, its body included (%s), and the next one may do better',
    async (step) => {
      await using server = await startScriptedServer(step, ok);
      expect(await clientOf(server, { timeoutMs: 150 }).service.health()).toEqual(ok.json);
      expect(server.seen).toHaveLength(2);
    },
  );

  it('end the last attempt with the limit that was set', async () => {
    await using server = await startScriptedServer('hang');
    const error = await failureOf(clientOf(server, { timeoutMs: 50, retries: 1 }).service.health());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'try', limitMs: 50, message: 'No response within 0.05 s' });
    expect(server.seen).toHaveLength(2);
  });

  it('end the whole call, its retries included', async () => {
    await using server = await startScriptedServer('hang');
    const client = clientOf(server, { timeoutMs: 5000, totalTimeoutMs: 80, retries: 20 });
    const error = await failureOf(client.service.health());
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'total', limitMs: 80 });
  });

  it('give the last failure at once where a wait would not fit any more', async () => {
    await using server = await startScriptedServer({ ...busy, headers: { 'retry-after': '30' } });
    const client = clientOf(server, { totalTimeoutMs: 10_000 });
    await expect(client.service.health()).rejects.toMatchObject({
      name: 'ServerError',
      retryAfterSeconds: 30,
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('signals', () => {
  it('stop a call that is under way', async () => {
    await using server = await startScriptedServer('hang');
    const controller = new AbortController();
    const call = failureOf(clientOf(server).service.health({ signal: controller.signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort(new Error('changed my mind'));
    const error = await call;
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: 'AbortError', cause: { message: 'changed my mind' } });
    await expect.poll(() => server.aborted()).toBe(1);
  });

  it('stop the wait for a retry', async () => {
    await using server = await startScriptedServer({ ...busy, headers: { 'retry-after': '60' } });
    const controller = new AbortController();
    const client = clientOf(server, {
      onEvent: (event) => {
        if (event.type === 'retry') setImmediate(() => controller.abort());
      },
    });
    await expect(client.service.health({ signal: controller.signal })).rejects.toThrow(AbortError);
    expect(server.seen).toHaveLength(1);
  });

  it('that are aborted already send nothing', async () => {
    await using server = await startScriptedServer(ok);
    const client = clientOf(server);
    await expect(client.service.health({ signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
    expect(server.seen).toEqual([]);
  });

  it('of the client stop all its calls, and AbortSignal.timeout is not retried', async () => {
    await using server = await startScriptedServer('hang');
    const client = clientOf(server, { signal: AbortSignal.timeout(50) });
    await expect(client.service.health()).rejects.toThrow(AbortError);
    // On a busy machine, the time may end before the call has begun.
    expect(server.seen.length).toBeLessThan(2);
  });

  it('keep no listener of calls that are over', async () => {
    await using server = await startScriptedServer(ok, busy, ok, 'drop', ok, { status: 404 });
    const controller = new AbortController();
    const client = clientOf(server, { signal: controller.signal });
    const own = new AbortController();
    for (let call = 0; call < 4; call += 1)
      await client.service.health({ signal: own.signal }).catch(() => undefined);
    expect(server.seen).toHaveLength(6);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(getEventListeners(own.signal, 'abort')).toEqual([]);
  });
});

describe('secrets', () => {
  it('are in no error, event or printed client', async () => {
    await using server = await startScriptedServer(
      { status: 401, json: { error: `Invalid API key ${testKey}`, code: 'invalid_api_key', requestId: 'r' } },
      'drop',
    );
    const client = clientOf(server, { retries: 0 });
    for (let call = 0; call < 2; call += 1) {
      const error = await failureOf(client.keys.current());
      expect(error).toBeInstanceOf(EnvsnapError);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(testKey);
    }
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(testKey);
    expect(JSON.stringify(client)).not.toContain(testKey);
  });
});

describe('unhandled failures', () => {
  it('are reported once, and never if withResponse() handles them', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', listen);
    try {
      await using server = await startScriptedServer({ status: 404 });
      const client = clientOf(server);
      await client.service
        .health()
        .withResponse()
        .catch(() => undefined);
      await client.service.health().catch(() => undefined);
      void client.service.health();
      await expect.poll(() => unhandled.length).toBe(1);
      expect(unhandled[0]).toBeInstanceOf(ApiError);
    } finally {
      process.off('unhandledRejection', listen);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
});
