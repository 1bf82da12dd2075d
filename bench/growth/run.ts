// How cost grows: each endpoint on a large project compared with one of 1,000 snapshots, and how long another caller waits
// meanwhile and while the large project is deleted.
//
//   node --conditions=envsnap-source bench/growth/run.ts [sqlite|postgresql] [SNAPSHOTS] [REQUESTS] [ROUNDS]
//
// Default: sqlite 1000000 1000000 100. A million of each takes about 3 GB below the temporary folder, and is removed at the end.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../packages/server/src/infra/db/connection.ts';
import { startPostgres } from '../../scripts/reliability/postgres-server.ts';
import { startListening } from '../process.ts';
import { seed, spanMs } from './seed.ts';

const [kind = 'sqlite', snapshots = 1_000_000, requests = 1_000_000, rounds = 100] = process.argv
  .slice(2)
  .map((value, index) => (index === 0 ? value : Number(value))) as [string, number, number, number];
const program = path.join(import.meta.dirname, '../../packages/server/bin/envsnap-server.js');
const small = 1000;
const nowMs = Date.now();
const moment = (share: number) => new Date(nowMs - spanMs * (1 - share)).toISOString();

/** Calls of the API; `total` is that of the requested project. */
const calls: Record<string, (total: number) => string> = {
  list: () => 'snapshots',
  'list, os': () => 'snapshots?os=linux',
  'list, rare os': () => 'snapshots?os=win32',
  'list, arch': () => 'snapshots?arch=arm64',
  'list, outcome': () => 'snapshots?outcome=failed',
  'list, outcomeOf': () => 'snapshots?outcomeOf=nightly-1',
  'list, machine': () => 'snapshots?machineName=machine-1',
  'list, machine and os': () => 'snapshots?machineName=machine-1&os=linux&arch=x64',
  'list, from and to': () => `snapshots?from=${moment(0.2)}&to=${moment(0.73)}`,
  'list, os, from and to': () => `snapshots?os=linux&from=${moment(0.2)}&to=${moment(0.73)}`,
  'list, at half': (total) => `snapshots?offset=${total / 2}`,
  'list, os, at a third': (total) => `snapshots?os=linux&offset=${Math.floor(total / 3)}`,
  machines: () => 'machines',
  'machines, values': () => 'machines?keys=os,runtimes.node',
  history: () => 'history?key=os',
  'history of a machine': () => 'history?key=os&machineName=machine-1',
  usage: () => 'usage',
  'requests by day': () => 'usage/requests',
  'requests by month': () => 'usage/requests?period=month',
  'requests by hour': () => `usage/requests?period=hour&from=${moment(0)}`,
  'live requests': () => 'usage/requests/live',
  keys: () => 'keys',
  projects: () => 'projects',
};

function percentile(times: readonly number[], share: number): number {
  return (
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
    Number.NaN
  );
}

const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-growth-'));
chmodSync(folder, 0o755);
const postgres = kind === 'postgresql' ? await startPostgres(path.join(folder, 'postgres')) : undefined;
const url = await postgres?.createDatabase();
const dataDir = path.join(folder, 'data');
const masterKey = randomBytes(32).toString('hex');
const start = () =>
  startListening(['--no-warnings', program, 'start', '--port', '0'], {
    ENVSNAP_DATA_DIR: dataDir,
    ENVSNAP_LOG_LEVEL: 'error',
    ENVSNAP_MAX_SNAPSHOTS: '2000000000',
    ENVSNAP_RATE_PER_MINUTE: '2000000000',
    ENVSNAP_RATE_PER_DAY: '2000000000',
    ...(url !== undefined && { DATABASE_URL: url, ENVSNAP_ENCRYPTION_KEY: masterKey }),
  });

async function call(key: string, target: string, method = 'GET', body?: unknown) {
  const startedMs = performance.now();
  const answer = await fetch(`${server.url}/machine/${target}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'accept-encoding': 'identity' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const tookMs = performance.now() - startedMs;
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${text.slice(0, 200)}`);
  return { tookMs, body: JSON.parse(text) };
}

/** How long another caller waits during `work`: a small call every 5 ms. */
async function waitOfOthers(key: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  while (running) {
    times.push((await call(key, 'keys/current')).tookMs);
    await sleep(5);
  }
  await done;
  return times;
}

let server = await start().catch(async (error: unknown) => {
  await cleanUp();
  throw error;
});

try {
  const project = async (name: string) =>
    (await call('', 'keys/bootstrap', 'POST', { projectName: name })).body as {
      projectId: string;
      apiKey: string;
    };
  const [few, many, other] = [await project('few'), await project('many'), await project('other')];
  await server.stop();
  const startedMs = performance.now();
  const database = await openDatabase({ url, dataDir });
  await seed(database, few.projectId, '00000001', { snapshots: small, requests: 1000, projects: 0 }, nowMs);
  await seed(database, many.projectId, '00000002', { snapshots, requests, projects: 10_000 }, nowMs);
  process.stdout.write(`filled ${kind} in ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  server = await start();

  const rows: { name: string; ratio50: number; ratio99: number; p50: number; p99: number }[] = [];
  const measure = async (name: string, one: (side: 'few' | 'many') => Promise<number>) => {
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = -3; round < rounds; round += 1)
      for (const side of ['few', 'many'] as const) {
        const tookMs = await one(side);
        if (round >= 0) times[side].push(tookMs);
      }
    const latencyOf = (side: 'few' | 'many', share: number) => percentile(times[side], share);
    const row = {
      name,
      p50: latencyOf('many', 0.5),
      p99: latencyOf('many', 0.99),
      ratio50: latencyOf('many', 0.5) / latencyOf('few', 0.5),
      ratio99: latencyOf('many', 0.99) / latencyOf('few', 0.99),
    };
    rows.push(row);
    const { p50, p99, ratio50, ratio99 } = row;
    process.stdout.write(
      `| ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${ratio50.toFixed(2)} | ${ratio99.toFixed(2)} |\n`,
    );
  };
  const projects = { few: { ...few, total: small }, many: { ...many, total: snapshots } };
  process.stdout.write(
    `\n| call | p50 ms | p99 ms | p50 against 1,000 | p99 against 1,000 |\n|---|---|---|---|---|\n`,
  );
  const made: Record<'few' | 'many', string[]> = { few: [], many: [] };
  await measure('create', async (side) => {
    const body = { machineName: 'machine-1', os: 'linux', arch: 'x64', envVars: { A: '1' } };
    const answer = await call(projects[side].apiKey, 'snapshots', 'POST', body);
    made[side].push((answer.body as { id: string }).id);
    return answer.tookMs;
  });
  await measure(
    'get',
    async (side) => (await call(projects[side].apiKey, `snapshots/${made[side][0]}`)).tookMs,
  );
  for (const [name, target] of Object.entries(calls))
    await measure(
      name,
      async (side) => (await call(projects[side].apiKey, target(projects[side].total))).tookMs,
    );
  await measure('project', async (side) => {
    const { apiKey, projectId } = projects[side];
    return (await call(apiKey, `projects/${projectId}`)).tookMs;
  });
  await measure('delete', async (side) => {
    const id = made[side].pop() as string;
    return (await call(projects[side].apiKey, `snapshots/${id}`, 'DELETE')).tookMs;
  });

  const report = (what: string, times: readonly number[]) =>
    process.stdout.write(
      `others, ${what}: ${times.length} calls, p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms\n`,
    );
  process.stdout.write('\n');
  report('alone', await waitOfOthers(other.apiKey, sleep(2000)));
  const worst = rows.filter(({ name }) => name in calls).toSorted((a, b) => b.p50 - a.p50)[0]?.name ?? 'list';
  const four = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 20; round += 1)
      await call(many.apiKey, (calls[worst] as (total: number) => string)(snapshots));
  });
  report(`during "${worst}", 4 callers at once`, await waitOfOthers(other.apiKey, Promise.all(four)));

  const deletedMs = performance.now();
  const deletion = call(many.apiKey, `projects/${many.projectId}`, 'DELETE').then(async ({ tookMs }) => {
    process.stdout.write(`deletion answered after ${Math.round(tookMs)} ms\n`);
    const rowsLeft = database.dialect.builder('projects').select('id').where('id', many.projectId);
    while (await database.get(rowsLeft.clone())) await sleep(500);
    process.stdout.write(
      `its last row gone after ${((performance.now() - deletedMs) / 1000).toFixed(0)} s\n`,
    );
  });
  report('during the deletion', await waitOfOthers(other.apiKey, deletion));
  await database.close();
} finally {
  await server.stop();
  await cleanUp();
}

async function cleanUp(): Promise<void> {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
