// A diagnosis over 1,000 stored snapshots on the built server: how long it takes, what memory it needs, and how long other
// callers wait meanwhile.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, type Random } from '../causes/random.ts';
import { startListening } from '../process.ts';
import { type Figure, median } from '../result.ts';

const snapshots = 1000;
const packages = 1000;
const variables = 100;
const rounds = 5;
const root = path.resolve(import.meta.dirname, '../..');

function createBody(index: number, random: Random): string {
  const failed = index % 2 === 1;
  const locked = Object.fromEntries(
    Array.from({ length: packages }, (_, n): [string, string] => {
      const patch = failed && n % 3 === 0 ? 2 : random.chance(0.02) ? 1 : 0;
      return [`package-${n}`, `1.${n % 20}.${patch}`];
    }),
  );
  const envVars = Object.fromEntries(
    Array.from({ length: variables }, (_, n): [string, string] => [
      `VARIABLE_${n}`,
      n < 10 ? `run-${index}-${n}` : `value-${n}-${random.chance(0.1) ? 1 : 0}`,
    ]),
  );
  return JSON.stringify({
    machineName: `runner-${index % 20}`,
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node: '24.1.0' },
    dependencies: { 'package-lock.json': locked },
    envVars,
    metadata: { outcome: failed ? 'failed' : 'passed', capture: { envValues: 'safe' } },
  });
}

/** Resident memory of a process in MiB, as Linux reports it; the most it ever was with `VmHWM`. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
}

/** Processor time of a process so far, in milliseconds: what a busy machine does not change. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  // Fields 14 and 15 of proc(5), in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Measures on the embedded database, and on the one that `BENCH_DATABASE_URL` names where it is set. */
export async function proveService(): Promise<Figure[]> {
  const figures = await measure('SQLite', {});
  const url = process.env.BENCH_DATABASE_URL;
  if (!url) return figures;
  const more = { DATABASE_URL: url, ENVSNAP_ENCRYPTION_KEY: '11'.repeat(32) };
  return [...figures, ...(await measure('PostgreSQL', more))];
}

async function measure(database: string, env: Record<string, string>): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const server = await startListening(
    [path.join(root, 'packages/server/bin/envsnap-server.js'), 'start', '--port', '0', '--data-dir', dataDir],
    {
      ENVSNAP_RATE_PER_MINUTE: '2000000000',
      ENVSNAP_RATE_PER_DAY: '2000000000',
      ENVSNAP_MAX_SNAPSHOTS: '2000000000',
      ENVSNAP_LOG_LEVEL: 'warn',
      ...env,
    },
  );
  try {
    const json = { 'content-type': 'application/json' };
    const send = (method: string, route: string, body: string | null, key = '') =>
      fetch(`${server.url}${route}`, {
        method,
        headers: { ...json, ...(key && { 'x-api-key': key }) },
        body,
      });
    const bootstrap = await send('POST', '/machine/keys/bootstrap', '{"projectName":"bench"}');
    const { apiKey } = (await bootstrap.json()) as { apiKey: string };
    const random = createRandom('diagnosis');
    for (let index = 0; index < snapshots; index += 1) {
      const answer = await send('POST', '/machine/snapshots', createBody(index, random), apiKey);
      if (answer.status !== 201) throw new Error(`a snapshot was not stored: ${answer.status}`);
      await answer.arrayBuffer();
    }
    const pid = server.child.pid as number;
    const before = memoryOf(pid, 'VmRSS');
    const times: number[] = [];
    const cpuBeforeMs = cpuMsOf(pid);
    const waits: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      let done = false;
      const startedMs = performance.now();
      const diagnosis = send('POST', '/machine/diagnosis', '{}', apiKey)
        .then((answer) => answer.json())
        .finally(() => {
          times.push(performance.now() - startedMs);
          done = true;
        });
      // One other caller, ten times a second.
      while (!done) {
        const askedMs = performance.now();
        await (await send('GET', '/machine/keys/current', null, apiKey)).arrayBuffer();
        waits.push(performance.now() - askedMs);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { findings } = (await diagnosis) as { findings: { keys: string[] }[] };
      if (findings[0]?.keys.length !== Math.ceil(packages / 3)) throw new Error('the cause was not found');
    }
    const cpuMs = (cpuMsOf(pid) - cpuBeforeMs) / rounds;
    const sorted = waits.sort((x, y) => x - y);
    const what = `${database}, ${snapshots} snapshots of ${packages} packages and ${variables} variables`;
    return [
      { name: `diagnosis: ${what}`, value: median(times), unit: 'ms', aim: '< 2,000 ms' },
      { name: `diagnosis: ${database}, processor time of the server`, value: cpuMs, unit: 'ms' },
      {
        name: `diagnosis: ${database}, memory beyond what the server had before`,
        value: Math.max(0, memoryOf(pid, 'VmHWM') - before),
        unit: 'MiB',
        aim: '< 200 MiB',
      },
      {
        name: `diagnosis: ${database}, another caller meanwhile, p99`,
        value: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
        unit: 'ms',
      },
    ];
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
