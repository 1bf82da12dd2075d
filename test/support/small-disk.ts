// A disk of a few megabytes for tests that fill it.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './databases.ts';

/** A small disk in a folder, until the test ends; undefined if the system does not allow one. */
export function mountSmallDisk(bytes: number): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/**
 * Writes a file until the disk is full, never more than `bytes`: if the disk is not mounted, this would fill the machine's
 * memory. Returns the file.
 */
export function fillDisk(folder: string, bytes: number): string {
  const filler = path.join(folder, 'filler');
  const handle = openSync(filler, 'w');
  try {
    const block = Buffer.alloc(64 * 1024);
    for (let written = 0; written < bytes; )
      written += writeSync(handle, block, 0, Math.min(block.length, bytes - written));
  } catch {
    // The disk is full.
  } finally {
    closeSync(handle);
  }
  return filler;
}
