// The service compared with its baselines: requests per second for reading and writing one snapshot, how long the slowest take,
// and memory; on SQLite and on PostgreSQL.

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon, { type Request, type Result } from 'autocannon';
import { startPostgres } from '../../scripts/reliability/postgres-server.ts';
import { type Listening, processorMs, startListening } from '../process.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';
import { createWorkload } from './workload.ts';

const rounds = 3;
const secondsARound = 4;
const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'packages/server/bin/envsnap-server.js');
/** Limits that the load never meets; the limiter still decides every request. */
const roomy = {
  ENVSNAP_RATE_PER_MINUTE: '2000000000',
  ENVSNAP_RATE_PER_DAY: '2000000000',
  ENVSNAP_MAX_SNAPSHOTS: '2000000000',
};
/** Callers with a project and a key each. */
const keys = 16;

/** Names of the figures beside the rate. */
const names = { p50: 'p50', p99: 'p99', processorMs: 'processor time of the server' };

interface Target {
  readonly server: Listening;
  readonly base: string;
  /** Each has its project, its key and a snapshot there; connections use them in turn. */
  readonly callers: readonly { readonly headers: Record<string, string>; readonly id: string }[];
}

/** Results of one round; times in milliseconds. */
interface Load {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server per request. Unlike the rate, it hardly depends on other load. */
  readonly processorMs: number;
}

/** What is measured; a POST with `Idempotency-Key` is what the SDK sends. The baseline knows no such key. */
const kinds = ['GET', 'POST', 'POST with a key'] as const;
type Kind = (typeof kinds)[number];
/** At this number of connections, POST is also measured with `Idempotency-Key`. */
const keyedConnections = 16;

const json = { 'content-type': 'application/json' };

async function post(url: string, headers: Record<string, string>, body: string) {
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body });
  return (await response.json()) as { id: string; apiKey: string };
}

async function prepareService(server: Listening, body: string): Promise<Target> {
  const base = `${server.url}/machine/snapshots`;
  const callers = [];
  for (let index = 0; index < keys; index += 1) {
    const { apiKey } = await post(`${server.url}/machine/keys/bootstrap`, {}, '{"projectName":"bench"}');
    const headers = { ...json, 'x-api-key': apiKey };
    callers.push({ headers, id: (await post(base, headers, body)).id });
  }
  return { server, base, callers };
}

async function prepareFloor(server: Listening, body: string): Promise<Target> {
  const base = `${server.url}/snapshots`;
  return { server, base, callers: [{ headers: json, id: (await post(base, {}, body)).id }] };
}

async function load(target: Target, connections: number, kind: Kind, body: string): Promise<Load> {
  let connection = 0;
  const run = randomUUID();
  let turn = 0;
  const { pathname } = new URL(target.base);
  const before = processorMs(target.server.child.pid as number);
  // autocannon's own percentiles are whole milliseconds; an answer here takes less than one.
  const waitsMs: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(
      {
        url: target.base,
        duration: secondsARound,
        connections,
        setupClient: (client) => {
          const caller = target.callers[connection % target.callers.length] as Target['callers'][number];
          connection += 1;
          const { headers, id } = caller;
          const read = { method: 'GET', path: `${pathname}/${id}`, headers } as const;
          const write = { method: 'POST', path: pathname, headers, body } as const;
          const withKey = (request: Request): Request => {
            turn += 1;
            return { ...request, headers: { ...request.headers, 'idempotency-key': `${run} ${turn}` } };
          };
          client.setRequests([
            kind === 'GET' ? read : kind === 'POST' ? write : { ...write, setupRequest: withKey },
          ]);
        },
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    running.on('response', (_client, _status, _bytes, waitMs) => waitsMs.push(waitMs));
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.base}: ${result.non2xx} refused, ${result.errors} failed`);
  waitsMs.sort((a, b) => a - b);
  const percentile = (share: number) => waitsMs[Math.floor(share * (waitsMs.length - 1))] ?? Number.NaN;
  return {
    rate: result.requests.average,
    p50: percentile(0.5),
    p99: percentile(0.99),
    processorMs: (processorMs(target.server.child.pid as number) - before) / waitsMs.length,
  };
}

function residentMiB({ child }: Listening): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Measures one pair of servers, in turn. */
async function compare(
  label: string,
  floorName: string,
  targets: { ours: Target; floor: Target },
  allConnections: readonly number[],
  aims: Record<'GET' | 'POST', string>,
  body: string,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const connections of allConnections) {
    const measuredKinds = kinds.filter(
      (kind) => kind !== 'POST with a key' || connections === keyedConnections,
    );
    const measured = new Map(
      measuredKinds.map((kind) => [kind, { ours: [] as Load[], floor: [] as Load[] }]),
    );
    for (let round = 0; round < rounds; round += 1)
      for (const side of ['floor', 'ours'] as const)
        for (const [kind, loads] of measured)
          loads[side].push(await load(targets[side], connections, kind, body));
    for (const [kind, loads] of measured) {
      const [method = '', ...withKey] = kind.split(' ');
      const what = [`${method} a snapshot`, ...withKey].join(' ');
      const name = `${label}, ${what}, ${connections} connection${connections === 1 ? '' : 's'}`;
      const pick = (side: 'ours' | 'floor', part: keyof Load) => median(loads[side].map((one) => one[part]));
      const figure = (part: keyof Load, unit: string, aim?: string): Figure => ({
        name: part === 'rate' ? name : `${name}, ${names[part]}`,
        value: pick('ours', part),
        unit,
        baseline: { name: floorName, value: pick('floor', part) },
        ...(aim !== undefined && { aim }),
      });
      figures.push(
        figure('rate', 'requests/s', kind === 'GET' ? aims.GET : aims.POST),
        figure('p50', 'ms'),
        figure('p99', 'ms', connections === 1 ? undefined : '≤ 3'),
        figure('processorMs', 'ms'),
      );
    }
  }
  figures.push({
    name: `${label}, memory after the load`,
    value: residentMiB(targets.ours.server),
    unit: 'MiB',
    baseline: { name: floorName, value: residentMiB(targets.floor.server) },
  });
  return figures;
}

/** Measures SQLite with 1, 16 and 32 connections, and PostgreSQL with 1 and 16. */
export async function run(): Promise<SuiteResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  // PostgreSQL refuses to run as root, and its user needs access.
  chmodSync(folder, 0o711);
  const ends: (() => Promise<unknown>)[] = [];
  const start = async (args: string[], env?: Record<string, string>) => {
    const server = await startListening(args, env);
    ends.unshift(() => server.stop());
    return server;
  };
  const service = (args: string[], env: Record<string, string> = {}) =>
    start([program, 'start', '--port', '0', ...args], { ...roomy, ...env });
  const body = JSON.stringify(createWorkload('bench'));
  const figures: Figure[] = [];
  try {
    const floor = await start([path.join(import.meta.dirname, 'floor-server.ts'), folder]);
    const embedded = {
      floor: await prepareFloor(floor, body),
      ours: await prepareService(await service(['--data-dir', path.join(folder, 'data')]), body),
    };
    const aims = { GET: '≥ 0.7', POST: '≥ 1' };
    figures.push(
      ...(await compare('SQLite', 'bare Express + better-sqlite3', embedded, [1, 16, 32], aims, body)),
    );
    for (const end of ends.splice(0)) await end();

    const postgres = await startPostgres(path.join(folder, 'postgres'));
    ends.unshift(() => postgres.stop());
    const floorUrl = await postgres.createDatabase();
    const url = await postgres.createDatabase();
    const bare = await start([path.join(import.meta.dirname, 'floor-postgres-server.ts'), floorUrl]);
    const env = { DATABASE_URL: url, ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32) };
    const shared = {
      floor: await prepareFloor(bare, body),
      ours: await prepareService(await service(['--data-dir', path.join(folder, 'pg')], env), body),
    };
    const sharedAims = { GET: '≥ 0.4', POST: '≥ 0.3' };
    figures.push(...(await compare('PostgreSQL', 'bare Express + pg', shared, [1, 16], sharedAims, body)));
    return { suite: 'service', rounds, figures };
  } finally {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}
