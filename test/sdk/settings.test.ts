// Settings of a client: from its options, from the environment, and for single calls.

import { inspect } from 'node:util';
import { type BootstrapOptions, EnvSnap, UsageError } from '@envsnap/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startScriptedServer } from '../support/scripted-server.ts';
import { readTestData } from '../support/test-data.ts';
import { clientOf, failureOf, snapshotId, testKey } from './support.ts';

const { headers, paths } = readTestData<{ headers: [string, Record<string, string>][]; paths: string[] }>(
  import.meta,
);

const ok = { status: 200, json: { status: 'ok', version: '1.0.0' } } as const;
const key = { status: 200, json: { id: snapshotId, label: null, role: 'owner' } } as const;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the environment', () => {
  it('gives the address and the key that are not passed', async () => {
    await using server = await startScriptedServer(key);
    vi.stubEnv('ENVSNAP_API_KEY', testKey);
    vi.stubEnv('ENVSNAP_BASE_URL', server.baseUrl);
    await new EnvSnap().keys.current();
    expect(server.seen[0]?.headers['x-api-key']).toBe(testKey);
  });

  it('is overruled by options, and an empty variable counts as not set', async () => {
    await using server = await startScriptedServer(ok);
    vi.stubEnv('ENVSNAP_API_KEY', '');
    vi.stubEnv('ENVSNAP_BASE_URL', 'http://127.0.0.1:1');
    const client = new EnvSnap({ baseUrl: server.baseUrl });
    await client.service.health();
    await expect(client.keys.current()).rejects.toThrow(/needs an API key.*ENVSNAP_API_KEY/);
  });

  it('gives bootstrap its address, and no key', async () => {
    const answer = { projectId: 'p', apiKeyId: 'k', apiKey: testKey, message: 'Store it' };
    await using server = await startScriptedServer({ status: 201, json: answer });
    vi.stubEnv('ENVSNAP_API_KEY', 'not a key at all');
    vi.stubEnv('ENVSNAP_BASE_URL', server.baseUrl);
    expect(await EnvSnap.bootstrap({ projectName: 'p' })).toEqual(answer);
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    ['nothing', {}, /The server and the key are missing: .*ENVSNAP_BASE_URL and ENVSNAP_API_KEY/],
    ['a key alone', { ENVSNAP_API_KEY: testKey }, /The server is missing: .*ENVSNAP_BASE_URL/],
    [
      'no address',
      { ENVSNAP_API_KEY: testKey, ENVSNAP_BASE_URL: 'localhost' },
      /ENVSNAP_BASE_URL must be an absolute http/,
    ],
    [
      'a mistyped key',
      { ENVSNAP_API_KEY: testKey.replace('0123', '0124'), ENVSNAP_BASE_URL: 'http://localhost' },
      /ENVSNAP_API_KEY is mistyped/,
    ],
  ])('that holds %s is explained, without the key', (_, variables, message) => {
    vi.stubEnv('ENVSNAP_API_KEY', undefined);
    vi.stubEnv('ENVSNAP_BASE_URL', undefined);
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(() => new EnvSnap()).toThrow(UsageError);
    expect(() => new EnvSnap()).toThrow(message);
    expect(() => new EnvSnap()).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('0124') }),
    );
  });
});

describe('headers', () => {
  it('of the client and of a call are sent, those of the call win', async () => {
    await using server = await startScriptedServer(ok);
    const client = clientOf(server, { headers: { 'X-Team': 'a', traceparent: '00-1' } });
    await client.service.health({ headers: { TraceParent: '00-2', 'x-left-out': undefined } });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-team': 'a', traceparent: '00-2' });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-left-out');
  });

  it.each(headers)('with %s are refused before anything is sent, and not shown', async (_, headers) => {
    await using server = await startScriptedServer(ok);
    const error = await failureOf(clientOf(server).service.health({ headers }));
    expect(error).toBeInstanceOf(UsageError);
    expect(inspect(error)).not.toContain('secret-value');
    expect(() => clientOf(server, { headers })).toThrow(UsageError);
    expect(server.seen).toEqual([]);
  });
});

describe('request()', () => {
  it('calls any path with the key, the query and a JSON body, and returns any JSON', async () => {
    await using server = await startScriptedServer({ status: 200, json: [1, 2] }, { status: 201, json: {} });
    const client = clientOf({ baseUrl: `${server.baseUrl}/prefix` });
    const query = { limit: 5, from: new Date(0), left: undefined };
    const response = await client
      .request<number[]>({ method: 'GET', path: '/machine/new', query })
      .withResponse();
    expect(response).toMatchObject({ data: [1, 2], status: 200, requestId: 'req-200', attempts: 1 });
    await client.request({ method: 'PUT', path: '/machine/new/a%20b', body: { a: 1 } });
    const [get, put] = server.seen;
    expect(get).toMatchObject({ url: '/prefix/machine/new?limit=5&from=1970-01-01T00%3A00%3A00.000Z' });
    expect(get?.headers).toMatchObject({ 'x-api-key': testKey });
    expect(put).toMatchObject({ method: 'PUT', url: '/prefix/machine/new/a%20b' });
    expect([put?.headers['content-type'], put?.body.toString()]).toEqual(['application/json', '{"a":1}']);
  });

  it('repeats a POST only with an idempotency key, which it then sends', async () => {
    const busy = { status: 503, json: { error: 'x', code: 'shutting_down' } } as const;
    await using server = await startScriptedServer(busy, busy, { status: 200, json: {} });
    const client = clientOf(server);
    const post = { method: 'POST', path: '/machine/new', body: {} } as const;
    await expect(client.request(post)).rejects.toMatchObject({ status: 503, operation: 'request' });
    expect(server.seen).toHaveLength(1);
    await client.request(post, { idempotencyKey: 'once' });
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'once', 'once']);
  });

  it.each(paths)('refuses the path %s', async (path) => {
    await using server = await startScriptedServer(ok);
    expect(() => clientOf(server).request({ method: 'GET', path })).toThrow(UsageError);
    expect(server.seen).toEqual([]);
  });
});

describe('options that do not exist', () => {
  it.each(['timeout', 'maxRetries'])('are refused at the start: %s', (name) => {
    const options = { apiKey: testKey, baseUrl: 'http://127.0.0.1:1', [name]: 5 };
    expect(() => new EnvSnap(options)).toThrow(`A client has no option ${name}, only apiKey, baseUrl`);
    expect(() => new EnvSnap({ ...options, [name]: undefined })).toThrow(UsageError);
  });

  it('are refused by bootstrap, which lists those that it has', () => {
    const options = { projektName: 'p', baseUrl: 'http://127.0.0.1:1' } as object as BootstrapOptions;
    expect(() => EnvSnap.bootstrap(options)).toThrow(
      /bootstrap has no option projektName, only projectName, /,
    );
  });

  it('are refused by calls, and are no part of a query', async () => {
    await using server = await startScriptedServer(key);
    const client = clientOf(server);
    const wrong = { maxRetries: 3 } as object;
    await expect(client.keys.current(wrong)).rejects.toThrow('A call has no option maxRetries');
    const query = { signal: AbortSignal.timeout(1000) } as object;
    await expect(client.snapshots.list(query)).rejects.toThrow(/^signal is not part of a query/);
    expect(server.seen).toEqual([]);
  });
});

describe('withOptions()', () => {
  it('makes another client of the same server and key', async () => {
    await using server = await startScriptedServer(key);
    const client = clientOf(server, { headers: { traceparent: '00' } });
    await client.withOptions({ userAgent: 'other' }).keys.current();
    expect(server.seen[0]?.headers).toMatchObject({
      'x-api-key': testKey,
      traceparent: '00',
      'user-agent': expect.stringMatching(/^other /),
    });
    await client.keys.current();
    expect(server.seen[1]?.headers['user-agent']).not.toContain('other');
  });

  it('keeps what is given as undefined', async () => {
    await using server = await startScriptedServer(key);
    const client = clientOf(server);
    vi.stubEnv('ENVSNAP_API_KEY', 'the key of another project');
    await client.withOptions({ apiKey: undefined, timeoutMs: undefined }).keys.current();
    expect(server.seen[0]?.headers['x-api-key']).toBe(testKey);
  });
});

describe('asResponse()', () => {
  it("gives the platform's own response, its body unread", async () => {
    await using server = await startScriptedServer({ ...key, headers: { 'x-request-id': 'r' } });
    const response = await clientOf(server).keys.current().asResponse();
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([200, 'r']);
    expect(await response.json()).toEqual(key.json);
  });
});

describe('ENVSNAP_DEBUG', () => {
  it('prints every attempt on standard error, and no key', async () => {
    await using server = await startScriptedServer('drop', key);
    vi.stubEnv('ENVSNAP_DEBUG', '1');
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: string) => lines.push(line));
    await clientOf(server).keys.current();
    await expect.poll(() => lines.length).toBe(5);
    vi.restoreAllMocks();
    const prefix = 'envsnap-sdk getCurrentKey, attempt';
    expect(lines[0]).toBe(`${prefix} 1: ${server.baseUrl}/machine/keys/current`);
    expect(lines[1]).toMatch(/attempt 1: ConnectionError after \d+ ms: No response/);
    expect(lines[2]).toMatch(/attempt 1: again in \d+ ms$/);
    expect(lines[4]).toMatch(/attempt 2: 200 in \d+ ms, request req-200$/);
    expect(lines.join()).not.toContain(testKey.slice(3, 20));
  });
});

it('takes whitespace off the key, and names /machine at the end of the address', async () => {
  await using server = await startScriptedServer({ status: 200, json: { projects: [] } });
  await clientOf(server, { apiKey: ` ${testKey}\n` }).projects.list();
  expect(server.seen[0]?.headers['x-api-key']).toBe(testKey);
  for (const baseUrl of ['http://127.0.0.1:1/machine', 'http://127.0.0.1:1/envsnap/machine/'])
    expect(() => new EnvSnap({ apiKey: testKey, baseUrl })).toThrow('baseUrl must not end in /machine');
});
