// What is done to executables for Linux, where this machine has the tools: symbols out, and a search path of their own.

import { spawnSync } from 'node:child_process';
import { run } from './fetch-node.ts';
import type { Target } from './targets.ts';

/** Takes the symbols out of Node.js in place: a tenth of it. Only before anything is put into it: `strip` drops what it does not know. */
export function strip(file: string, { platform, arch }: Target): void {
  const isOwnKind = platform === process.platform && arch === process.arch;
  if (platform === 'linux' && isOwnKind && has('strip')) run('strip', [file]);
}

/**
 * Has the executable look for its libraries where systems have them before it looks in LD_LIBRARY_PATH. Only after everything was
 * put into it.
 */
export function fixSearchPath(file: string, { platform, arch, ownLibraries }: Target): void {
  if (platform !== 'linux' || ownLibraries || !has('patchelf')) return;
  const machine = arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const folders = [`/lib/${machine}`, `/usr/lib/${machine}`, '/lib64', '/usr/lib64'];
  run('patchelf', ['--force-rpath', '--set-rpath', folders.join(':'), file]);
}

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
