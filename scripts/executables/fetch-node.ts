// Fetches Node.js for a platform from the npm registry, once for each version: the download is checked against its digest.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/envsnap-executables');

/** A Node.js of the npm registry. */
export interface NodePackage {
  readonly nodePackage: string;
  readonly version: string;
  /** The digest of the package's tarball, as the registry publishes it. */
  readonly integrity: string;
  /** The path of Node.js in the package. */
  readonly nodeFile: string;
}

/** The path of a Node.js. Throws if the registry cannot be reached or returns something else. */
export function fetchNode({ nodePackage, version, integrity, nodeFile }: NodePackage): string {
  const folder = path.join(cache, `${nodePackage}-${version}`);
  const node = path.join(folder, 'package', nodeFile);
  if (existsSync(node)) return node;
  const staging = `${folder}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  try {
    run('npm', ['pack', `${nodePackage}@${version}`, '--silent', '--pack-destination', staging]);
    const [tarball = ''] = readdirSync(staging).filter((name) => name.endsWith('.tgz'));
    const bytes = readFileSync(path.join(staging, tarball));
    const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${nodePackage} ${version} is not the one that is expected`);
    run('tar', ['-xzf', path.join(staging, tarball), '-C', staging]);
    rmSync(path.join(staging, tarball));
    try {
      renameSync(staging, folder);
    } catch (error) {
      // Another run was faster.
      if (!existsSync(node)) throw error;
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return node;
}

/** Runs a program to its end. Throws with its output if it fails. */
export function run(program: string, args: readonly string[]): void {
  // npm is a script on Windows, which only a shell can start; its arguments are names from the table.
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', shell });
  if (error) throw new Error(`${program} cannot be started: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr.trim()}`);
}
