// Fetches Node.js for a target from the npm registry, once for each version: what it got is checked against the digest in the
// table of targets.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { nodeVersion, type Target } from './targets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/envsnap-executables');

/** The path of a target's Node.js. Throws where the registry cannot be reached or gives something else. */
export function fetchNode({ nodePackage, integrity, nodeFile }: Target): string {
  const folder = path.join(cache, `${nodePackage}-${nodeVersion}`);
  const node = path.join(folder, 'package', nodeFile);
  if (existsSync(node)) return node;
  const staging = `${folder}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  try {
    run('npm', ['pack', `${nodePackage}@${nodeVersion}`, '--silent', '--pack-destination', staging]);
    const [tarball = ''] = readdirSync(staging).filter((name) => name.endsWith('.tgz'));
    const bytes = readFileSync(path.join(staging, tarball));
    const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${nodePackage} ${nodeVersion} is not the one that is expected`);
    run('tar', [
      '-xzf',
      path.join(staging, tarball),
      '-C',
      staging,
      `package/${nodeFile}`,
      'package/LICENSE',
    ]);
    rmSync(path.join(staging, tarball));
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return node;
}

/** Runs a program to its end. Throws with what it said when it fails. */
export function run(program: string, args: readonly string[]): void {
  // npm is a script on Windows, which only a shell starts; its arguments are names from the table.
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', shell });
  if (error) throw new Error(`${program} cannot be started: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr.trim()}`);
}
