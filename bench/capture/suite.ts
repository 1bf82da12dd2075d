// A whole capture of this repository, with an empty and a warm cache, compared with `envinfo --json` on the same Node.js, and the
// memory of the first capture with the tools that it starts.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureProcess } from '../process.ts';
import { measureTree } from '../process-tree.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';

const rounds = 5;
const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'packages/cli/bin/run.js');

/** The largest of the rounds: a peak may be missed in some rounds. */
function memoryFigure(name: string, values: number[]): Figure {
  return { name, value: Math.max(...values), unit: 'MiB', aim: '≤ 200 MiB' };
}

/** Measures wall time and, in separate runs, memory. */
export async function run(): Promise<SuiteResult> {
  const require = createRequire(import.meta.url);
  const envinfo = path.join(path.dirname(require.resolve('envinfo/package.json')), 'dist/cli.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const measured = { envinfo: [] as number[], first: [] as number[], second: [] as number[] };
  const memory = { resident: [] as number[], proportional: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const env = { XDG_CACHE_HOME: path.join(folder, `cache-${round}`) };
      const capture = () => measureProcess([program, 'capture', '--dry-run', '--json'], { cwd: root, env });
      measured.envinfo.push((await measureProcess([envinfo, '--json'], { cwd: root })).wallMs);
      measured.first.push((await capture()).wallMs);
      measured.second.push((await capture()).wallMs);
      if (process.platform !== 'linux') continue;
      const treeEnv = { XDG_CACHE_HOME: path.join(folder, `tree-cache-${round}`) };
      const tree = await measureTree([program, 'capture', '--dry-run', '--json'], {
        cwd: root,
        env: treeEnv,
      });
      memory.resident.push(tree.residentMiB);
      memory.proportional.push(tree.proportionalMiB);
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
      figure('capture of this repository, nothing changed', measured.second, '≤ 0.25'),
      ...(memory.resident.length > 0
        ? [
            memoryFigure('resident memory of a first capture and its tools, peak', memory.resident),
            memoryFigure('proportional memory of a first capture and its tools, peak', memory.proportional),
          ]
        : []),
    ],
  };
}
