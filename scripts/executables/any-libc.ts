// An executable with the loader and the libraries that it needs beside it, for machines with another C library or none.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Puts the executable's libraries, taken from this machine, into `folder` beside it, and a launcher in front of it. The
 * launcher is the one thing that needs a shell; what it runs can be run without one.
 */
export function addLibraries(executable: string, folder: string): void {
  const program = path.basename(executable);
  const libraries = path.join(folder, 'lib');
  mkdirSync(libraries, { recursive: true });
  for (const [name, file] of neededLibraries(executable)) {
    copyFileSync(realpathSync(file), path.join(libraries, name));
    chmodSync(path.join(libraries, name), 0o755);
  }
  const launcher = path.join(folder, program);
  writeFileSync(launcher, launcherText(program, loaderName(executable)));
  chmodSync(launcher, 0o755);
}

/** Libraries by name, with the files that this machine's loader finds for them. */
function neededLibraries(executable: string): Map<string, string> {
  const { status, stdout, stderr } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ldd does not know ${executable}: ${stderr.trim()}`);
  const found = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const words = line.trim().split(' ');
    const file = words[1] === '=>' ? words[2] : words[0];
    if (file?.startsWith('/')) found.set(path.basename(words[0] ?? ''), file);
  }
  return found;
}

function loaderName(executable: string): string {
  const loader = [...neededLibraries(executable).keys()].find((name) => name.startsWith('ld-'));
  if (loader === undefined) throw new Error(`${executable} names no loader`);
  return loader;
}

function launcherText(program: string, loader: string): string {
  return `#!/bin/sh
# Starts ${program} with the loader and the libraries beside it, whatever C library this machine has.
here=$0
while [ -L "$here" ]; do
  link=$(readlink "$here")
  case $link in /*) here=$link ;; *) here=\${here%/*}/$link ;; esac
done
case $here in */*) here=\${here%/*} ;; *) here=. ;; esac
exec "$here/lib/${loader}" --inhibit-cache --library-path "$here/lib" "$here/lib/${program}" "$@"
`;
}
