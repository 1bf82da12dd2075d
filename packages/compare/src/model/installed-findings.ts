// What one machine alone shows: packages that are installed in another version than its lock file says, and lock files of
// which nothing is installed. docs/specification.md §11.

import { installCommandOf, reinstallCommandOf } from '@envsnap/shared/catalogue/formats';
import { shellWord } from '@envsnap/shared/text/visible';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { directFirst, directPackages } from './direct-packages.ts';
import type { ComparableEnvironment, ComparisonNote } from './model.ts';

/** Stands for the packages for development, where none of them is installed. */
export const developmentKey = 'devDependencies';

/** Installs for production leave development out, so installing the same way again would not bring it. */
const withDevelopment: Readonly<Record<string, string>> = {
  'npm ci': 'npm ci --include=dev',
  'pnpm install --frozen-lockfile': 'pnpm install --frozen-lockfile --prod=false',
  'yarn install --frozen-lockfile': 'yarn install --frozen-lockfile --production=false',
};

function developmentInstallOf(file: string): string | undefined {
  const install = installCommandOf(file);
  return install === undefined ? undefined : (withDevelopment[install] ?? install);
}

export interface InstalledFinding {
  readonly file: string;
  readonly name: string;
  readonly installed: string | null;
  /** Null where the lock file does not have it. */
  readonly locked: string | null;
  readonly direct: boolean;
  /** Some of the packages that depend on it. */
  readonly requiredBy: readonly string[];
  /** Its folder relative to the lock file, where it has one only. */
  readonly folder: string | null;
  /** A sentence without its full stop: `zod 4.0.1 is installed, package-lock.json says 4.6.7`. */
  readonly message: string;
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
          advice: commandFor(file, { name, version, folder }),
        };
      })
      .sort(directFirst);
  });
}

/** `4.0.1 is installed, package-lock.json says 4.6.7`; a program such as `.bin/vite` is in no lock file. */
function stateOf(version: string, locked: string | null, file: string): string {
  const [, own, flaw] = /^(\d\S*?)((?:,| without) \D.*)$/s.exec(version) ?? [];
  if (own !== undefined && own === locked) return `${own} is installed${flaw}`;
  if (locked === null && / |^(?!\d)/.test(version)) return version === '' ? 'is missing' : `is ${version}`;
  const says = locked === null ? `${file} does not have it` : `${file} says ${locked}`;
  if (!version) return `is not installed, ${says}`;
  return /^\d/.test(version) ? `${version} is installed, ${says}` : `is ${version}, ${says}`;
}

export interface NotInstalledFinding {
  readonly file: string;
  readonly message: string;
  readonly advice: string | null;
}

export function notInstalledFindings(snapshot: ComparableEnvironment): NotInstalledFinding[] {
  return [...environmentOf(snapshot).notInstalled].sort().map((file) => ({
    file,
    message: `nothing of ${file} is installed`,
    advice: commandFor(file),
  }));
}

/** By lock file: everything but the packages for development is installed. */
export function leftOutFindings(snapshot: ComparableEnvironment): NotInstalledFinding[] {
  return [...environmentOf(snapshot).withoutDevelopment].sort().map((file) => ({
    file,
    message: `the packages for development of ${file} are not installed`,
    advice: commandFor(file, { name: developmentKey }),
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

/** A package that is not as locked: its installed version or state, and the folder that holds it, where these are known. */
interface Drifted {
  readonly name: string;
  readonly version?: string | undefined;
  readonly folder?: string | null | undefined;
}

/** `npm ci`, in the lock file's folder: to be pasted into a shell, although the folder's name may be anything. Where Python
 * itself is broken, pip has nothing to install into; where another environment is active, the right one is activated. */
export function commandFor(file: string, drifted?: Drifted): string | null {
  const command =
    drifted?.name === developmentKey
      ? developmentInstallOf(file)
      : drifted
        ? reinstallCommandOf(file)
        : installCommandOf(file);
  if (command === undefined) return null;
  const slash = file.lastIndexOf('/');
  const own = drifted?.name === 'python' && / the project's is (\S+)$/.exec(drifted.version ?? '')?.[1];
  const named = own
    ? `. ${shellWord(own)}/bin/activate`
    : command.startsWith('pip ')
      ? pipCommand(`${command} ${shellWord(file.slice(slash + 1))}`, drifted)
      : command;
  const folder = file.slice(0, Math.max(slash, 0));
  return slash < 0 ? named : `cd ${shellWord(folder.startsWith('-') ? `./${folder}` : folder)} && ${named}`;
}

/** What can be run as it is: nothing where an ecosystem is named by several commands, of which a person takes one. */
export function runnable(command: string | null): string[] {
  return command === null || command.includes(', ') ? [] : [command];
}

function pipCommand(install: string, { name, version = '', folder }: Partial<Drifted> = {}): string {
  if (name === 'python') return `python3 -m venv --clear .venv && .venv/bin/${install}`;
  // pip believes its own record of a package whose files are gone.
  const [, hollow] = /^(\S+) without /.exec(version) ?? [];
  const command =
    hollow === undefined || name === undefined
      ? install
      : `pip install --force-reinstall --no-deps ${shellWord(`${name}==${hollow}`)}`;
  return folder ? `${shellWord(folder)}/bin/${command}` : command;
}
