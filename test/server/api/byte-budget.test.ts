import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Executor } from '../../../packages/server/src/infra/db/database.ts';
import { createByteBudget, defaultByteBudget } from '../../../packages/server/src/infra/http/byte-budget.ts';
import { listSnapshotHeads, readSummaries } from '../../../packages/server/src/snapshots/repository.ts';
import { describeEachDatabase, describeOnSqlite } from '../../support/databases.ts';
import { openRaw } from '../../support/raw-http.ts';
import { startProject, type TestService } from '../../support/service.ts';
import { upload } from '../files/support.ts';

const mebibyte = 1024 * 1024;

/** A snapshot with the given bytes of packages, in characters of every length. */
function largeSnapshot(bytes: number) {
  const packages: Record<string, string> = {};
  for (let index = 0; index * 60 < bytes; index += 1)
    packages[`paket-${index}-ä-日-😀`] = `${index}.0.0-${'x'.repeat(20)}`;
  return {
    machineName: 'm',
    dependencies: { 'package-lock.json': packages },
    envVars: { A: 'ü'.repeat(50_000) },
  };
}

/** Waits until the server holds this much, because the order of two connections is not defined. */
async function untilHeld(service: TestService, bytes: number): Promise<void> {
  const heldBytesNow = async () => {
    const { body } = await service.request('GET', '/metrics');
    return Number(/^envsnap_in_flight_bytes (.+)$/m.exec(body)?.[1]);
  };
  await expect.poll(heldBytesNow).toBeGreaterThanOrEqual(bytes);
}

describeEachDatabase((openDatabase) => {
  it('a page of large snapshots is read a mebibyte at a time, and only once there is memory for it', {
    tags: 'both-databases',
  }, async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    for (let index = 0; index < 12; index += 1) {
      const body = { machineName: `m${index}`, metadata: { long: 'x'.repeat(200_000) } };
      await service.send(key, 'POST', '/machine/snapshots', body);
    }
    const reads: number[] = [];
    const executor: Executor = Object.create(service.database, {
      all: {
        value: async (...args: Parameters<Executor['all']>) => {
          const rows = await service.database.all(...args);
          reads.push(JSON.stringify(rows).length);
          return rows;
        },
      },
    });
    const { rows: heads } = await listSnapshotHeads(executor, { projectId }, { limit: 12 });
    const full = () => {
      throw new Error('no memory');
    };
    await expect(readSummaries(executor, projectId, heads, full)).rejects.toThrow('no memory');
    expect(Math.max(...reads)).toBeLessThan(10_000);
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
    };
    const rows = await readSummaries(executor, projectId, heads, hold);
    expect(rows.map(({ id }) => id)).toEqual(heads.map(({ id }) => id));
    expect(held).toBeGreaterThan(12 * 200_000);
    expect(Math.max(...reads)).toBeLessThan(1.1 * mebibyte);
  });

  it('a large body beyond the budget is 503 with Retry-After, at once; small requests and later ones pass', async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_MAX_BYTES_IN_FLIGHT: String(2 * mebibyte),
    });
    const body = JSON.stringify(largeSnapshot(1.5 * mebibyte));
    const head = `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    const bytes = Buffer.from(body);
    const slow = await openRaw(service.url);
    slow.send(`${head}Content-Length: ${bytes.length}\r\n\r\n`);
    // Received bytes count, not announced ones.
    slow.send(bytes.subarray(0, 1000));
    expect((await service.send(key, 'POST', '/machine/snapshots', body)).status).toBe(201);
    slow.send(bytes.subarray(1000, bytes.length - 100));
    await untilHeld(service, bytes.length - 200_000);

    const refused = await service.send(key, 'POST', '/machine/snapshots', body);
    expect(refused.body).toMatchObject({ code: 'server_busy', retryAfter: expect.any(Number) });
    expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([503, true]);
    expect((await service.send(key, 'POST', '/machine/snapshots', { machineName: 's' })).status).toBe(201);

    slow.send(bytes.subarray(bytes.length - 100));
    const [stored] = await slow.answers(1);
    expect(stored?.status).toBe(201);
    expect((await service.send(key, 'POST', '/machine/snapshots', body)).status).toBe(201);
  });

  it('one payer holds a quarter of the memory for bodies, whatever its projects are', async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_MAX_BYTES_IN_FLIGHT: String(8 * mebibyte),
      ENVSNAP_TRUST_PROXY: '127.0.0.1',
    });
    const project = async (address: string) => {
      const body = JSON.stringify({ projectName: address });
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
      const path = `${service.url}/machine/keys/bootstrap`;
      const answer = await fetch(path, { method: 'POST', headers, body });
      return ((await answer.json()) as { apiKey: string }).apiKey;
    };
    const [another, second] = [await project('192.0.2.1'), await project('127.0.0.1')];
    const body = JSON.stringify(largeSnapshot(1.5 * mebibyte));
    const slow = await openRaw(service.url);
    slow.send(
      `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length * 2}\r\n\r\n`,
    );
    slow.send(Buffer.alloc(1.5 * mebibyte, ' '));
    await untilHeld(service, 1.4 * mebibyte);
    const store = async (by: string) => (await service.send(by, 'POST', '/machine/snapshots', body)).status;
    expect([await store(key), await store(second), await store(another)]).toEqual([503, 503, 201]);
    slow.socket.destroy();
    await expect.poll(() => store(key)).toBe(201);
  });

  it('ends a body that brings less than a KiB a second with 408: JSON, an upload, a form', {
    timeout: 30_000,
  }, async () => {
    const { service, key } = await startProject(openDatabase);
    const bodies = [
      ['/machine/snapshots', 'application/json', '{'],
      [
        '/machine/files',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
      ],
      ['/console/sign-in', 'application/x-www-form-urlencoded', 'key='],
    ] as const;
    const statuses = bodies.map(async ([path, type, start]) => {
      const slow = await openRaw(service.url);
      slow.send(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\nContent-Length: 10000\r\n\r\n${start}`,
      );
      const drip = setInterval(() => slow.send(' '), 200);
      const [ended] = await slow.answers(1);
      // The rest of the body must not keep the connection open.
      await expect.poll(() => slow.socket.closed).toBe(true);
      clearInterval(drip);
      return ended?.status;
    });
    expect(await Promise.all(statuses)).toEqual([408, 408, 408]);
  });

  it('a large snapshot comes back whole, and is 503 while others hold the memory for it', async () => {
    const { service, key } = await startProject(openDatabase, {
      ENVSNAP_MAX_BYTES_IN_FLIGHT: String(2 * mebibyte),
    });
    const snapshot = largeSnapshot(1.5 * mebibyte);
    const { id } = (await service.send(key, 'POST', '/machine/snapshots', snapshot)).body;
    const plain = { 'accept-encoding': 'identity' };
    const whole = await service.request('GET', `/machine/snapshots/${id}`, { key, headers: plain });
    const { dependencies, envVars } = whole.body;
    const isWhole = JSON.stringify({ machineName: 'm', dependencies, envVars }) === JSON.stringify(snapshot);
    expect([whole.status, isWhole]).toEqual([200, true]);
    expect(Number(whole.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(whole.body)));

    const slow = await openRaw(service.url);
    slow.send(
      `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${mebibyte}\r\n\r\n`,
    );
    slow.send(Buffer.alloc(mebibyte - 1, ' '));
    await untilHeld(service, mebibyte - 100_000);
    const refused = await service.send(key, 'GET', `/machine/snapshots/${id}`);
    expect([refused.status, refused.body.code]).toEqual([503, 'server_busy']);
    const compared = await service.send(key, 'POST', '/machine/snapshots/compare', {
      snapshotA: id,
      snapshotB: id,
    });
    expect([compared.status, compared.body.code]).toEqual([503, 'server_busy']);
    slow.socket.destroy();
    await expect
      .poll(async () => (await service.send(key, 'GET', `/machine/snapshots/${id}`)).status)
      .toBe(200);
  });
});

describe('uploads', () => {
  describeOnSqlite((openDatabase) => {
    it('reserve only the memory that they use, however large they are', async () => {
      const { service, key } = await startProject(openDatabase, {
        ENVSNAP_MAX_BYTES_IN_FLIGHT: String(mebibyte),
      });
      const head = `POST /machine/files HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n--b\r\n`;
      const stalled = [];
      for (let index = 0; index < 4; index += 1) {
        const connection = await openRaw(service.url);
        connection.send(head);
        stalled.push(connection);
      }
      await untilHeld(service, mebibyte);
      expect(await upload(service, { key }).then(({ body }) => body.code)).toBe('server_busy');
      for (const { socket } of stalled) socket.destroy();
      await expect.poll(async () => (await upload(service, { key })).status).toBe(201);
    });
  });
});

describe('the budget', () => {
  it('counts what responses hold until they close, and lets a single response exceed it', async () => {
    const budget = createByteBudget(100);
    const statuses: number[] = [];
    const server = createServer((incoming, response) => {
      try {
        budget.hold(response, Number(incoming.headers['x-bytes']));
        budget.hold(response, 1);
        statuses.push(200);
      } catch {
        statuses.push(503);
      }
      if (incoming.url === '/end') response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const send = (path: string, bytes: number) => {
      const sent = httpRequest({ port, path, headers: { 'x-bytes': bytes }, agent: false }).on(
        'error',
        () => undefined,
      );
      sent.end();
      return sent;
    };
    const alone = send('/hang', 500);
    await expect.poll(() => budget.heldBytes).toBe(500);
    send('/end', 10);
    await expect.poll(() => statuses).toEqual([200, 503]);
    alone.destroy();
    await expect.poll(() => budget.heldBytes).toBe(0);
    const [first, second] = [send('/hang', 60), send('/hang', 40)];
    await expect.poll(() => budget.heldBytes).toBe(100);
    first.destroy();
    second.destroy();
    await expect.poll(() => budget.heldBytes).toBe(0);
    server.closeAllConnections();
    server.close();
  });

  it('is a sixteenth of the memory by default or a twelfth of the heap, whichever is less, within bounds', () => {
    const heap = 1024 ** 4;
    expect(defaultByteBudget(256 * mebibyte, heap)).toBe(16 * mebibyte);
    expect(defaultByteBudget(16 * mebibyte, heap)).toBe(8 * mebibyte);
    expect(defaultByteBudget(1024 ** 4, heap)).toBe(512 * mebibyte);
    expect(defaultByteBudget(1024 ** 4, 240 * mebibyte)).toBe(20 * mebibyte);
  });
});
