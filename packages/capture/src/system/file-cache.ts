// Caches what was read from files until something about them changes: one small file instead of many.

import { createHash } from 'node:crypto';
import type { FileStatus, System } from './system.ts';

/** Cached contents of files from an earlier capture. Safe to delete; never trusted if anything differs. */
export interface FileCache {
  /**
   * The result of `read` for one file, as JSON under a name for this kind of value. Undefined is not cached, nor is anything for
   * which `read` called `onlyNow`: it read more than the file, or has a warning. `status`: the file's, if already known.
   */
  of<T>(
    name: string,
    file: string,
    read: (onlyNow: () => void) => Promise<T | undefined>,
    status?: FileStatus,
  ): Promise<T | undefined>;
  /** Writes new entries, if any; ignores failures. */
  save(): Promise<void>;
}

export const noFileCache: FileCache = {
  of: (_name, _file, read) => read(() => undefined),
  save: async () => undefined,
};

/** Size in bytes, times of modification and of change in milliseconds, and the value. */
type Entry = readonly [sizeBytes: number, modifiedMs: number, changedMs: number, value: unknown];

/** A file that changed so recently may change again within the same tick of its file system's clock, in milliseconds. */
const settledAfterMs = 2500;
/** Longest text of a cache, in characters; reading a longer one would cost more than reading the files again. */
const maxLength = 4 * 1024 * 1024;
const maxBytesPerCharacter = 3;

/**
 * Opens the cache for a folder. Another `programId` starts with an empty cache. There are at most 256 files, because two letters
 * of the folder's digest name them; folders that share one replace each other's.
 */
export async function openFileCache(
  machine: System,
  cacheDir: string | undefined,
  folder: string,
  programId: string,
): Promise<FileCache> {
  const separator = machine.platform === 'win32' ? '\\' : '/';
  // A cache inside the captured folder, such as one that a CI job keeps, is not read.
  if (!cacheDir || `${cacheDir}${separator}`.startsWith(`${folder}${separator}`)) return noFileCache;
  const digest = digestOf(folder);
  const path = [cacheDir, 'readings', `${digest.slice(0, 2)}.json`].join(separator);
  return openFileCacheAt(machine, path, `1 ${programId} ${digest}`);
}

/** Opens the cache file; another `stamp` empties it. The newest `mostUnused` unused entries stay. */
export async function openFileCacheAt(
  machine: System,
  path: string,
  stamp: string,
  mostUnused = 0,
): Promise<FileCache> {
  const known = await load(machine, path, stamp);
  const usable = new Map<string, Entry>();
  let learned = false;
  return {
    async of<T>(
      name: string,
      file: string,
      read: (onlyNow: () => void) => Promise<T | undefined>,
      knownStatus?: FileStatus,
    ) {
      // Read before the content: if the file changes in between, the cached entry will not be found.
      const status = knownStatus ?? (await machine.status(file).catch(() => undefined));
      if (status?.kind !== 'file') return read(() => undefined);
      const key = `${name} ${file}`;
      const entry = known.get(key);
      if (entry && isSame(entry, status)) {
        usable.set(key, entry);
        return entry[3] as T;
      }
      let isLasting = machine.now() - Math.max(status.modifiedMs, status.changedMs) > settledAfterMs;
      const value = await read(() => {
        isLasting = false;
      });
      if (value !== undefined && isLasting) {
        usable.set(key, [status.sizeBytes, status.modifiedMs, status.changedMs, value]);
        learned = true;
      }
      return value;
    },
    async save() {
      if (!learned) return;
      // Another capture may have written in the meantime.
      const current = mostUnused > 0 ? [...(await load(machine, path, stamp))] : [];
      const unused = current.filter(([key]) => !usable.has(key)).slice(-mostUnused);
      const entries = JSON.stringify([...unused, ...usable]);
      const text = `${stamp} ${digestOf(entries)}\n${entries}`;
      if (text.length <= maxLength) await machine.writeFileAtomically(path, text).catch(() => undefined);
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame([sizeBytes, modifiedMs, changedMs]: Entry, status: FileStatus): boolean {
  return status.sizeBytes === sizeBytes && status.modifiedMs === modifiedMs && status.changedMs === changedMs;
}

async function load(machine: System, path: string, stamp: string): Promise<ReadonlyMap<string, Entry>> {
  try {
    if ((await machine.status(path)).sizeBytes > maxLength * maxBytesPerCharacter) return new Map();
    const text = await machine.readTextFile(path);
    const [first = '', ...rest] = text.split('\n');
    const entries = rest.join('\n');
    if (first !== `${stamp} ${digestOf(entries)}`) return new Map();
    return new Map(JSON.parse(entries) as [string, Entry][]);
  } catch {
    // Absent, unreadable or damaged: everything is read again, and the file is rewritten.
    return new Map();
  }
}
