// Which of the runtimes on a machine its project needs: those that are declared, or whose dependency files are there.

import { toolsOfFile } from '@envsnap/shared/catalogue/formats';
import { toolNameOf, tools } from '@envsnap/shared/catalogue/tools';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';

const languages = tools.filter(({ kind, mise }) => kind === 'language' && mise !== undefined);

const mostNamed = 4;

export function notPinned(others: readonly (readonly [name: string, version: string])[]): string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, mostNamed).map(([name, version]) => `${name} ${version}`);
  const more = others.length - shown.length;
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [`not pinned, because nothing in the project asks for it (--all exports everything): ${list}`];
}

/** A version as tools print it. Version managers would run programs from `path:/x` and `../x`, so a snapshot with such
 * a text pins nothing. */
export function isPlainVersion(version: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.+~-]{0,99}$/.test(version) && !version.includes('..');
}

export function chooseRuntimes(environment: ComparableEnvironment, all = false) {
  const present = environment.runtimeVersions ?? {};
  const entries = Object.keys(present)
    .sort()
    .map((name) => [name, present[name] as string] as const)
    .filter(([, version]) => isPlainVersion(version));
  if (all) return { needed: entries, others: [] };
  const needed = new Set<string>();
  for (const { tool } of environmentOf(environment).declarations) needed.add(toolNameOf(tool));
  for (const file of Object.keys(environment.dependencies ?? {})) {
    for (const name of toolsOfFile(file)) needed.add(name);
  }
  const tellsNothing = !entries.some(([name]) => needed.has(name));
  if (tellsNothing) for (const { name } of languages) needed.add(name);
  return {
    needed: entries.filter(([name]) => needed.has(name)),
    others: entries.filter(([name]) => !needed.has(name)),
  };
}
