// Takes the symbols out of Node.js, which nobody debugs here: a tenth of the executable.

import { spawnSync } from 'node:child_process';
import { run } from './fetch-node.ts';
import type { Target } from './targets.ts';

/** Whether this machine can do it: with binutils, for programs of its own kind. */
export function isStrippable({ platform, arch }: Target): boolean {
  if (platform !== 'linux' || process.platform !== 'linux' || arch !== process.arch) return false;
  return spawnSync('strip', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Strips the program in place. Only before anything is put into it: `strip` drops what it does not know. */
export function strip(file: string): void {
  run('strip', [file]);
}
