// Readers who take nothing: the memory that the server keeps for them is limited, whatever it sends, and they are disconnected.
// Every path that is not an operation is requested here; operations send their answers as these two do, which the source shows.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptionPaths } from '../../../packages/server/src/api-description/routes.ts';
import { createProjectPages } from '../../../packages/server/src/console/project-pages.ts';
import { createSnapshotPages } from '../../../packages/server/src/console/snapshot-pages.ts';
import { freeBytes } from '../../../packages/server/src/infra/http/byte-budget.ts';
import { listen } from '../../../packages/server/src/infra/http/http-server.ts';
import { describeOnSqlite } from '../../support/databases.ts';
import { openRaw } from '../../support/raw-http.ts';
import { startProject } from '../../support/service.ts';

const mebibyte = 1024 ** 2;
const limitBytes = 8 * mebibyte;
/** More connections than the system's buffers can absorb for a long response, and a few for the others. */
const many = 160;
const few = 32;

/** Requests a path on many connections and reads nothing; resolves once each response has begun or was cut off. */
async function crowd(url: string, path: string, headers: string, requests: number) {
  const responses: ServerResponse[] = [];
  const bodies = new Set<unknown>();
  const note = (message: unknown) => {
    const { request, response } = message as { request: { url: string }; response: ServerResponse };
    if (request.url !== path) return;
    responses.push(response);
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      bodies.add(args[0]);
      return end(...args);
    };
  };
  subscribe('http.server.request.start', note);
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const opened = await Promise.all(Array.from({ length: requests }, () => openRaw(url)));
  for (const connection of opened) {
    connection.socket.pause();
    connection.send(request);
  }
  await expect.poll(() => responses.length).toBe(requests);
  await expect.poll(() => responses.every(({ headersSent, closed }) => headersSent || closed)).toBe(true);
  unsubscribe('http.server.request.start', note);
  return {
    /** How their responses ended. */
    bodies,
    /** Bytes that the process holds for them. */
    unread: () => responses.reduce((sum, one) => sum + (one.closed ? 0 : one.writableLength), 0),
    leave: async () => {
      for (const connection of opened) connection.end();
      await expect.poll(() => responses.every(({ closed }) => closed)).toBe(true);
    },
  };
}

describeOnSqlite((openDatabase) => {
  it('responses hold no more for them than the budget, and callers without a key leave the rest to others', {
    tags: 'release',
  }, async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_MAX_BYTES_IN_FLIGHT: String(limitBytes),
      ENVSNAP_TRUST_PROXY: '127.0.0.1',
    });
    const packages = Object.fromEntries(
      Array.from({ length: 15_000 }, (_, place) => [`package-${place}`, `${place * 7919}`]),
    );
    const store = async (fields: object) => {
      const answer = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm', ...fields });
      expect(answer.status).toBe(201);
      return answer.body.id as string;
    };
    const id = await store({ dependencies: { 'package-lock.json': packages } });
    const short = await store({ metadata: { padding: 'x'.repeat(200_000) } });
    const shared = await service.send(key, 'POST', '/machine/shares', { kind: 'snapshot', snapshotId: id });
    const link = (await service.send(key, 'POST', '/machine/console-links', {})).body.url as string;
    const signedIn = await fetch(link, { redirect: 'manual' });
    const cookie = `Cookie: ${signedIn.headers.getSetCookie()[0]?.split(';')[0]}\r\n`;
    const pages = [createSnapshotPages, createProjectPages]
      .flatMap((create) => Object.keys(create({} as never).pages))
      .map((path) => `/console/${path.replaceAll(/:\w+/g, id)}`);
    const sharedPath = new URL(shared.body.url).pathname;
    const floods: [path: string, requests: number, headers: string][] = [
      ...descriptionPaths.map((path): [string, number, string] => [path, few, '']),
      ['/openapi.json', many, 'X-Forwarded-Prefix: /envsnap\r\n'],
      [`/machine/snapshots/${id}`, many, `X-API-Key: ${key}\r\n`],
      [`/machine/snapshots/${short}`, many, `X-API-Key: ${key}\r\n`],
      [sharedPath, many, ''],
      [sharedPath, many, 'Accept-Encoding: gzip\r\n'],
      ...pages.map((path): [string, number, string] => [path, few, cookie]),
      ...['/', '/console', '/console/sign-in', '/metrics', '/nowhere', '/share/nothing'].map(
        (path): [string, number, string] => [path, few, 'Accept: text/html\r\n'],
      ),
    ];
    const held = async () =>
      Number(/^envsnap_in_flight_bytes (.+)$/m.exec((await service.request('GET', '/metrics')).body)?.[1]);
    for (const [path, requests, headers] of floods) {
      const { bodies, unread, leave } = await crowd(service.url, path, headers, requests);
      const heldBytes = await held();
      expect(heldBytes, path).toBeLessThanOrEqual(limitBytes);
      const isShared = descriptionPaths.includes(path) && headers === '';
      if (isShared) expect([heldBytes, bodies.size], path).toEqual([0, 1]);
      else expect(unread(), path).toBeLessThanOrEqual(heldBytes + requests * freeBytes);
      if (path === sharedPath) await store({ dependencies: { 'package-lock.json': packages } });
      await leave();
      await expect.poll(held).toBe(0);
    }
  });
});

describe('the server', () => {
  it('disconnects a client that reads nothing, whatever it is sent', async () => {
    const body = Buffer.alloc(32 * mebibyte);
    const closed = Promise.withResolvers<void>();
    const listener: RequestListener = (_, response) => response.end(body).once('close', closed.resolve);
    const server = await listen(listener, { host: '127.0.0.1', port: 0 }, {}, 200);
    onTestFinished(() => server.stop(0));
    const connection = await openRaw(server.url);
    connection.socket.pause();
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed.promise;
    connection.socket.resume();
    await connection.closed;
    expect(connection.socket.bytesRead).toBeLessThan(body.length);
  });

  it('begins the requests of a connection one after another, and ends one that sends too many', async () => {
    const begun: ServerResponse[] = [];
    const listener: RequestListener = (_, response) => void begun.push(response);
    const server = await listen(listener, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.stop(0));
    const connection = await openRaw(server.url);
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    connection.send(request.repeat(3));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => begun.length).toBe(count);
      begun.at(-1)?.end('x');
    }
    expect((await connection.answers(3)).map(({ status }) => status)).toEqual([200, 200, 200]);
    connection.send(request.repeat(200));
    await connection.closed;
    expect(begun.length).toBe(4);
  });

  it('writes responses in one place', () => {
    const root = 'packages/server/src/';
    const writes =
      /\bresponse\s*\.(?:write|end|send|json)\(\s*[^\s)]|\.pipe\(response|pipeline\([^;]*\bresponse\b/;
    const files = globSync(`${root}**/*.ts`).filter((file) => writes.test(readFileSync(file, 'utf8')));
    expect(files).toEqual([`${root}infra/http/respond.ts`]);
  });
});
