// Mixed load for a while: nothing grows, nothing slows down.

import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, none, percentile, shown } from '../check.ts';
import { bootstrap, send, workers } from '../requests.ts';
import { memoryOf } from '../world.ts';

export const soak: Check = {
  name: 'soak',
  what: 'two minutes of mixed requests, about 150 a second',
  async run({ rounds, random, world }) {
    const server = await world.startServer();
    const { key, projectId } = await bootstrap(server.url);
    const seconds = rounds(120);
    const untilMs = Date.now() + seconds * 1000;
    const ids: string[] = [];
    const times: number[] = [];
    let failed = 0;
    const memory: number[] = [];
    const handles: number[] = [];
    const sampling = workers(
      1,
      () => Date.now() >= untilMs,
      async () => {
        memory.push(memoryOf(server.pid).nowMiB);
        handles.push(readdirSync(`/proc/${server.pid}/fd`).length);
        await sleep(1000);
      },
    );
    const machine = `${server.url}/machine`;
    const calling = workers(
      8,
      () => Date.now() >= untilMs,
      async () => {
        const dice = random();
        const id = ids[Math.floor(random() * ids.length)];
        let answer: { status: number; ms: number };
        if (dice < 0.3 || id === undefined) {
          const body = {
            machineName: `m${ids.length % 20}`,
            envVars: { A: 'x'.repeat(500) },
            runtimeVersions: { node: '24' },
          };
          const made = await send('POST', `${machine}/snapshots`, { key, body });
          if (made.status === 201) ids.push(made.body.id);
          answer = made;
        } else if (dice < 0.7) answer = await send('GET', `${machine}/snapshots/${id}`, { key });
        else if (dice < 0.8) answer = await send('GET', `${machine}/snapshots?limit=20`, { key });
        else if (dice < 0.9) answer = await send('GET', `${machine}/usage`, { key });
        else answer = await send('GET', `${machine}/projects/${projectId}`, { key });
        if (answer.status !== 200 && answer.status !== 201) failed += 1;
        times.push(answer.ms);
        await sleep(Math.max(0, 50 - answer.ms));
      },
    );
    await Promise.all([calling, sampling]);
    await server.end();
    const half = memory.slice(Math.floor(memory.length / 2));
    const slope = (((half.at(-1) ?? 0) - (half[0] ?? 0)) / half.length) * 60;
    return [
      none(`failed requests, of ${times.length}`, failed),
      shown('requests a second', String(Math.round(times.length / seconds))),
      atMost('p99', percentile(times, 0.99), 50, 'ms'),
      shown(
        'memory at the end',
        `${Math.round(memory.at(-1) ?? 0)} MiB, ${slope.toFixed(1)} MiB a minute over the second half`,
      ),
      atMost('most resident memory', Math.max(...memory), 200, 'MiB'),
      shown('open files, first and last', `${handles[0]}, ${handles.at(-1)}`),
    ];
  },
};
