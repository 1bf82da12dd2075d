// How the SDK reads responses: which parts, up to which size, and errors that contain what a caller needs, but no key.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { createGzip } from 'node:zlib';
import { ApiError, EnvSnap, type TransportEvent, UnexpectedResponseError } from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { startScriptedServer } from '../support/scripted-server.ts';
import { clientOf, failureOf, snapshotId, testKey } from './support.ts';

const summary = { id: snapshotId, machineName: 'm', runtimeVersions: {}, metadata: {} };

describe('the response to a list', () => {
  it.each<[string, unknown, RegExp]>([
    ['an object for a list', { snapshots: {} }, /snapshots is not a list/],
    ['null for a list', { snapshots: null }, /snapshots is not a list/],
    ['no list', { total: 0 }, /snapshots is missing/],
    ['something that is not an object', { snapshots: [7] }, /snapshots\[0\]\.id is not a string/],
    ['an item without an id', { snapshots: [summary, {}] }, /snapshots\[1\]\.id is not a string/],
    ['a number for an id', { snapshots: [{ ...summary, id: 7 }] }, /snapshots\[0\]\.id is not a string/],
  ])('with %s is an error that names it, and asks for the address', async (_, json, message) => {
    await using server = await startScriptedServer({ status: 200, json });
    for (const call of [
      async () => await clientOf(server).snapshots.list(),
      async () => await clientOf(server).snapshots.iterate().toArray(),
    ]) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).toMatch(
        /^The response to listSnapshots is not from an envsnap server.*baseUrl/,
      );
    }
    expect(server.seen).toHaveLength(2);
  });

  it('may have unknown fields, and lack those that another version does not know', async () => {
    await using server = await startScriptedServer({ status: 200, json: { snapshots: [summary], new: [1] } });
    const page = await clientOf(server).snapshots.list();
    expect(page.snapshots).toEqual([summary]);
    expect(page.total).toBeUndefined();
  });
});

describe('the content type of a response', () => {
  const answerAs = (type: string | undefined) =>
    startScriptedServer((_, response) => {
      if (type !== undefined) response.setHeader('content-type', type);
      response.end(JSON.stringify({ status: 'ok' }));
    });

  it.each(['text/html', 'application/jsonp', 'application/xml'])('must not be %s', async (type) => {
    await using server = await answerAs(type);
    await expect(clientOf(server).service.health()).rejects.toThrow(
      `The server responded with 200 and ${type} that is not a JSON object. Is baseUrl`,
    );
  });

  it.each(['application/json', 'Application/JSON ; charset=utf-8', 'application/problem+json', undefined])(
    'may be %s',
    async (type) => {
      await using server = await answerAs(type);
      expect(await clientOf(server).service.health()).toEqual({ status: 'ok' });
    },
  );
});

const mebibyte = Buffer.alloc(1024 * 1024, ' ');

/** Writes bytes into a stream as long as its reader takes them. */
function pour(target: NodeJS.WritableStream, response: ServerResponse, count: () => void): void {
  const more = () => {
    while (!response.destroyed) {
      count();
      if (!target.write(mebibyte)) break;
    }
    if (!response.destroyed) target.once('drain', more);
  };
  more();
}

async function startPouring(compressed: boolean) {
  let open = 0;
  let pouredBytes = 0;
  const count = () => {
    pouredBytes += mebibyte.length;
  };
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    const status = request.url?.startsWith('/machine/usage') ? 500 : 200;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(compressed ? { 'content-encoding': 'gzip' } : {}),
    });
    if (!compressed) return pour(response, response, count);
    const gzip = createGzip({ level: 1 });
    gzip.pipe(response);
    return pour(gzip, response, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Responses in progress. */
    open: () => open,
    pouredBytes: () => pouredBytes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each([
  ['an endless answer', false],
  ['an answer that unpacks without end', true],
])('%s', (_, compressed) => {
  it('is cut off at the limit of its operation, or the one that was set', async () => {
    await using server = await startPouring(compressed);
    const client = clientOf(server, { timeoutMs: 20_000 });
    await expect(client.keys.list()).rejects.toThrow(/response to listKeys is larger than 8 MiB/);
    await expect(client.snapshots.list({}, { maxAnswerBytes: 5000 })).rejects.toThrow(
      /larger than 5000 bytes/,
    );
    await expect(client.usage.get({ retries: 0 })).rejects.toMatchObject({ status: 500, body: undefined });
  });

  it('is cut off at 64 MiB for an operation with large responses', { tags: 'release' }, async () => {
    await using server = await startPouring(compressed);
    const { snapshots } = clientOf(server, { timeoutMs: 20_000 });
    await expect(snapshots.list()).rejects.toThrow(/larger than 64 MiB/);
  });

  it('is not read further, and its connection is closed', async () => {
    await using server = await startPouring(compressed);
    await expect(clientOf(server).keys.list()).rejects.toThrow(/larger than 8 MiB/);
    await expect.poll(() => server.open()).toBe(0);
    // Buffers of the sockets and of gzip are in addition.
    if (!compressed) expect(server.pouredBytes()).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('an error', () => {
  async function fail(options: Parameters<typeof clientOf>[1] = {}): Promise<ApiError> {
    await using server = await startScriptedServer((request, response) => {
      const token = request.headers['x-bootstrap-token'];
      response.writeHead(418, { 'content-type': 'application/json', 'x-echo': `${testKey} ${token}` });
      response.end(JSON.stringify({ error: 'No', extra: { key: testKey, token } }));
    });
    const call = options.apiKey
      ? clientOf(server, options).keys.current()
      : EnvSnap.bootstrap({ baseUrl: server.baseUrl, projectName: 'p', bootstrapToken: 'open-sesame' });
    return (await failureOf(call)) as ApiError;
  }

  it('has the status, the headers and the parsed body, and prints in a short form', async () => {
    const error = await fail({ apiKey: testKey });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.status).toBe(418);
    expect(error.headers.get('content-type')).toBe('application/json');
    expect(error.body).toMatchObject({ error: 'No', extra: { key: 'mk_…' } });
    expect(inspect(error)).not.toMatch(/headers|body/);
  });

  it('holds neither the key nor the token of a bootstrap', async () => {
    for (const error of [await fail({ apiKey: testKey }), await fail()]) {
      const all = inspect([error, [...error.headers], error.body, error.stack], {
        depth: 20,
        showHidden: true,
      });
      expect(all).not.toContain(testKey.slice(3, 30));
      expect(all).not.toContain('open-sesame');
    }
  });

  it('holds no secret that a webhook was to be created with', async () => {
    const secret = 'correct horse battery';
    await using server = await startScriptedServer((_, response, body) => {
      response.writeHead(400).end(JSON.stringify({ error: `Not accepted: ${body}` }));
    });
    const error = (await failureOf(
      clientOf(server).webhooks.create({ url: 'https://example.com', events: ['file.deleted'], secret }),
    )) as ApiError;
    expect(error.message).toContain('Not accepted');
    expect(inspect([error, error.body])).not.toContain(secret);
  });

  const calls: Record<string, (client: EnvSnap) => Promise<unknown>> = {
    'a call': async (client) => await client.usage.get(),
    'a whole answer': async (client) => await client.usage.get().withResponse(),
    'an upload': async (client) => await client.files.upload({ content: 'x', filename: 'a' }),
    'a download': async (client) => await client.files.download(snapshotId),
    'a request of a path': async (client) => await client.request({ method: 'GET', path: '/machine/x' }),
    'a walk over a list': async (client) => await client.snapshots.iterate().toArray(),
  };
  it.each(Object.entries(calls))("of %s shows the caller's line", async (_, call) => {
    await using server = await startScriptedServer({ status: 404, json: { error: 'Nothing here' } });
    async function theCaller(): Promise<unknown> {
      return await call(clientOf(server));
    }
    const error = (await failureOf(theCaller())) as Error;
    expect(error.stack).toMatch(/^NotFoundError: Nothing here\n/);
    expect(error.stack).toContain('answers.test.ts');
    expect(error.stack).not.toContain('transport.ts');
  });
});

describe('events', () => {
  it('report every attempt, the last failure included', async () => {
    const events: TransportEvent[] = [];
    await using server = await startScriptedServer('drop');
    const client = clientOf(server, { retries: 1, onEvent: (event) => events.push(event) });
    await client.service.health().catch(() => undefined);
    expect(events.map(({ type, attempt }) => [type, attempt])).toEqual([
      ['request', 1],
      ['failure', 1],
      ['retry', 1],
      ['request', 2],
      ['failure', 2],
    ]);
    expect(events.at(-1)).toMatchObject({ operation: 'getHealth', error: { name: 'ConnectionError' } });
    expect(inspect(events, { depth: 9 })).not.toContain(testKey);
  });
});
