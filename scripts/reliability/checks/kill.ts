// kill -9 at any moment: acknowledged writes survive, and the database is intact.

import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import { atMost, type Check, every, type Figure, none, percentile, shown } from '../check.ts';
import { bootstrap, send, writeSnapshots } from '../requests.ts';
import type { World } from '../world.ts';

async function killOver(
  world: World,
  databaseUrl: string | undefined,
  cycles: number,
  random: () => number,
): Promise<{ acknowledged: number; lost: number; whole: number; readyMs: number[] }> {
  const dataDir = world.folder();
  const place = { dataDir, databaseUrl };
  let server = await world.startServer(place);
  const { key } = await bootstrap(server.url);
  const acknowledged = new Set<string>();
  const readyMs: number[] = [];
  let whole = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const { url } = server;
    const writing = writeSnapshots(4, key, () => url, {
      pauseMs: ({ status }) => (status === 0 ? 20 : 0),
      envVars: { A: 'x'.repeat(100) },
    });
    await sleep(100 + random() * 1900);
    await server.end('SIGKILL');
    await writing.stop();
    for (const id of writing.acknowledged) acknowledged.add(id);
    const startedMs = performance.now();
    server = await world.startServer(place);
    if ((await send('GET', `${server.url}/ready`)).status === 200)
      readyMs.push(performance.now() - startedMs);
    const database = await openDatabase({ url: databaseUrl, dataDir });
    if ((await database.findDamage()).length === 0) whole += 1;
    await database.close();
  }
  await server.end();
  const database = await openDatabase({ url: databaseUrl, dataDir });
  const rows = await database.all<{ id: string }>(database.dialect.builder('snapshots').select('id'));
  await database.close();
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged].filter((id) => !stored.has(id)).length;
  return { acknowledged: acknowledged.size, lost, whole, readyMs };
}

export const kill: Check = {
  name: 'kill',
  what: 'a server under load is killed (SIGKILL) at random moments, on SQLite and on PostgreSQL',
  async run({ rounds, random, world }) {
    const figures: Figure[] = [];
    for (const [name, url] of await world.databases()) {
      const cycles = rounds(url ? 80 : 120);
      const { acknowledged, lost, whole, readyMs } = await killOver(world, url, cycles, random);
      figures.push(
        none(`${name}: acknowledged writes lost, of ${acknowledged} in ${cycles} kills`, lost),
        every(`${name}: database intact afterwards`, whole, cycles),
        atMost(`${name}: ready again, p99`, percentile(readyMs, 0.99), 3000, 'ms'),
        shown(`${name}: ready again, median`, `${Math.round(percentile(readyMs, 0.5))} ms`),
      );
    }
    return figures;
  },
};
