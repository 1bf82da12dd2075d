// Two servers behind nginx are restarted in turn while callers open new connections; no request fails.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, every, none, shown, shownP99 } from '../check.ts';
import { writeNginxConfiguration } from '../nginx-configuration.ts';
import { freePort } from '../postgres-server.ts';
import { findMissing, startProgram } from '../programs.ts';
import { bootstrap, countStatuses, keepDoing, send, upload } from '../requests.ts';
import type { World } from '../world.ts';

/** nginx with the configuration of `deploy/`, on its own ports. */
async function startNginx(
  world: World,
  ports: readonly [number, number],
): Promise<{ readonly url: string; readonly errors: () => string[] }> {
  const folder = world.folder();
  const port = await freePort();
  const file = writeNginxConfiguration(folder, { port, servers: ports });
  await startProgram(world, ['nginx', '-c', file, '-p', folder], { port });
  return {
    url: `http://127.0.0.1:${port}`,
    errors: () => readFileSync(path.join(folder, 'error.log'), 'utf8').split('\n').filter(Boolean),
  };
}

export const rolling: Check = {
  name: 'rolling',
  what: 'two servers behind nginx restart in turn while eight callers read, write and upload, a new connection each time',
  unavailable: () => (findMissing('nginx') ? 'nginx is not installed' : undefined),
  async run({ rounds, world }) {
    const databaseUrl = await (await world.postgres()).createDatabase();
    const dataDir = world.folder();
    const ports = [await freePort(), await freePort()] as const;
    const env = { ENVSNAP_DRAIN_SECONDS: '3', ENVSNAP_TRUST_PROXY: '127.0.0.1' };
    // One folder for both: the disk store replaces the bucket that they would share.
    const start = (index: 0 | 1) => world.startServer({ databaseUrl, dataDir, env, port: ports[index] });
    const servers = [await start(0), await start(1)];
    const { url, errors } = await startNginx(world, ports);
    const { key } = await bootstrap(url);
    const { body: made } = await send('POST', `${url}/machine/snapshots`, {
      key,
      body: { machineName: 'm' },
    });
    const link = await send('GET', `${url}/envsnap/openapi.json`);

    const answers: { status: number }[] = [];
    const times: number[] = [];
    let acknowledged = 1;
    const calling = keepDoing(8, async (worker) => {
      const headers = { connection: 'close' };
      const startedMs = performance.now();
      let status: number;
      if (worker < 4)
        ({ status } = await send('GET', `${url}/machine/snapshots/${made.id}`, { key, headers }));
      else if (worker < 7) {
        const body = { machineName: 'm' };
        ({ status } = await send('POST', `${url}/machine/snapshots`, { key, headers, body }));
        if (status === 201) acknowledged += 1;
      } else status = await upload(url, key, 500_000);
      answers.push({ status });
      times.push(performance.now() - startedMs);
      await sleep(5);
    });
    const restarts = rounds(20);
    let clean = 0;
    const stopMs: number[] = [];
    for (let index = 0; index < restarts; index += 1) {
      await sleep(300);
      const which = (index % 2) as 0 | 1;
      const startedMs = performance.now();
      if ((await servers[which]?.end()) === 0) clean += 1;
      stopMs.push(performance.now() - startedMs);
      servers[which] = await start(which);
    }
    await sleep(500);
    await calling.stop();
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
    const { body: list } = await send('GET', `${url}/machine/snapshots?limit=1`, { key });
    for (const server of servers) await server.end();
    return [
      none(`failed requests, of ${answers.length} in ${restarts} restarts`, failed.length),
      shown('statuses', JSON.stringify(countStatuses(answers))),
      // Connections that a server refused are tried on the other; only failures matter.
      ...(failed.length > 0
        ? [
            shown(
              'nginx, what failed',
              errors()
                .filter((line) => !line.includes('Connection refused'))
                .slice(0, 3)
                .join(' / '),
            ),
          ]
        : []),
      every('servers that ended with 0', clean, restarts),
      every('snapshots stored, of those acknowledged', list.total, acknowledged),
      every(
        'address in the API description has the path that nginx adds',
        link.body.servers?.[0]?.url === '/envsnap' ? 1 : 0,
        1,
      ),
      shownP99('requests', times),
      shownP99('from SIGTERM to the end (3 s of drain)', stopMs),
    ];
  },
};
