// Homebrew's Cellar: a folder for each formula, in it one for each installed version.

import type { CapturedMachine } from '../../system/machine.ts';
import type { InstalledPackages } from './installed-packages.ts';

export async function readCellar(machine: CapturedMachine, path: string): Promise<InstalledPackages> {
  const packages: [string, string][] = [];
  for (const formula of await machine.files.entries(path)) {
    if (formula.kind !== 'directory' || formula.name.startsWith('.')) continue;
    for (const version of await machine.files.entries(machine.files.paths.join(path, formula.name)))
      if (version.kind === 'directory' && !version.name.startsWith('.'))
        packages.push([formula.name, version.name]);
  }
  return packages;
}
