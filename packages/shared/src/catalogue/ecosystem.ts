// By whose rules a version is read: from the path of a dependency file, or from the name of a runtime.

import type { Ecosystem } from './ecosystems.ts';
import { formatOfFile } from './formats.ts';
import { type PackageDatabase, packageDatabaseOf } from './machine-packages.ts';
import { toolRow } from './tools.ts';

export type { Ecosystem } from './ecosystems.ts';

/** Ecosystems of a machine's own packages, which stand among the dependencies under the path of their database. */
const databases: Readonly<Record<PackageDatabase, Ecosystem>> = {
  dpkg: 'debian',
  apk: 'alpine',
  rpm: 'rpm',
  homebrew: 'homebrew',
};

/** Where the packages of a dependency file come from unless the file says otherwise; `generic` for unknown files. */
export function ecosystemOfFile(file: string): Ecosystem {
  const database = packageDatabaseOf(file);
  return database ? databases[database] : (formatOfFile(file)?.ecosystem ?? 'generic');
}

/** By whose rules the version of a runtime or tool is read. */
export function ecosystemOfRuntime(name: string): Ecosystem {
  return toolRow(name)?.versionsLike ?? 'generic';
}
