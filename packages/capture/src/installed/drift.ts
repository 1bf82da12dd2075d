// Types and helpers of the readers that compare installed packages with a lock file.

import { isPlainObject, recordOf, textField } from '@envsnap/shared/plain-object';
import { refuseTooManyValues } from '../dependencies/text/lines.ts';
import type { ToolLocator } from '../runtimes/tool-locator.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';

/** Package → installed version, several joined by `, `, or `""` if it is missing. Packages that agree are left out. */
export type Drift = Map<string, string>;

/** A lock file and the files around it. */
export interface LockPlace {
  readonly machine: CapturedMachine;
  /** Absent if no program is looked up. */
  readonly locator?: ToolLocator | undefined;
  readonly files: MachineFiles;
  /** The lock file, absolute. */
  readonly path: string;
  /** The folder that holds it, absolute. */
  readonly root: string;
  /** Joins a path to that folder; parts are separated by `/`. */
  at(...parts: readonly string[]): string;
  /** Whether that folder is the captured one. */
  readonly isTop: boolean;
  /** Package to locked version as the capture records it, several joined by `, `. */
  readonly locked: Readonly<Record<string, string>>;
}

/** Why nothing can be compared: nothing is installed, or the state is unknown. */
export type Absence = 'nothing' | { readonly unknown: string };

export const linkedVersion = 'linked';

/** Key of a difference if all development packages are missing, as after `npm ci --omit=dev`. */
export const development = 'devDependencies';

/** The only key of a difference if nothing is installed although the folder for it exists. */
export const everything = '';

export function versionsOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(', ');
}

/** Maximum number of versions of one package that are named. */
const maxVersions = 100;

/** Records an installed version; a package with several versions has all of them. */
export function addVersion(drift: Map<string, string>, name: string, version: string): void {
  const known = versionsOf(drift.get(name));
  if (known.length < maxVersions && !known.includes(version))
    drift.set(name, [...known, version].filter(Boolean).sort().join(', '));
}

/** Records a fact about a package, unless one is recorded already. */
export function addState(drift: Map<string, string>, name: string, state: string): void {
  if (!drift.has(name)) drift.set(name, state);
}

/** The version in a `package.json`; undefined if there is none. */
export async function manifestVersion({ files }: LockPlace, path: string): Promise<string | undefined> {
  return textField(await files.json(path), 'version');
}

/** Requirements in the project's `package.json`, by kind: name → range. */
export async function askedPackages(place: LockPlace, ...kinds: readonly string[]) {
  const manifest = (await readJsonObject(place.machine, place.at('package.json'))) ?? {};
  return kinds.map((kind) => recordOf(manifest[kind]));
}

/** Larger files are not read, in bytes; real state files of package managers are smaller. */
const maxFileBytes = 64 * 1024 * 1024;

/** A text file's content; rejects if the file does not exist or is too large. */
export async function readStateFile(machine: CapturedMachine, path: string): Promise<string> {
  if ((await machine.status(path)).sizeBytes > maxFileBytes) throw new Error('too large');
  return machine.readTextFile(path);
}

export async function areAlike(machine: CapturedMachine, a: string, b: string): Promise<boolean> {
  const [{ sizeBytes }, other] = await Promise.all([machine.status(a), machine.status(b)]);
  if (sizeBytes !== other.sizeBytes || sizeBytes > maxFileBytes) return false;
  return Buffer.compare(await machine.readFile(a), await machine.readFile(b)) === 0;
}

export async function readJsonObject(machine: CapturedMachine, path: string) {
  try {
    const text = await readStateFile(machine, path);
    refuseTooManyValues(text, '[{,');
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum number of programs that are checked. */
const maxPrograms = 5000;

/** Programs of locked packages in `.bin` that lead nowhere or cannot be started, with the reason. */
export async function brokenPrograms({ machine, files, at, locked }: LockPlace) {
  const broken: [name: string, state: string][] = [];
  if (machine.platform === 'win32') return broken;
  for (const name of (await files.names(at('node_modules/.bin'))).slice(0, maxPrograms)) {
    const program = at('node_modules/.bin', name);
    const status = await files.status(program);
    if (status?.executable) continue;
    // A workspace package may not be built yet.
    const target = await machine.readLink(program).catch(() => '');
    const owner = /^(?:\.\.\/)+((?:@[^/]+\/)?[^/]+)\//.exec(target)?.[1];
    if (owner !== undefined && Object.hasOwn(locked, owner))
      broken.push([`.bin/${name}`, status ? 'not executable' : 'a broken link']);
  }
  return broken;
}

/** Whether programs of packages are linked into `.bin`; `bin-links=false` prevents it. */
export async function linksPrograms({ machine, files, at }: LockPlace): Promise<boolean> {
  const config = (await files.text(at('.npmrc'))) ?? '';
  return !/^(?:bin-links\s*=\s*)?false\s*$/m.test(`${config}\n${machine.env.npm_config_bin_links ?? ''}`);
}
