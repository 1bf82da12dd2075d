// Remembers what executables said of their version, for as long as nothing about them changed.

import type { CapturedMachine } from '../system/machine.ts';

/** Versions by executable. Safe to delete; never trusted when anything differs. */
export interface VersionCache {
  find(key: string, realPath: string): Promise<string | undefined>;
  remember(key: string, realPath: string, version: string): Promise<void>;
  /** Writes what was learned, if anything; a failure has no consequences. */
  save(): Promise<void>;
}

interface CacheDocument {
  readonly format: 1;
  /** Everything that answers depend on beside the executables; another stamp empties the cache. */
  readonly stamp: string;
  readonly entries: Record<string, CacheEntry>;
}

interface CacheEntry {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly version: string;
}

const fileName = 'tool-versions.json';
const maxEntries = 2000;

/**
 * Where systems record each change to their packages: a program in their folders, and the libraries it loads,
 * change only together with one of these.
 */
const packageRecords = [
  ...[
    '/var/lib/dpkg/status',
    '/var/lib/rpm/rpmdb.sqlite',
    '/usr/lib/sysimage/rpm/rpmdb.sqlite',
    '/var/lib/rpm/Packages',
  ],
  ...['/lib/apk/db/installed', '/var/lib/pacman/local', '/etc/alternatives', '/run/current-system'],
];
const relevantVariables = ['LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES'];

/** Opens the cache in a folder; a damaged file counts as none. `programVersion`: another version starts afresh. */
export async function openVersionCache(
  machine: CapturedMachine,
  folder: string | undefined,
  programVersion: string,
): Promise<VersionCache> {
  if (!folder) return noCache;
  const file = machine.files.paths.join(folder, fileName);
  const stamp = await dependencyStamp(machine, programVersion);
  const known = await readEntries(machine, file, stamp);
  const learned = new Map<string, CacheEntry>();
  return {
    async find(key, realPath) {
      const entry = known.get(key);
      const status = await machine.files.status(realPath);
      const same =
        entry !== undefined &&
        status?.kind === 'file' &&
        entry.sizeBytes === status.sizeBytes &&
        entry.modifiedMs === status.modifiedMs &&
        entry.changedMs === status.changedMs;
      return same ? entry.version : undefined;
    },
    async remember(key, realPath, version) {
      const before = await machine.files.status(realPath);
      // The file may have been replaced while it ran: what it said is then of an unknown one.
      const after = await machine.status(realPath).catch(() => undefined);
      if (!before || before.modifiedMs !== after?.modifiedMs || before.sizeBytes !== after.sizeBytes) return;
      const { sizeBytes, modifiedMs, changedMs } = before;
      learned.set(key, { sizeBytes, modifiedMs, changedMs, version });
    },
    async save() {
      if (learned.size === 0) return;
      // Another capture may have written meanwhile: its entries are kept.
      const current = await readEntries(machine, file, stamp);
      const entries = [...current, ...learned].slice(-maxEntries);
      const document: CacheDocument = { format: 1, stamp, entries: Object.fromEntries(entries) };
      await machine.writeFileAtomically(file, JSON.stringify(document)).catch(() => undefined);
    },
  };
}

const noCache: VersionCache = {
  find: async () => undefined,
  remember: async () => undefined,
  save: async () => undefined,
};

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

async function readEntries(
  machine: CapturedMachine,
  file: string,
  stamp: string,
): Promise<Map<string, CacheEntry>> {
  const entries = new Map<string, CacheEntry>();
  try {
    const document = JSON.parse(await machine.readTextFile(file)) as Partial<CacheDocument> | null;
    if (document?.format !== 1 || document.stamp !== stamp) return entries;
    for (const [key, entry] of Object.entries(document.entries ?? {})) {
      if (isEntry(entry)) entries.set(key, entry);
    }
  } catch {
    // Absent, unreadable or damaged: everything is asked again, and the file is written anew.
  }
  return entries;
}

function isEntry(value: unknown): value is CacheEntry {
  const entry = value as Partial<CacheEntry> | null;
  return (
    typeof entry === 'object' &&
    typeof entry?.sizeBytes === 'number' &&
    typeof entry.modifiedMs === 'number' &&
    typeof entry.changedMs === 'number' &&
    typeof entry.version === 'string' &&
    /^\d[\w.+~-]{0,99}$/.test(entry.version)
  );
}
