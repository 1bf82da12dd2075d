// Backups while clients write: each restores with everything that was acknowledged before it began.

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import { type Check, every, type Figure, percentile, shown } from '../check.ts';
import { bootstrap, writeSnapshots } from '../requests.ts';

export const backupLoad: Check = {
  name: 'backup-load',
  what: 'backups are made while 100 snapshots a second are written; each is restored into a fresh folder',
  async run({ rounds, world }) {
    const figures: Figure[] = [];
    const server = await world.startServer();
    const { key } = await bootstrap(server.url);
    const { answers, acknowledged, stop } = writeSnapshots(4, key, () => server.url, {
      pauseMs: ({ ms }) => 40 - ms,
      envVars: { A: 'x'.repeat(200) },
    });
    const timesSoFar = () => answers.splice(0).map(({ ms }) => ms);
    await sleep(3000);
    const baseline = percentile(timesSoFar(), 0.99);
    const made: { file: string; before: number }[] = [];
    const count = rounds(15);
    for (let index = 0; index < count; index += 1) {
      const file = path.join(world.folder(), 'backup');
      const before = acknowledged.length;
      const { exitCode } = await world.command(['backup', file], { ENVSNAP_DATA_DIR: server.dataDir });
      if (exitCode === 0) made.push({ file, before });
    }
    await stop();
    const during = percentile(timesSoFar(), 0.99);
    let whole = 0;
    let complete = 0;
    for (const { file, before } of made) {
      const dataDir = path.join(world.folder(), 'data');
      const restored = await world.command(['restore', file], { ENVSNAP_DATA_DIR: dataDir });
      if (restored.exitCode !== 0) continue;
      const database = await openDatabase({ url: undefined, dataDir });
      if ((await database.findDamage()).length === 0) whole += 1;
      const rows = await database.all<{ id: string }>(database.dialect.builder('snapshots').select('id'));
      const stored = new Set(rows.map(({ id }) => id));
      if (acknowledged.slice(0, before).every((id) => stored.has(id))) complete += 1;
      await database.close();
    }
    figures.push(
      every('backups that restore into an intact database', whole, count),
      every('backups with every write that was acknowledged before', complete, count),
      shown('writes, p99 without and with a backup', `${Math.round(baseline)} ms, ${Math.round(during)} ms`),
      shown('writes in all', String(acknowledged.length)),
    );
    await server.end();
    return figures;
  },
};
