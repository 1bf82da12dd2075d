// The names of backups made one after the other in a folder, and which of them are kept.

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** `envsnap-20260207T131500123Z.backup`: names in the order of their time. */
const backupName = /^envsnap-\d{8}T\d{9}Z\.backup$/;

/** The name of a backup that is begun at that moment (milliseconds since the epoch, UTC). */
export function nameBackup(atMs: number): string {
  return `envsnap-${new Date(atMs).toISOString().replaceAll(/[-:.]/g, '')}.backup`;
}

/**
 * Removes the oldest backups in a folder until `keep` are left; files of other names are left alone. Returns the names of
 * those removed, oldest first.
 */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const backups = (await readdir(folder)).filter((name) => backupName.test(name)).sort();
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}
