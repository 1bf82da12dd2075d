// What a call of the SDK costs, against ky and bare fetch: 16 calls at once, counted by CPU time, since a client that may
// use one core makes as many calls as that core's time allows.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { startListening } from '../process.ts';
import { median, type SuiteResult } from '../result.ts';

const rounds = 7;
const callsPerRound = 6000;
const file = (name: string) => path.join(import.meta.dirname, name);

async function measure(kind: string, url: string): Promise<number> {
  const args = ['--conditions=envsnap-source', '--no-warnings', file('client.ts'), kind, url];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(callsPerRound)]);
  return (JSON.parse(stdout) as { perCpuSecond: number }).perCpuSecond;
}

/** Measures the SDK beside ky and fetch, in turn, each time in a process of its own. */
export async function run(): Promise<SuiteResult> {
  const server = await startListening(['--no-warnings', file('answer-server.ts')]);
  const measured: Record<string, number[]> = { fetch: [], ky: [], sdk: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, values] of Object.entries(measured)) values.push(await measure(kind, server.url));
    }
  } finally {
    await server.stop();
  }
  const of = (kind: string) => median(measured[kind] ?? []);
  const figure = (baseline: string, aim: string) => ({
    name: `calls, 16 at once, against ${baseline}`,
    value: of('sdk'),
    unit: 'calls/s CPU',
    baseline: { name: baseline, value: of(baseline) },
    aim,
  });
  return { suite: 'sdk', rounds, figures: [figure('ky', '≥ 0.75'), figure('fetch', '≥ 0.5')] };
}
