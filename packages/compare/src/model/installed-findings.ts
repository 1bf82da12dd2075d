// What one machine alone shows: packages that are installed in another version than its lock file says, and lock files of
// which nothing is installed. docs/specification.md §11.

import { reinstallCommandOf } from '@envsnap/shared/catalogue/formats';
import { shellWord } from '@envsnap/shared/text/visible';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { directFirst, directPackages } from './direct-packages.ts';
import type { ComparableEnvironment, ComparisonNote } from './model.ts';

/** One package that is not as its lock file says. */
export interface InstalledFinding {
  readonly file: string;
  readonly name: string;
  /** Null where it is missing. */
  readonly installed: string | null;
  /** Null where the lock file does not have it. */
  readonly locked: string | null;
  /** The project asks for it itself. */
  readonly direct: boolean;
  /** Some of the packages that depend on it. */
  readonly requiredBy: readonly string[];
  /** Its folder relative to the lock file, where it has one only. */
  readonly folder: string | null;
  /** A sentence without its full stop: `zod 4.0.1 is installed, package-lock.json says 4.6.7`. */
  readonly message: string;
  /** The command that repairs it, where one is known. */
  readonly advice: string | null;
}

/** By lock file; packages that the project itself asks for come first. */
export function installedFindings(snapshot: ComparableEnvironment): InstalledFinding[] {
  const environment = environmentOf(snapshot);
  return Object.entries(environment.installed).flatMap(([file, packages]) => {
    const lockedPackages = environment.dependencies[file] ?? {};
    const direct = directPackages(file, environment);
    return Object.entries(packages)
      .map(([name, version]): InstalledFinding => {
        const locked = Object.hasOwn(lockedPackages, name) ? (lockedPackages[name] as string) : null;
        const context = environment.driftOf(file, name);
        const { requiredBy, folder } = context;
        const dependents =
          requiredBy.length > 0
            ? `, which ${requiredBy.join(' and ')} ${requiredBy.length > 1 ? 'need' : 'needs'},`
            : '';
        return {
          file,
          name,
          installed: version || null,
          locked,
          direct: direct.has(name),
          ...context,
          message: `${name}${dependents} ${stateOf(version, locked, file)}${folder !== null && version ? ` (${folder})` : ''}`,
          advice: commandFor(file, name),
        };
      })
      .sort(directFirst);
  });
}

/** `4.0.1 is installed, package-lock.json says 4.6.7`; a program such as `.bin/vite` is in no lock file. */
function stateOf(version: string, locked: string | null, file: string): string {
  if (locked === null && !/^\d/.test(version)) return version ? `is ${version}` : 'is missing';
  const says = locked === null ? `${file} does not have it` : `${file} says ${locked}`;
  if (!version) return `is not installed, ${says}`;
  return /^\d/.test(version) ? `${version} is installed, ${says}` : `is ${version}, ${says}`;
}

/** A lock file of which nothing is installed, as in a fresh clone. */
export interface NotInstalledFinding {
  readonly file: string;
  /** A sentence without its full stop: `nothing of package-lock.json is installed`. */
  readonly message: string;
  /** The command that installs it, where one is known. */
  readonly advice: string | null;
}

/** By lock file. */
export function notInstalledFindings(snapshot: ComparableEnvironment): NotInstalledFinding[] {
  return [...environmentOf(snapshot).notInstalled].sort().map((file) => ({
    file,
    message: `nothing of ${file} is installed`,
    advice: commandFor(file),
  }));
}

/** One note for each lock file of which nothing is installed on one side only: its packages could not be compared. */
export function notInstalledNotes(a: Environment, b: Environment): ComparisonNote[] {
  const [inA, inB] = [a.notInstalled, b.notInstalled];
  return [...new Set([...inA, ...inB])].sort().flatMap((file): ComparisonNote[] => {
    const [side, other] = inA.has(file) ? (['A', b] as const) : (['B', a] as const);
    // Where the other side has no such file there is nothing to compare with.
    if ((inA.has(file) && inB.has(file)) || other.dependencies[file] === undefined) return [];
    const command = commandFor(file);
    const next = command === null ? '' : ` Run ${command} there, then compare again.`;
    const message = `Nothing of ${file} is installed in ${side}, so the installed packages could not be compared.${next}`;
    return [{ code: 'not_installed', message }];
  });
}

/**
 * `npm ci`, in the lock file's folder: to be pasted into a shell, although the folder's name may be anything. Where `broken` is
 * Python itself, pip has nothing to install into.
 */
export function commandFor(file: string, broken?: string): string | null {
  const command = reinstallCommandOf(file);
  if (command === undefined) return null;
  const slash = file.lastIndexOf('/');
  const ofFile = / -r$/.test(command) ? `${command} ${shellWord(file.slice(slash + 1))}` : command;
  const isPip = ofFile.startsWith('pip ');
  const named =
    isPip && broken === 'python' ? `python3 -m venv --clear .venv && .venv/bin/${ofFile}` : ofFile;
  const folder = file.slice(0, Math.max(slash, 0));
  return slash < 0 ? named : `cd ${shellWord(folder.startsWith('-') ? `./${folder}` : folder)} && ${named}`;
}
