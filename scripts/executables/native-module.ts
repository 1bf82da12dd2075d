// Loads a native module from inside an executable. Part of the executable.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { getRawAsset } from 'node:sea';

/**
 * Loads the asset from a file, which is written once: into the user's cache or, if that fails, into the folder for temporary
 * files. An existing file is used only if it has the asset's digest and nobody else can write to its folder.
 */
export function loadNativeModule(asset: string): unknown {
  const bytes = new Uint8Array(getRawAsset(asset) as ArrayBuffer);
  const digest = digestOf(bytes);
  const reasons: string[] = [];
  for (const folder of folders()) {
    try {
      const file = path.join(ownFolder(folder), `${digest.slice(0, 16)}-${asset}`);
      if (!holds(file, digest)) writeWhole(file, bytes);
      const loaded: { exports: unknown } = { exports: {} };
      process.dlopen(loaded, file);
      return loaded.exports;
    } catch (error) {
      reasons.push(`${folder}: ${(error as Error).message}`);
    }
  }
  throw new Error(`${asset} cannot be loaded (${reasons.join('; ')}); XDG_CACHE_HOME names another folder`);
}

function folders(): string[] {
  const user = process.geteuid?.() ?? 'own';
  return [...cacheFolders(), path.join(tmpdir(), `envsnap-server-${user}`)];
}

function cacheFolders(): string[] {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const cacheFolder = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  if (cacheFolder !== undefined && path.isAbsolute(cacheFolder))
    return [path.join(cacheFolder, 'envsnap-server')];
  try {
    return [path.join(homedir(), '.cache/envsnap-server')];
  } catch {
    // A user whose home folder is unknown.
    return [];
  }
}

/** Creates the folder if it does not exist. Throws if somebody else could have put the file there. */
function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory()) throw new Error('it is no folder');
  if (process.geteuid === undefined) return folder;
  if (uid !== process.geteuid() && uid !== 0) throw new Error('it belongs to somebody else');
  if (mode & 0o022) throw new Error('others may write to it');
  return folder;
}

function holds(file: string, digest: string): boolean {
  try {
    return lstatSync(file).isFile() && digestOf(readFileSync(file)) === digest;
  } catch {
    return false;
  }
}

/** Another start at the same time writes the same bytes. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, bytes, { mode: 0o500, flag: 'wx' });
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
