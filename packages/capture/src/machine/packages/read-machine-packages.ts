// The operating system's own packages, from the files of its package manager; starts no program. docs/specification.md §11.

import { limits } from '@envsnap/shared/catalogue/limits';
import { packageDatabases } from '@envsnap/shared/catalogue/machine-packages';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { sortedRecord } from '../../sorted-record.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { readRpm } from './rpm.ts';
import type { InstalledPackages } from './text-databases.ts';
import { readApk, readDpkg } from './text-databases.ts';

export interface MachinePackages {
  /** Path of the database to package to version; several installed versions joined by `, `. */
  readonly dependencies: Record<string, Record<string, string>>;
  readonly unknown: readonly UnknownEntry[];
}

const readers = {
  dpkg: readDpkg,
  apk: readApk,
  rpm: readRpm,
  homebrew: readCellar,
} as const;

/** Reads every existing database; `room` is the number of packages that the snapshot can still hold. */
export async function readMachinePackages(
  machine: CapturedMachine,
  room: number = limits.packagesPerSnapshot,
): Promise<MachinePackages> {
  const dependencies: Record<string, Record<string, string>> = {};
  const unknown: UnknownEntry[] = [];
  if (machine.platform === 'win32') return { dependencies, unknown };
  let remaining = room;
  const seen = new Set<string>();
  for (const [path, kind] of Object.entries(packageDatabases)) {
    // Fedora's two paths lead to one folder.
    const real = await machine.files.realPath(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    try {
      const packages = await readPackages(machine, path, kind);
      if (packages === undefined)
        unknown.push({
          section: 'dependencies',
          key: path,
          reason: 'this database cannot be read as a file',
        });
      else if (Object.keys(packages).length > remaining)
        unknown.push({ section: 'dependencies', key: path, reason: 'the snapshot is full' });
      else if (Object.keys(packages).length > 0) {
        dependencies[path] = packages;
        remaining -= Object.keys(packages).length;
      }
    } catch {
      unknown.push({ section: 'dependencies', key: path, reason: 'it could not be read' });
    }
  }
  return { dependencies, unknown };
}

async function readPackages(
  machine: CapturedMachine,
  path: string,
  kind: keyof typeof readers,
): Promise<Record<string, string> | undefined> {
  const read = async (): Promise<Record<string, string> | undefined> => {
    const found = await readers[kind](machine, path);
    return found && joined(found);
  };
  // The other databases are folders, or have a write-ahead log beside them.
  return kind === 'dpkg' || kind === 'apk' ? machine.fileCache.of('packages', path, read) : read();
}

function joined(packages: InstalledPackages): Record<string, string> {
  const versions = new Map<string, string>();
  for (const [name, version] of packages) {
    const known = versions.get(name)?.split(', ') ?? [];
    if (known.includes(version)) continue;
    versions.set(name, known.length === 0 ? version : [...known, version].sort().join(', '));
  }
  return sortedRecord(versions);
}

/** How many machine packages fit into a snapshot besides those of the project. */
export function roomBeside(dependencies: Record<string, Record<string, string>>): number {
  const files = Object.values(dependencies);
  if (files.length >= limits.dependencyFilesPerSnapshot) return 0;
  return files.reduce<number>(
    (room, packages) => room - Object.keys(packages).length,
    limits.packagesPerSnapshot,
  );
}

async function readCellar(machine: CapturedMachine, path: string): Promise<InstalledPackages> {
  const packages: [string, string][] = [];
  for (const formula of await machine.files.entries(path)) {
    if (formula.kind !== 'directory' || formula.name.startsWith('.')) continue;
    for (const version of await machine.files.entries(machine.files.paths.join(path, formula.name)))
      if (version.kind === 'directory' && !version.name.startsWith('.'))
        packages.push([formula.name, version.name]);
  }
  return packages;
}
