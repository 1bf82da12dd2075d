// @module-tag both-databases

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startServerCommand } from '../../support/programs.ts';
import { startServiceOn } from '../../support/service.ts';

/** A connection to a database that can be cut and restored. */
async function startLine(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  async function open(port: number): Promise<number> {
    server = createServer((near) => {
      const far = connect(target);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.pipe(far);
      far.pipe(near);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }
  const port = await open(0);
  function cut(): void {
    server?.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  onTestFinished(cut);
  return { port, cut, mend: () => open(port) };
}

describeEachDatabase((openDatabase) => {
  describe.skipIf(openDatabase.databaseName === 'sqlite')('a database that is away', () => {
    it('makes requests 503 with Retry-After, keeps the server alive, and is used again once it is back', async () => {
      const target = await openDatabase.target('migrated');
      const url = new URL(target.url as string);
      const line = await startLine({ host: url.hostname, port: Number(url.port) });
      url.port = String(line.port);
      const service = await startServiceOn(await openDatabase.again({ ...target, url: url.href }));
      const { apiKey: key } = await service.bootstrap();
      const create = () => service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      expect((await create()).status).toBe(201);
      const audit = startServerCommand(['audit', '--all', '--follow'], { DATABASE_URL: url.href });
      await audit.waitFor('stderr', /Waiting/);

      line.cut();
      const answers = await Promise.all([
        create(),
        service.send(key, 'GET', '/machine/usage'),
        service.request('GET', '/machine/usage'),
        service.request('POST', '/machine/keys/bootstrap', { body: { projectName: 'p' } }),
        service.request('GET', '/ready'),
      ]);
      for (const { status, headers, body } of answers) {
        expect([status, body.code]).toEqual([503, 'database_unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(body.retryAfter).toBe(Number(headers.get('retry-after')));
        expect(headers.get('x-ratelimit-limit')).not.toBeNull();
        expect(JSON.stringify(body)).not.toMatch(/ECONN|postgres|127\.0\.0\.1/i);
      }
      expect((await service.request('GET', '/health')).status).toBe(200);
      await audit.waitFor('stderr', /cannot be reached/);
      // The check may use a result that is a second old, and the metric one that is five seconds old.
      await sleep(1100);
      expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('\nenvsnap_ready 0\n');

      await line.mend();
      expect((await service.request('GET', '/ready')).status).toBe(200);
      expect((await create()).status).toBe(201);
      const list = await service.send(key, 'GET', '/machine/snapshots');
      expect(list.body.total).toBe(2);
      await service.bootstrap('later');
      await audit.waitFor('stdout', /"later"/);
    });
  });
});
