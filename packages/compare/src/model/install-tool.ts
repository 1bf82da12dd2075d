// The commands that install a version of a tool, with the machine's version manager or a package manager.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { managedRuntimes, type VersionManagerRow } from '@envsnap/shared/catalogue/version-managers';
import { quoted } from './shell-quote.ts';

/** Commands for a POSIX shell; empty if none is known. `has`: whether the machine has a manager. */
export function installCommands(
  tool: string,
  version: string,
  has: (manager: VersionManagerRow) => boolean,
): string[] {
  const word = quoted(version);
  if (word === undefined || !/^\d/.test(version)) return [];
  const manager = managedRuntimes.find(
    (row) => row.use !== undefined && row.runtimes.includes(tool) && has(row),
  );
  const installer = tool === 'yarn' && !version.startsWith('1.') ? 'corepack' : toolRow(tool)?.installedBy;
  const lines = manager?.use ?? byPackageManager[installer ?? 'none'];
  return lines.map((line) => line.replaceAll('{version}', () => word).replaceAll('{tool}', tool));
}

const byPackageManager = {
  npm: ['npm install --global {tool}@{version}'],
  // The registry has no newer Yarn with this name.
  corepack: [
    'npm install --global corepack',
    'corepack enable {tool}',
    'corepack install --global {tool}@{version}',
  ],
  pip: ['python3 -m pip install {tool}=={version}'],
  none: [],
} as const;
