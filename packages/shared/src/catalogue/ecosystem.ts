// Which ecosystem's rules apply to a version, by the path of its dependency file or the name of its runtime.

import type { Ecosystem } from './ecosystems.ts';
import { formatOfFile } from './formats.ts';
import { type PackageDatabase, packageDatabaseOf } from './machine-packages.ts';
import { toolRow } from './tools.ts';

export type { Ecosystem } from './ecosystems.ts';

/** Ecosystems of the packages of the operating system. `dependencies` has them under the path of their database. */
const databases: Readonly<Record<PackageDatabase, Ecosystem>> = {
  dpkg: 'debian',
  apk: 'alpine',
  rpm: 'rpm',
  homebrew: 'homebrew',
};

/** The ecosystem of a dependency file; `generic` for unknown files. */
export function ecosystemOfFile(file: string): Ecosystem {
  const database = packageDatabaseOf(file);
  return database ? databases[database] : (formatOfFile(file)?.ecosystem ?? 'generic');
}

/** The ecosystem whose rules apply to the version of a runtime or tool. */
export function ecosystemOfRuntime(name: string): Ecosystem {
  return toolRow(name)?.versionsLike ?? 'generic';
}
