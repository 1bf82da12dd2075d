// A machine compared with itself while it is busy: captures are correct under any load.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from '../../build.ts';
import { type Check, shown } from '../check.ts';

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, '../../../packages/cli/bin/run.js');

interface Outcome {
  readonly differences: readonly string[];
  readonly durationMs: number;
}

/** Keeps the processor busy until the check ends. */
const busyWork =
  'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i += 1);';

function startLoad(count: number): ChildProcess[] {
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', busyWork], { stdio: 'ignore' }));
}

function dropPageCache(): void {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '1');
  } catch {
    // Only root may; the caches of envsnap itself are cold anyway.
  }
}

async function capture(folder: string, name: string): Promise<string> {
  dropPageCache();
  const file = path.join(folder, `${name}.json`);
  const cache = path.join(folder, 'cache');
  rmSync(cache, { recursive: true, force: true });
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  await run(process.execPath, [program, 'capture', '--output', file], { env });
  return file;
}

async function compareWithItself(folder: string): Promise<Outcome> {
  const startedMs = performance.now();
  const a = await capture(folder, 'a');
  const b = await capture(folder, 'b');
  const compared = await run(process.execPath, [program, 'compare', a, b, '--no-policy', '--json'], {
    maxBuffer: 256 * 1024 * 1024,
  }).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  const { diff } = JSON.parse(compared.stdout) as { diff: Record<string, unknown> };
  return {
    differences: Object.entries(diff).flatMap(([section, entries]) => differing(section, entries)),
    durationMs: performance.now() - startedMs,
  };
}

function differing(section: string, entries: unknown): string[] {
  const list = Array.isArray(entries) ? entries : [entries];
  return list.flatMap(
    (entry: { key?: string; status?: string; match?: boolean; a?: unknown; b?: unknown }) => {
      const same = entry.status === undefined ? entry.match !== false : entry.status === 'same';
      return same ? [] : [`${section}:${entry.key ?? section} (${String(entry.a)} → ${String(entry.b)})`];
    },
  );
}

/** Busy processes for each processor. */
const busyPerProcessor = 8;

/** Comparisons at once: each adds to the load of the others, and 200 end within minutes. */
const lanes = 8;

export const selfComparison: Check = {
  name: 'self',
  what: 'compares a machine with itself, caches cold, beside 8 busy processes a processor: no difference is ever found',
  async run({ rounds, world }) {
    ensureBuilt();
    const load = startLoad(busyPerProcessor * availableParallelism());
    const comparisons = rounds(200);
    const differences: string[] = [];
    let wrong = 0;
    let longestMs = 0;
    try {
      let begun = 0;
      const lane = async () => {
        while (begun < comparisons) {
          begun += 1;
          const outcome = await compareWithItself(world.folder());
          if (outcome.differences.length > 0) wrong += 1;
          differences.push(...outcome.differences);
          longestMs = Math.max(longestMs, outcome.durationMs);
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    } finally {
      for (const each of load) each.kill('SIGKILL');
    }
    return [
      {
        what: `comparisons of a machine with itself that found a difference, of ${comparisons}, beside ${load.length} busy processes`,
        asked: '0',
        measured: [String(wrong), ...new Set(differences)].slice(0, 10).join(', '),
        reached: wrong === 0,
      },
      shown('longest comparison, two captures included', `${(longestMs / 1000).toFixed(1)} s`),
    ];
  },
};
