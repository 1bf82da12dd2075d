// Changes executables for Linux if this machine has the tools: removes symbols, and sets a search path.

import { spawnSync } from 'node:child_process';
import { run } from './fetch-node.ts';
import type { Target } from './targets.ts';

/** Removes the symbols from Node.js, a tenth of its size. Only before anything is added: `strip` drops what it does not know. */
export function strip(file: string, { platform, arch }: Target): void {
  const isOwnKind = platform === process.platform && arch === process.arch;
  if (platform === 'linux' && isOwnKind && has('strip')) run('strip', [file]);
}

/** Makes the executable search the system's libraries before LD_LIBRARY_PATH. Only after everything was added to it. */
export function fixSearchPath(file: string, { platform, arch, ownLibraries }: Target): void {
  if (platform !== 'linux' || ownLibraries || !has('patchelf')) return;
  const machine = arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const folders = [`/lib/${machine}`, `/usr/lib/${machine}`, '/lib64', '/usr/lib64'];
  run('patchelf', ['--force-rpath', '--set-rpath', folders.join(':'), file]);
}

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
