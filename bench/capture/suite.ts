// A whole capture of this repository, with an empty and with a warm cache, against `envinfo --json` on the same Node.js.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureProcess } from '../process.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';

const rounds = 5;
const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'packages/cli/bin/run.js');

/** Measures wall time and, of the same runs, CPU time of the process and of all it started. */
export async function run(): Promise<SuiteResult> {
  const require = createRequire(import.meta.url);
  const envinfo = path.join(path.dirname(require.resolve('envinfo/package.json')), 'dist/cli.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const measured = { envinfo: [] as number[], first: [] as number[], second: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const env = { XDG_CACHE_HOME: path.join(folder, `cache-${round}`) };
      const capture = () => measureProcess([program, 'capture', '--dry-run', '--json'], { cwd: root, env });
      measured.envinfo.push((await measureProcess([envinfo, '--json'], { cwd: root })).wallMs);
      measured.first.push((await capture()).wallMs);
      measured.second.push((await capture()).wallMs);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const figure = (name: string, values: number[], aim: string): Figure => ({
    name,
    value: median(values),
    unit: 'ms',
    baseline: { name: 'envinfo --json', value: median(measured.envinfo) },
    aim,
  });
  return {
    suite: 'capture',
    rounds,
    figures: [
      figure('capture of this repository, empty cache', measured.first, '≤ 0.4'),
      figure('capture of this repository, nothing changed', measured.second, '≤ 0.2'),
    ],
  };
}
