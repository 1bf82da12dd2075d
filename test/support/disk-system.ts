// A System over the real file system whose every file method can be replaced: enough for collectors that start nothing.

import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import type { System } from '../../packages/cli/src/system.ts';

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>) {
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : 'other';
}

/** The disk as it is; `overrides` replace methods, e.g. to make a folder unreadable for root too. */
export function createDiskSystem(overrides: Partial<System> = {}): System {
  return {
    platform: process.platform,
    arch: process.arch,
    env: {},
    homeDir: '/nowhere',
    hostName: 'test',
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    readFile: (path) => readFile(path),
    readTextFile: (path) => readFile(path, 'utf8'),
    readDirectory: async (path) =>
      (await readdir(path, { withFileTypes: true })).map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      })),
    status: async (path) => {
      const status = await stat(path);
      const kind = status.isFile() ? 'file' : status.isDirectory() ? 'directory' : 'other';
      return {
        kind,
        sizeBytes: status.size,
        modifiedMs: status.mtimeMs,
        executable: (status.mode & 0o111) !== 0,
      };
    },
    realPath: (path) => realpath(path),
    execute: () => Promise.reject(new Error('collecting dependencies starts no process')),
    ...overrides,
  };
}
