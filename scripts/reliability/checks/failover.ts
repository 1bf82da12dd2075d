// A PostgreSQL cluster loses its leader with the machine while callers write.

import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, every, none, shown } from '../check.ts';
import { findMissingPart, startCluster } from '../patroni.ts';
import { bootstrap, countStatuses, writeSnapshots } from '../requests.ts';

/** Successful requests in a row, after which the service counts as recovered. */
const steady = 10;

export const failover: Check = {
  name: 'failover',
  what: 'PostgreSQL under Patroni with synchronous replication loses its leader while four callers write by two servers',
  unavailable: findMissingPart,
  async run({ rounds, world }) {
    const cluster = await startCluster(world);
    const databaseUrl = await cluster.createDatabase();
    const servers = [await world.startServer({ databaseUrl }), await world.startServer({ databaseUrl })];
    const { key } = await bootstrap(servers[0]?.url ?? '');

    let inARow = 0;
    const { answers, acknowledged, stop } = writeSnapshots(
      4,
      key,
      (worker) => servers[worker % 2]?.url ?? '',
      {
        pauseMs: ({ status }) => {
          inARow = status === 201 ? inARow + 1 : 0;
          return status === 201 ? 0 : 100;
        },
      },
    );
    const electedMs: number[] = [];
    const backMs: number[] = [];
    for (let round = rounds(2); round > 0; round -= 1) {
      await cluster.untilSynchronous();
      await sleep(2000);
      const old = (await cluster.leader()) as string;
      const lostMs = performance.now();
      await cluster.lose(old);
      while ((await cluster.leader()) === undefined) await sleep(100);
      const leaderMs = performance.now();
      inARow = 0;
      while (inARow < steady && performance.now() < leaderMs + 120_000) await sleep(50);
      electedMs.push(leaderMs - lostMs);
      backMs.push(performance.now() - leaderMs);
      await cluster.restore(old);
    }
    await stop();
    const rows = await cluster.query(databaseUrl, 'select id from snapshots');
    const stored = new Set(rows.map(({ id }) => id));
    const ends = await Promise.all(servers.map((server) => server.end()));
    const errors = answers.filter(({ status }) => status !== 201);
    return [
      none(
        `acknowledged writes lost, of ${acknowledged.length} over ${backMs.length} failovers`,
        acknowledged.filter((id) => !stored.has(id)).length,
      ),
      none('responses that are neither 201 nor 503', errors.filter(({ status }) => status !== 503).length),
      every(
        '503 with Retry-After',
        errors.filter(({ headers }) => headers.has('retry-after')).length,
        errors.length,
      ),
      shown('responses', JSON.stringify(countStatuses(answers))),
      shown('from the loss to a new leader, slowest', `${(Math.max(...electedMs) / 1000).toFixed(1)} s`),
      atMost('writing again after the new leader, slowest', Math.max(...backMs) / 1000, 15, 's'),
      every('servers that ended with 0', ends.filter((code) => code === 0).length, servers.length),
    ];
  },
};
