// Where what is installed is not what a lock file says: the shape of the answer, and what all readers of it share.

import { isPlainObject, recordOf, textField } from '@envsnap/shared/plain-object';
import { refuseTooManyValues } from '../dependencies/text/lines.ts';
import type { ToolLocator } from '../runtimes/tool-locator.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';

/** Package to installed version, several joined by `, `; `""` for a missing one. Packages that agree are left out. */
export type Drift = Map<string, string>;

/** One lock file and the files around it. */
export interface LockPlace {
  readonly machine: CapturedMachine;
  /** Absent where no program is looked for. */
  readonly locator?: ToolLocator | undefined;
  readonly files: MachineFiles;
  /** The lock file, absolute. */
  readonly path: string;
  /** The folder that holds it, absolute. */
  readonly root: string;
  /** A path below that folder, of parts with `/`. */
  at(...parts: readonly string[]): string;
  /** True where that folder is the captured one. */
  readonly isTop: boolean;
  /** Package to locked version as the capture records it, several joined by `, `. */
  readonly locked: Readonly<Record<string, string>>;
}

/** Why nothing can be compared: nothing is installed, or that is unknown. */
export type Absence = 'nothing' | { readonly unknown: string };

export const linkedVersion = 'linked';

/** A drift's key where none of the packages for development is there, as after `npm ci --omit=dev`. */
export const development = 'devDependencies';

/** The only key of a drift where nothing is installed, though the folder for it is there. */
export const everything = '';

export function versionsOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(', ');
}

/** Versions of one package that are named. */
const maxVersions = 100;

/** Notes an installed version; a package that is there in several versions has them all. */
export function addVersion(drift: Map<string, string>, name: string, version: string): void {
  const known = versionsOf(drift.get(name));
  if (known.length < maxVersions && !known.includes(version))
    drift.set(name, [...known, version].filter(Boolean).sort().join(', '));
}

/** Notes what is known of a package, unless something is noted of it already. */
export function addState(drift: Map<string, string>, name: string, state: string): void {
  if (!drift.has(name)) drift.set(name, state);
}

/** The version in a `package.json`; undefined where there is none. */
export async function manifestVersion({ files }: LockPlace, path: string): Promise<string | undefined> {
  return textField(await files.json(path), 'version');
}

/** The requirements of the project's `package.json`, by kind: name to range. */
export async function askedPackages(place: LockPlace, ...kinds: readonly string[]) {
  const manifest = (await readJsonObject(place.machine, place.at('package.json'))) ?? {};
  return kinds.map((kind) => recordOf(manifest[kind]));
}

/** Larger files are not read, in bytes: no state of a package manager is. */
const maxFileBytes = 64 * 1024 * 1024;

/** A text file's content; rejects where there is none, or it is too large. */
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

/** Programs that are looked at. */
const maxPrograms = 5000;

/** Programs of locked packages in `.bin` that lead nowhere or may not be started, with what is wrong. */
export async function brokenPrograms({ machine, files, at, locked }: LockPlace) {
  const broken: [name: string, state: string][] = [];
  if (machine.platform === 'win32') return broken;
  for (const name of (await files.names(at('node_modules/.bin'))).slice(0, maxPrograms)) {
    const program = at('node_modules/.bin', name);
    const status = await files.status(program);
    if (status?.executable) continue;
    // A package of the workspace may not be built yet.
    const target = await machine.readLink(program).catch(() => '');
    const owner = /^(?:\.\.\/)+((?:@[^/]+\/)?[^/]+)\//.exec(target)?.[1];
    if (owner !== undefined && Object.hasOwn(locked, owner))
      broken.push([`.bin/${name}`, status ? 'not executable' : 'a link that leads nowhere']);
  }
  return broken;
}

/** Whether programs of packages are linked into `.bin`, which `bin-links=false` prevents. */
export async function linksPrograms({ machine, files, at }: LockPlace): Promise<boolean> {
  const config = (await files.text(at('.npmrc'))) ?? '';
  return !/^(?:bin-links\s*=\s*)?false\s*$/m.test(`${config}\n${machine.env.npm_config_bin_links ?? ''}`);
}
