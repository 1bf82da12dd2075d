// The commands that install a version of a tool, with the machine's version manager or a package manager.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { managedRuntimes, type VersionManagerRow } from '@envsnap/shared/catalogue/version-managers';
import installers from './install-commands.json' with { type: 'json' };
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
  // The registry has no newer Yarn with this name.
  const installer = tool === 'yarn' && !version.startsWith('1.') ? 'corepack' : toolRow(tool)?.installedBy;
  const lines =
    environment === undefined
      ? (manager?.use ?? installers.tools[installer ?? 'none'])
      : (manager?.environment ?? []);
  const filled = (line: string) => line.replaceAll('{version}', () => word).replaceAll('{tool}', tool);
  return lines.map((line) => filled(line).replaceAll('{environment}', environment ?? ''));
}
