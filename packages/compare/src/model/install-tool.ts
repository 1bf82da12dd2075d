// The commands that install a version of a tool, with the machine's version manager or a package manager.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { managedRuntimes, type VersionManagerRow } from '@envsnap/shared/catalogue/version-managers';
import { quoted } from './shell-quote.ts';

/** The name of an active virtual environment in the project's folder, by VIRTUAL_ENV. */
export function ownEnvironment(tool: string, virtualEnv: string | null | undefined): string | undefined {
  return tool.startsWith('python') ? /^<checkout>\/([\w.-]+)$/.exec(virtualEnv ?? '')?.[1] : undefined;
}

/**
 * Commands for a POSIX shell; empty if none is known. `has`: whether the machine has a manager. `environment`: the active
 * virtual environment, which hides every other Python until it is made again.
 */
export function installCommands(
  tool: string,
  version: string,
  has: (manager: VersionManagerRow) => boolean,
  environment?: string,
): string[] {
  const word = quoted(version);
  if (word === undefined || !/^\d/.test(version)) return [];
  const manager = managedRuntimes.find(
    (row) => row.use !== undefined && row.runtimes.includes(tool) && has(row),
  );
  const installer = tool === 'yarn' && !version.startsWith('1.') ? 'corepack' : toolRow(tool)?.installedBy;
  const lines =
    environment === undefined
      ? (manager?.use ?? byPackageManager[installer ?? 'none'])
      : (manager?.environment ?? []);
  const filled = (line: string) => line.replaceAll('{version}', () => word).replaceAll('{tool}', tool);
  return lines.map((line) => filled(line).replaceAll('{environment}', environment ?? ''));
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
  gem: ['gem install {tool}:{version}'],
  none: [],
} as const;
