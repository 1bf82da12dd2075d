// The memory of a process and of everything that it starts, sampled while they run. Linux only.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export interface TreeMemory {
  /** Resident memory of all processes added up: shared pages count for each of them. MiB. */
  readonly residentMiB: number;
  /** Proportional memory: shared pages are divided among all processes that share them. MiB. */
  readonly proportionalMiB: number;
}

const pageMiB = 4096 / 1024 / 1024;

/** Runs a program to its end and returns the peaks. Its output is dropped. Rejects if it fails. */
export async function measureTree(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<TreeMemory> {
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const peak = { residentMiB: 0, proportionalMiB: 0 };
  while (child.exitCode === null && child.signalCode === null) {
    const now = { residentMiB: 0, proportionalMiB: 0 };
    for (const id of descendants(child.pid ?? 0)) {
      const { residentMiB, proportionalMiB } = memoryOf(id);
      now.residentMiB += residentMiB;
      now.proportionalMiB += proportionalMiB;
    }
    peak.residentMiB = Math.max(peak.residentMiB, now.residentMiB);
    peak.proportionalMiB = Math.max(peak.proportionalMiB, now.proportionalMiB);
    await wait(1);
  }
  const exitCode = await ended;
  if (exitCode !== 0) throw new Error(`${args[0]} ended with exit code ${exitCode}`);
  return peak;
}

/** A process and all its descendants; without those that have ended in the meantime. */
function descendants(id: number): number[] {
  try {
    const children = readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      readFileSync(`/proc/${id}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [id, ...children.flatMap(descendants)];
  } catch {
    return [];
  }
}

function memoryOf(id: number): TreeMemory {
  try {
    const residentPages = Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]);
    const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    const proportionalKiB = Number(/^Pss: +(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
    return { residentMiB: residentPages * pageMiB, proportionalMiB: proportionalKiB / 1024 };
  } catch {
    return { residentMiB: 0, proportionalMiB: 0 };
  }
}
