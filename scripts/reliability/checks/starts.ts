// Servers that start together, and one that is stopped under load again and again.

import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, every, percentile } from '../check.ts';
import { type Answer, bootstrap, writeSnapshots } from '../requests.ts';

export const starts: Check = {
  name: 'starts',
  what: 'five servers start at once on an empty PostgreSQL; a server is stopped (SIGTERM) under load',
  async run({ rounds, random, world }) {
    const postgres = await world.postgres();
    const tries = rounds(10);
    const readyMs: number[] = [];
    let agreed = 0;
    for (let index = 0; index < tries; index += 1) {
      const databaseUrl = await postgres.createDatabase();
      const startedMs = performance.now();
      const starting = Array.from({ length: 5 }, () => world.startServer({ databaseUrl }));
      const servers = await Promise.all(starting);
      readyMs.push(performance.now() - startedMs);
      const rows = await postgres.query(
        databaseUrl,
        'select count(*)::int as total, count(distinct name)::int as names from schema_migrations',
      );
      if (rows[0]?.total === rows[0]?.names) agreed += 1;
      await Promise.all(servers.map((server) => server.end()));
    }
    const stops = rounds(50);
    let clean = 0;
    let broken = 0;
    const stopMs: number[] = [];
    const dataDir = world.folder();
    for (let index = 0; index < stops; index += 1) {
      const server = await world.startServer({ dataDir });
      const { key } = await bootstrap(server.url);
      const pauseMs = ({ status }: Answer) => (status === 0 ? 20 : 0);
      const calling = writeSnapshots(6, key, () => server.url, { pauseMs });
      await sleep(100 + random() * 200);
      const startedMs = performance.now();
      if ((await server.end()) === 0) clean += 1;
      stopMs.push(performance.now() - startedMs);
      await calling.stop();
      // A refused connection means a stopped server; an incomplete response does not.
      const isRefused = ({ status, body }: Answer) => status === 0 && /fetch failed/.test(String(body));
      const isWhole = (answer: Answer) => [201, 503].includes(answer.status) || isRefused(answer);
      broken += calling.answers.filter((answer) => !isWhole(answer)).length;
    }
    return [
      every('five servers started at once: migrated once', agreed, tries),
      atMost('five servers started at once: all ready, slowest', Math.max(...readyMs), 30_000, 'ms'),
      every('SIGTERM under load: exit code 0', clean, stops),
      atMost('SIGTERM under load: time until the end, p99', percentile(stopMs, 0.99), 10_000, 'ms'),
      every('SIGTERM under load: no response cut off', stops - Math.min(stops, broken), stops),
    ];
  },
};
