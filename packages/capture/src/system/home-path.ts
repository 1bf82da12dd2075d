// Writes the home folder as `~`, so that a snapshot names no user and two users' machines compare equal.

import type { MachineFiles } from './machine-files.ts';
import type { System } from './system.ts';

/** Replaces each mention of the home folder in a text by `~`. */
export type HomeAbbreviation = (text: string) => string;

/** Knows the home folder as the environment names it and by its real path. */
export async function createHomeAbbreviation(system: System, files: MachineFiles): Promise<HomeAbbreviation> {
  const real = await files.realPath(system.homeDir);
  const variable = system.platform === 'win32' ? system.env.USERPROFILE : system.env.HOME;
  return homeAbbreviation([system.homeDir, real, variable], system.platform === 'win32');
}

/**
 * Replaces whole folder names only: with the home `/home/dev`, `/home/dev/x` becomes `~/x`, while `/home/developer`
 * and `/mnt/home/dev` stay. Compiler flags (`-I/home/dev/include`) and file URLs count as starts of a path.
 */
export function homeAbbreviation(
  homes: readonly (string | undefined)[],
  onWindows: boolean,
): HomeAbbreviation {
  const usable = new Set<string>();
  for (const home of homes) {
    const trimmed = home?.replace(/[\\/]+$/, '');
    // A file system's root, or no home at all, is no name worth hiding.
    if (trimmed && !/^[A-Za-z]:$/.test(trimmed)) usable.add(trimmed);
  }
  if (usable.size === 0) return (text) => text;
  const alternatives = [...usable]
    .sort((a, b) => b.length - a.length)
    .map((home) => home.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .map((home) => (onWindows ? home.replace(/\\\\|\//g, '[\\\\/]+') : home));
  const before = onWindows
    ? String.raw`(?<![\w.~-])(?<![\w.~-][\\/])`
    : String.raw`(?:(?<![\w./~-])|(?<=:\/\/)|(?<=(?:^|[\s"'])-{1,2}[A-Za-z]))`;
  const pattern = new RegExp(
    String.raw`${before}(?:${alternatives.join('|')})(?![\w~-]|\.\w)`,
    onWindows ? 'gi' : 'g',
  );
  // Most texts name no home folder; the expression is dear beside the look.
  const mayMatch = onWindows
    ? () => true
    : (text: string): boolean => [...usable].some((home) => text.includes(home));
  return (text) => (mayMatch(text) ? text.replace(pattern, '~') : text);
}
