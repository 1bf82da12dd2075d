// Downloads in progress end with the file, and if the caller reads nothing. For their end with the caller's key, see:
// test/security/service/ended-keys.test.ts.

import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FileSource, sendFile } from '../../../packages/server/src/files/send-file.ts';
import { AppError } from '../../../packages/server/src/infra/app-error.ts';
import { listen } from '../../../packages/server/src/infra/http/http-server.ts';
import { attachContext } from '../../../packages/server/src/infra/http/request-context.ts';
import { cleanUpAfterTest } from '../../support/clean-up.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { openRaw, type RawConnection } from '../../support/raw-http.ts';
import { startProject } from '../../support/service.ts';
import { beginDownload, fileBytes, takeRest, upload } from './support.ts';

describeEachDatabase((openDatabase) => {
  it('a download that waits for its reader ends when the file is deleted', async () => {
    const { service, key } = await startProject(openDatabase);
    const { id } = (await upload(service, { key, content: new Uint8Array(fileBytes) })).body;
    const begun = await beginDownload(service.url, `/machine/files/${id}`, key);
    await service.send(key, 'DELETE', `/machine/files/${id}`);
    await sleep(2500);
    expect(await takeRest(begun)).toBeLessThan(fileBytes);
  });

  it('a download continues for a caller who is allowed to read it, however slowly', async () => {
    const { service, key } = await startProject(openDatabase);
    const { id } = (await upload(service, { key, content: new Uint8Array(fileBytes) })).body;
    const connection = await beginDownload(service.url, `/machine/files/${id}`, key);
    await sleep(2500);
    connection.socket.resume();
    await expect.poll(() => connection.socket.bytesRead).toBeGreaterThan(fileBytes);
    connection.end();
  });
});

describe('the sending of a file', () => {
  const chunk = Buffer.alloc(1024 * 1024);
  const sentBytes = 32 * chunk.length;

  let closed: Promise<void>;
  async function serve(source: Partial<FileSource>, stallMs?: number): Promise<string> {
    const listener: RequestListener = async (request, response) => {
      attachContext(request, { hold: () => undefined } as never);
      closed = new Promise((resolve) => response.once('close', resolve));
      const file = {
        id: 'f',
        filename: 'a.bin',
        content_type: 'application/octet-stream',
        size_bytes: sentBytes,
        checksum: 'c',
      };
      async function* open() {
        for (let sent = 0; sent < sentBytes; sent += chunk.length) yield chunk;
      }
      const terms = {
        open: async () => open(),
        checkAgain: async () => undefined,
        checkMs: 3_600_000,
        ...source,
      };
      await sendFile(request as never, response, file as never, terms).catch(() => response.destroy());
    };
    const server = await listen(listener, { host: '127.0.0.1', port: 0 }, {}, stallMs);
    cleanUpAfterTest(() => server.stop(0));
    return server.url;
  }

  it('ends for a reader who takes nothing', async () => {
    const connection = await beginDownload(await serve({}, 200), '/');
    await closed;
    expect(await takeRest(connection)).toBeLessThan(sentBytes);
  });

  it('releases its source when the caller disconnects before the first byte', async () => {
    const connection = Promise.withResolvers<RawConnection>();
    let hasDisconnected = false;
    async function* open() {
      try {
        (await connection.promise).end();
        await (await connection.promise).closed;
        await sleep(50);
        yield chunk;
      } finally {
        hasDisconnected = true;
      }
    }
    const raw = await openRaw(await serve({ open: async () => open() }));
    raw.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    connection.resolve(raw);
    await expect.poll(() => hasDisconnected).toBe(true);
  });

  it('waits for bytes that come late, which is not the reader’s fault', async () => {
    async function* open() {
      yield chunk;
      await sleep(1000);
      for (let sent = chunk.length; sent < sentBytes; sent += chunk.length) yield chunk;
    }
    const connection = await openRaw(await serve({ open: async () => open() }, 200));
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => connection.socket.bytesRead).toBeGreaterThan(sentBytes);
    connection.end();
  });

  it('checks the key also while no byte moves', async () => {
    async function* open() {
      yield chunk;
      await new Promise(() => undefined);
    }
    const checkAgain = () => Promise.reject(new AppError('invalid_api_key', 'Invalid API key'));
    const source = { open: async () => open(), checkAgain, checkMs: 5 };
    const connection = await openRaw(await serve(source));
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.closed;
    expect(connection.socket.bytesRead).toBeLessThan(sentBytes);
  });

  it('checks the key after every eight mebibytes, and ends on a refusal but not on a failed check', async () => {
    let checks = 0;
    const checkAgain = async () => {
      checks += 1;
      if (checks === 1) throw new AppError('database_unavailable', 'away for a moment');
      if (checks === 3) throw new AppError('invalid_api_key', 'Invalid API key');
    };
    const connection = await openRaw(await serve({ checkAgain }));
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.closed;
    expect(checks).toBe(3);
    expect(connection.socket.bytesRead).toBeGreaterThan(16 * 1024 * 1024);
    expect(connection.socket.bytesRead).toBeLessThan(sentBytes);
  });
});
