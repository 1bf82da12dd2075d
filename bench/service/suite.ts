// The service against its floor: requests a second for reading and for writing one snapshot.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { type Listening, startListening } from '../process.ts';
import { median, type SuiteResult } from '../result.ts';
import { createWorkload } from './workload.ts';

const rounds = 3;
const secondsARound = 4;
const root = path.resolve(import.meta.dirname, '../..');
/** Limits that the load never meets; the limiter still decides every request. */
const roomy = {
  ENVSNAP_RATE_PER_MINUTE: '2000000000',
  ENVSNAP_RATE_PER_DAY: '2000000000',
  ENVSNAP_MAX_SNAPSHOTS: '2000000000',
};

interface Target {
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly id: string;
}

async function create(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id: string };
  return id;
}

async function prepareService(url: string, body: string): Promise<Target> {
  const json = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: json,
    body: '{"projectName":"bench"}',
  });
  const { apiKey } = (await response.json()) as { apiKey: string };
  const headers = { ...json, 'x-api-key': apiKey };
  const base = `${url}/machine/snapshots`;
  return { base, headers, id: await create(base, headers, body) };
}

async function load(url: string, options: Partial<autocannon.Options>): Promise<number> {
  const result = await autocannon({ url, duration: secondsARound, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

/** Measures with 1 and with 16 connections. */
export async function run(): Promise<SuiteResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const servers: Listening[] = [];
  try {
    const floor = await startListening([path.join(import.meta.dirname, 'floor-server.ts'), folder]);
    servers.push(floor);
    const program = path.join(root, 'packages/server/bin/envsnap-server.js');
    const service = await startListening(
      [program, 'start', '--port', '0', '--data-dir', path.join(folder, 'data')],
      roomy,
    );
    servers.push(service);
    const body = JSON.stringify(createWorkload('bench'));
    const ours = await prepareService(service.url, body);
    const floorHeaders = { 'content-type': 'application/json' };
    const base = `${floor.url}/snapshots`;
    const theirs: Target = { base, headers: floorHeaders, id: await create(base, floorHeaders, body) };

    const figures = [];
    for (const connections of [1, 16]) {
      const measured = {
        GET: { ours: [] as number[], floor: [] as number[] },
        POST: { ours: [] as number[], floor: [] as number[] },
      };
      for (let round = 0; round < rounds; round += 1) {
        for (const [side, target] of [
          ['floor', theirs],
          ['ours', ours],
        ] as const) {
          const { headers } = target;
          measured.GET[side].push(await load(`${target.base}/${target.id}`, { connections, headers }));
          measured.POST[side].push(await load(target.base, { connections, headers, method: 'POST', body }));
        }
      }
      for (const method of ['GET', 'POST'] as const) {
        figures.push({
          name: `${method} a snapshot, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
          value: median(measured[method].ours),
          unit: 'requests/s',
          baseline: { name: 'bare Express + better-sqlite3', value: median(measured[method].floor) },
          aim: '≥ 0.5',
        });
      }
    }
    return { suite: 'service', rounds, figures };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}
