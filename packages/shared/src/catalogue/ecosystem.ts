// By whose rules a version is read: from the path of a dependency file, or from the name of a runtime.

import type { Ecosystem } from './ecosystems.ts';
import { formatOfFile } from './formats.ts';
import { toolRow } from './tools.ts';

export type { Ecosystem } from './ecosystems.ts';

/** Databases of a machine's own packages, which stand among the dependencies under their full path. */
const machineDatabases: readonly (readonly [path: RegExp, ecosystem: Ecosystem])[] = [
  [/^\/var\/lib\/dpkg\//, 'debian'],
  [/^\/(?:usr\/)?lib\/apk\//, 'alpine'],
  [/^\/(?:var|usr)\/lib\/(?:sysimage\/)?rpm(?:\/|$)/, 'rpm'],
  [/\/Cellar(?:\/|$)/, 'homebrew'],
];

/** Where the packages of a dependency file come from unless the file says otherwise; `generic` for unknown files. */
export function ecosystemOfFile(file: string): Ecosystem {
  const ofMachine = machineDatabases.find(([path]) => path.test(file))?.[1];
  return ofMachine ?? formatOfFile(file)?.ecosystem ?? 'generic';
}

/** By whose rules the version of a runtime or tool is read. */
export function ecosystemOfRuntime(name: string): Ecosystem {
  return toolRow(name)?.ecosystem ?? 'generic';
}
