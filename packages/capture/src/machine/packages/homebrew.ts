// Homebrew's Cellar: a folder for each formula, in it one for each installed version.

import type { MachineFiles } from '../../system/machine-files.ts';
import type { System } from '../../system/system.ts';
import type { InstalledPackages } from './read-machine-packages.ts';

export async function readCellar(
  _system: System,
  files: MachineFiles,
  path: string,
): Promise<InstalledPackages> {
  const packages: [string, string][] = [];
  for (const formula of await files.entries(path)) {
    if (formula.kind !== 'directory' || formula.name.startsWith('.')) continue;
    for (const version of await files.entries(files.paths.join(path, formula.name)))
      if (version.kind === 'directory' && !version.name.startsWith('.'))
        packages.push([formula.name, version.name]);
  }
  return packages;
}
