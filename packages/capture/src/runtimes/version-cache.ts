// Caches the versions that executables printed, until something about them changes.

import { type FileCache, noFileCache, openFileCacheAt } from '../system/file-cache.ts';
import type { CapturedMachine } from '../system/machine.ts';

/** Versions that are kept although this capture did not need them, because other folders choose other tools. */
const mostUnused = 2000;

/**
 * Where systems record each change to their packages: a program in their folders, and the libraries it loads,
 * change only together with one of these.
 */
const packageRecords = [
  '/var/lib/dpkg/status',
  '/var/lib/rpm/rpmdb.sqlite',
  '/usr/lib/sysimage/rpm/rpmdb.sqlite',
  '/var/lib/rpm/Packages',
  '/lib/apk/db/installed',
  '/var/lib/pacman/local',
  '/etc/alternatives',
  '/run/current-system',
];
const relevantVariables = ['LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES'];

/** Opens the cached versions in a folder. If the program, its libraries or packages changed, the cache is empty. */
export async function openVersionCache(
  machine: CapturedMachine,
  cacheDir: string | undefined,
  programVersion: string,
): Promise<FileCache> {
  if (!cacheDir) return noFileCache;
  const file = machine.files.paths.join(cacheDir, 'tool-versions.json');
  return openFileCacheAt(machine, file, await dependencyStamp(machine, programVersion), mostUnused);
}

async function dependencyStamp(machine: CapturedMachine, programVersion: string): Promise<string> {
  const records = await Promise.all(
    packageRecords.map(async (path) => {
      const status = await machine.files.status(path);
      return status ? [path, status.sizeBytes, status.modifiedMs, status.changedMs] : undefined;
    }),
  );
  const variables = relevantVariables.map((name) => machine.env[name] ?? null);
  return JSON.stringify([programVersion, machine.platform, machine.arch, records.filter(Boolean), variables]);
}
