// Waits for runs that have ended and are still being recorded, so that whoever looks for the last run finds it.

import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pendingFolder } from '../../bin/state-folder.js';

/** Longest wait, in milliseconds. */
const mostWaitMs = 10_000;
const lookMs = 20;
/** A recording does not take that long: its note was left by a process that was killed, in milliseconds. */
const staleMs = 120_000;

/** Resolves when no recording goes on any more, or after ten seconds. */
export async function settleRecordings(): Promise<void> {
  const end = performance.now() + mostWaitMs;
  while (pendingRecordings() > 0 && performance.now() < end) await pause(lookMs);
}

/** Takes the note of this process away, which a recording does when it is done. */
export function recordingDone(): void {
  rmSync(path.join(pendingFolder(), String(process.pid)), { force: true });
}

function pendingRecordings(): number {
  let names: string[];
  try {
    names = readdirSync(pendingFolder());
  } catch {
    return 0;
  }
  return names.filter((name) => {
    const file = path.join(pendingFolder(), name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (isAlive(Number(name)) && age < staleMs) return true;
    rmSync(file, { force: true });
    return false;
  }).length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
