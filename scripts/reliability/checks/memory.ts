// Many large bodies at once on a machine with 256 MiB.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, every, none, percentile, shown } from '../check.ts';
import type { CrowdAnswer, CrowdOrder } from '../crowd.ts';
import { bootstrap, countStatuses, keepDoing, send } from '../requests.ts';
import { memoryOf } from '../world.ts';

const limitBytes = 256 * 1024 * 1024;
const callers = 100;
const groups = '/sys/fs/cgroup';

/** Makes a control group with the memory limit; undefined if that is impossible. */
function createGroup(): { command: string[]; remove: () => void } | undefined {
  const name = `envsnap-${process.pid}`;
  const isV1 = existsSync(path.join(groups, 'memory/memory.limit_in_bytes'));
  const folder = path.join(groups, isV1 ? 'memory' : '', name);
  try {
    mkdirSync(folder);
    writeFileSync(path.join(folder, isV1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limitBytes));
  } catch {
    return undefined;
  }
  const script = `echo $$ > ${path.join(folder, 'cgroup.procs')}; exec "$0" "$@"`;
  return { command: ['sh', '-c', script], remove: () => rmdirSync(folder) };
}

/** A snapshot of about 7.2 MB of JSON. */
function largeSnapshot(): string {
  const packages: Record<string, string> = {};
  for (let index = 0; index < 90_000; index += 1)
    packages[`@organisation-${index % 97}/package-with-a-name-${index}`] =
      `${index}.2.3-with.some.more.text.behind`;
  return JSON.stringify({ machineName: 'large', dependencies: { 'package-lock.json': packages } });
}

/** Lets a crowd make its requests, and returns the responses. */
async function askCrowd(order: CrowdOrder): Promise<CrowdAnswer[]> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../crowd.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  return JSON.parse(await text(child.stdout)) as CrowdAnswer[];
}

export const memory: Check = {
  name: 'memory',
  what: '100 callers send and fetch 7 MB snapshots at once, in 256 MiB: the server stays up and responds to everybody',
  unavailable: () => {
    const group = createGroup();
    group?.remove();
    return group ? undefined : 'a control group with a memory limit needs root on Linux';
  },
  async run({ rounds, world }) {
    const group = createGroup();
    if (!group) throw new Error('no control group');
    world.onEnd(async () => {
      await sleep(500);
      group.remove();
    });
    const server = await world.startServer({ wrapper: group.command });
    const { key } = await bootstrap(server.url);
    const body = largeSnapshot();
    const first = await send('POST', `${server.url}/machine/snapshots`, { key, body });
    const health: number[] = [];
    const probing = keepDoing(1, async () => {
      const answer = await send('GET', `${server.url}/health`);
      health.push(answer.status === 200 ? answer.ms : Number.POSITIVE_INFINITY);
      await sleep(10);
    });
    const posts: CrowdAnswer[] = [];
    const gets: CrowdAnswer[] = [];
    const snapshots = `${server.url}/machine/snapshots`;
    for (let round = 0; round < rounds(3); round += 1) {
      posts.push(...(await askCrowd({ callers, method: 'POST', url: snapshots, key, body })));
      gets.push(...(await askCrowd({ callers, method: 'GET', url: `${snapshots}/${first.body.id}`, key })));
    }
    await probing.stop();
    const isRefused = ({ status, retryAfter }: CrowdAnswer) => status === 503 && Number(retryAfter) > 0;
    const answered = [...posts, ...gets];
    const fair = answered.filter(
      (answer) => answer.status === 201 || answer.status === 200 || isRefused(answer),
    );
    const alive = (await send('GET', `${server.url}/ready`)).status;
    const { peakMiB } = memoryOf(server.pid);
    return [
      none('times the server died', alive === 200 ? 0 : 1),
      every('callers that got their response, or 503 with Retry-After', fair.length, answered.length),
      shown('responses to POST', JSON.stringify(countStatuses(posts))),
      shown('responses to GET', JSON.stringify(countStatuses(gets))),
      atMost('/health under this load, p99', percentile(health, 0.99), 200, 'ms'),
      shown('/health under this load, longest', `${Math.round(Math.max(...health))} ms`),
      shown('most resident memory', `${Math.round(peakMiB)} MiB`),
    ];
  },
};
