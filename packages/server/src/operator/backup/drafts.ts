// The drafts of backups: their names, and the removal of unfinished ones.

import { rmSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { manifestEntry } from './backup-format.ts';

const draftName = /^\.(.+)\.(\d+)\.part$/;
/** A draft is written to all the time: after an hour without a write, its process number belongs to another process. */
const longestPauseMs = 3_600_000;

/** Where this process writes the backup `file` until it is whole: beside it, as `.NAME.PID.part`. */
export function draftOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.part`);
}

/** Removes the drafts in the folder of `file` whose process is gone, whatever backup they were to become. */
export async function removeAbandonedDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    const [, target, pid] = draftName.exec(name) ?? [];
    if (target === undefined) continue;
    const draft = path.join(folder, name);
    const isOurs = target === path.basename(file) || (await beginsLikeBackup(draft));
    if (isOurs && !(await isAtWork(Number(pid), draft))) await rm(draft, { force: true });
  }
}

/** Other programs have files called `.part` too. */
async function beginsLikeBackup(draft: string): Promise<boolean> {
  const handle = await open(draft, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(manifestEntry.length), 0);
    return buffer.toString('latin1', 0, bytesRead) === manifestEntry;
  } finally {
    await handle.close();
  }
}

async function isAtWork(pid: number, draft: string): Promise<boolean> {
  // This process has not begun its draft yet, so one of its number is from an earlier life.
  if (pid === process.pid || !isAlive(pid)) return false;
  const details = await stat(draft).catch(() => undefined);
  return details !== undefined && Date.now() - details.mtimeMs < longestPauseMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the draft when a signal ends the process. Returns the function that ends this watch. */
export function removeOnSignal(draft: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.stderr.write('envsnap-server: interrupted; nothing was left behind\n');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
