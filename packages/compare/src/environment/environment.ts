// A snapshot, parsed once: its values by address, and what its capture says about them. Nothing else in a comparison looks into a
// snapshot's metadata, which may hold anything: a field of another shape counts as absent.

import type { Address } from '@envsnap/shared/address';
import { toAddress } from '@envsnap/shared/address';
import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { type UnknownEntry, unknownEntries } from '@envsnap/shared/catalogue/unknown';
import { fingerprintKeyOf, isFingerprint, redactedMark } from '@envsnap/shared/opaque-value';
import {
  field,
  isPlainObject,
  itemsOf,
  recordOf,
  type StringMap,
  textEntriesOf,
  textField,
  textItemsOf,
} from '@envsnap/shared/plain-object';
import { type RunOutcome, runOutcome } from '@envsnap/shared/run-outcome';
import type { ComparableEnvironment, DeclaredRequirement, PackageDrift } from '../model/model.ts';
import { checkoutValues } from './checkout-values.ts';
import { systemValues } from './system-values.ts';

/** What a capture found at an address; nothing where it found nothing. */
export type Reading =
  | { readonly state: 'known'; readonly value: string | readonly string[] }
  /** It is there, or may be, and could not be read. The reason is the end of a sentence. */
  | { readonly state: 'unknown'; readonly reason: string }
  /** A secret: only fingerprints of one key can be compared. `key` is null where the capture names none. */
  | { readonly state: 'fingerprint'; readonly value: string; readonly key: string | null }
  /** It is set, and the capture left its value out. */
  | { readonly state: 'withheld' };

/** A version that a file of the project asks for. */
export interface Declaration extends DeclaredRequirement {
  readonly tool: string;
}

/** What a capture says about itself. */
export interface CaptureNotes {
  /** Captured with names only: every value of a variable is empty and means nothing. */
  readonly namesOnly: boolean;
  /** Names only by the capture’s own word, and not by the look of its variables. */
  readonly saysNamesOnly: boolean;
  /** Every readable value of a variable was judged not to be a secret. */
  readonly safe: boolean;
  /** Why nothing is known about the variables; undefined where they were captured. */
  readonly omitted: 'reduced' | 'left-out' | undefined;
  /** False where dotenv files were left out. */
  readonly dotenv: boolean;
  /** Which key the fingerprints were made with; null where it is not known. */
  readonly fingerprintKey: string | null;
  /** Another version may judge other values to be secrets. */
  readonly toolVersion: unknown;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What the project in the captured folder asks for. */
export interface CapturedProject {
  readonly ecosystems: readonly string[];
  readonly tools: readonly string[];
  /** Variables that it mentions, each with the first file that does. */
  readonly variables: readonly (readonly [name: string, file: string])[];
  /** The captured folder below the root, or the package that is looked at; null for the root. */
  readonly folder: string | null;
}

const parsed = new WeakMap<ComparableEnvironment, Environment>();

/** The environment of a snapshot, which must not change afterwards: it is parsed once, and each part when it is asked for. */
export function environmentOf(snapshot: ComparableEnvironment): Environment {
  const known = parsed.get(snapshot);
  if (known) return known;
  const environment = new Environment(snapshot);
  parsed.set(snapshot, environment);
  return environment;
}

export class Environment {
  readonly snapshot: ComparableEnvironment;
  readonly #metadata: Readonly<Record<string, unknown>>;
  readonly #parts = new Map<string, unknown>();

  constructor(snapshot: ComparableEnvironment) {
    this.snapshot = snapshot;
    this.#metadata = recordOf(snapshot.metadata);
  }

  #part<Part>(name: string, read: () => Part): Part {
    if (!this.#parts.has(name)) this.#parts.set(name, read());
    return this.#parts.get(name) as Part;
  }

  get os(): string | null {
    return this.snapshot.os ?? null;
  }

  get arch(): string | null {
    return this.snapshot.arch ?? null;
  }

  get runtimes(): StringMap {
    return this.snapshot.runtimeVersions ?? {};
  }

  /** File to package to version. */
  get dependencies(): Record<string, StringMap> {
    return this.snapshot.dependencies ?? {};
  }

  get variables(): StringMap {
    return this.snapshot.envVars ?? {};
  }

  /** Facts about the system as text: `libc` is `glibc 2.36`, `cpu.count` is `8`. */
  get system(): StringMap {
    return this.#part('system', () => systemValues(this.#metadata));
  }

  /** Whether the capture looked at the system. */
  get hasSystem(): boolean {
    const { system, timezone, locale } = this.#metadata;
    return system !== undefined || timezone !== undefined || locale !== undefined;
  }

  /** The distribution as its name and release; undefined where it is unknown. */
  get distribution(): { readonly id: string; readonly version: string | undefined } | undefined {
    const found = field(this.#metadata.system, 'distribution');
    const id = textField(found, 'id');
    return id === undefined ? undefined : { id, version: textField(found, 'version') };
  }

  /** The facts that the capture holds; undefined where it was made without facts. */
  get facts(): Readonly<Record<string, FactValue>> | undefined {
    return this.#part('facts', () => {
      const { facts } = this.#metadata;
      if (!isPlainObject(facts)) return undefined;
      return Object.fromEntries(
        Object.entries(facts).filter((entry): entry is [string, FactValue] => isFactValue(entry[1])),
      );
    });
  }

  /** A fact, or the default that its absence means; undefined where it cannot be known. */
  fact(name: string): FactValue | undefined {
    const facts = this.facts ?? {};
    if (Object.hasOwn(facts, name)) return facts[name];
    const row = factRow(name);
    return row?.unset !== undefined && row.read[systemOf(this.os)] !== null ? row.unset : undefined;
  }

  /** The versions that files of the project ask for, by tool. */
  get declarations(): readonly Declaration[] {
    return this.#part('declarations', () =>
      Object.entries(recordOf(this.#metadata.toolchain)).flatMap(([tool, entry]) => {
        const present = textField(entry, 'present') ?? null;
        return itemsOf(entry, 'declared').flatMap((declared): Declaration[] => {
          const requirement = textField(declared, 'version');
          if (requirement === undefined) return [];
          const satisfied = field(declared, 'satisfied');
          return [
            {
              tool,
              file: textField(declared, 'source') ?? '',
              requirement,
              present,
              satisfied: typeof satisfied === 'boolean' ? satisfied : null,
            },
          ];
        });
      }),
    );
  }

  /** What the work tree holds beside its commit, by the names of the section `checkout`; undefined where nothing was read. */
  get checkout(): Readonly<StringMap> | undefined {
    return this.#part('checkout', () => checkoutValues(this.#metadata));
  }

  /** Whether the folder is in a repository, and whether its tracked files were read. */
  get repository(): { readonly isPresent: boolean; readonly isRead: boolean } {
    const { git, checkout } = this.#metadata;
    return { isPresent: git !== undefined, isRead: checkout !== undefined };
  }

  get commit(): string | undefined {
    return textField(this.#metadata.git, 'commit');
  }

  get branch(): string | undefined {
    return textField(this.#metadata.git, 'branch');
  }

  get isDirty(): boolean {
    return field(this.#metadata.git, 'dirty') === true;
  }

  /** `main@1a2b3c4d+`: branch and commit, with a plus where files are changed. Null outside of a repository. */
  get revision(): string | null {
    const { commit } = this;
    const words = [this.branch, commit && `${commit.slice(0, 8)}${this.isDirty ? '+' : ''}`];
    return words.filter((word) => word !== undefined).join('@') || null;
  }

  /** Lock file to package to installed version, `""` for missing, where that is not the locked one. */
  get installed(): Readonly<Record<string, StringMap>> {
    return this.#part('installed', () =>
      Object.fromEntries(
        Object.entries(recordOf(this.#metadata.installed))
          .filter(([, packages]) => isPlainObject(packages))
          .map(([file, packages]) => [file, Object.fromEntries(textEntriesOf(packages))]),
      ),
    );
  }

  /** Lock files of which nothing is installed. */
  get notInstalled(): ReadonlySet<string> {
    return this.#part('notInstalled', () => new Set(textItemsOf(this.#metadata.notInstalled)));
  }

  /** Lock files of which only what programs need to run is installed. */
  get withoutDevelopment(): ReadonlySet<string> {
    return this.#part('withoutDevelopment', () => new Set(textItemsOf(this.#metadata.withoutDevelopment)));
  }

  /** The packages of a file that the project itself asks for. */
  directPackages(file: string): readonly string[] {
    return textItemsOf(field(this.#metadata.direct, file));
  }

  /** Who needs a package that is not as locked, and where it is. */
  driftOf(file: string, name: string): Omit<PackageDrift, 'sides'> {
    const ofFile = field(this.#metadata.drift, file);
    return {
      requiredBy: textItemsOf(field(field(ofFile, 'requiredBy'), name)),
      folder: textField(field(ofFile, 'folders'), name) ?? null,
    };
  }

  /** Where a package comes from; undefined for the registry that its file's format says. */
  sourceOf(file: string, name: string, version: string): string | undefined {
    const sources = field(this.#metadata.sources, file);
    return textField(sources, name) ?? textField(sources, `${name}@${version}`);
  }

  get project(): CapturedProject {
    const { project } = this.#metadata;
    return {
      ecosystems: textItemsOf(field(project, 'ecosystems')),
      tools: textItemsOf(field(project, 'tools')),
      variables: textEntriesOf(field(project, 'variables')),
      folder: textField(project, 'workspace') ?? textField(project, 'folder') ?? null,
    };
  }

  /** The CI service as captures name it; null for one without a name, undefined outside of CI. */
  get ciProvider(): string | null | undefined {
    const { ci } = this.#metadata;
    return isPlainObject(ci) ? (textField(ci, 'provider') ?? null) : undefined;
  }

  get outcome(): RunOutcome | undefined {
    return runOutcome(this.#metadata);
  }

  /** The policy file of the captured folder. */
  get policy(): { readonly path: string; readonly text: string } | undefined {
    const [path, text] = ['path', 'text'].map((name) => textField(this.#metadata.policy, name));
    return path === undefined || text === undefined ? undefined : { path, text };
  }

  get capture(): CaptureNotes {
    return this.#part('capture', () => {
      const { envValues, reducedEnvironment, dotenv, toolVersion, warnings } = recordOf(
        this.#metadata.capture,
      );
      const values = Object.values(this.variables);
      const saysNamesOnly = envValues === 'none';
      return {
        saysNamesOnly,
        namesOnly:
          saysNamesOnly ||
          (envValues === undefined && values.length > 0 && values.every((value) => value === '')),
        safe: envValues === 'safe',
        omitted: envValues !== 'omit' ? undefined : reducedEnvironment === true ? 'reduced' : 'left-out',
        dotenv: dotenv !== false,
        fingerprintKey: fingerprintKeyOf(this.#metadata) ?? null,
        toolVersion,
        warnings: (Array.isArray(warnings) ? warnings : []).flatMap((warning: unknown) => {
          const [code, message] = [textField(warning, 'code'), textField(warning, 'message')];
          return code === undefined || message === undefined ? [] : [{ code, message }];
        }),
      };
    });
  }

  /** What the capture could not read. */
  get unknown(): readonly UnknownEntry[] {
    return this.#part('unknown', () => unknownEntries(this.#metadata));
  }

  /** Why a name in a section could not be read; undefined where the capture does not say so. */
  whyUnknown({ section, name }: Address): string | undefined {
    const captured = section === 'paths' ? 'env' : section;
    if (captured === 'env' && this.capture.omitted !== undefined) return 'no variables were captured';
    return this.unknown.find((entry) => {
      const part = entry.section === 'git' ? 'checkout' : entry.section;
      const holdsFile = part === 'dependencies' || part === 'installed';
      return part === captured && (entry.key === name || (holdsFile && name.startsWith(`${entry.key}/`)));
    })?.reason;
  }

  /** What the capture found at an address; undefined where it found nothing. */
  read(address: Address): Reading | undefined {
    const value = this.#find(address);
    if (value === undefined) {
      const reason = this.whyUnknown(address);
      return reason === undefined ? undefined : { state: 'unknown', reason };
    }
    if ((address.section !== 'env' && address.section !== 'paths') || typeof value !== 'string')
      return { state: 'known', value };
    if (isFingerprint(value)) return { state: 'fingerprint', value, key: this.capture.fingerprintKey };
    return value === redactedMark || this.capture.namesOnly
      ? { state: 'withheld' }
      : { state: 'known', value };
  }

  /** The value at an address as text, secrets as the capture stands for them; null where there is none. */
  textAt(address: Address): string | null {
    const value = this.#find(address);
    return value === undefined ? null : typeof value === 'string' ? value : factText(value);
  }

  #find({ section, name }: Address): string | readonly string[] | undefined {
    switch (section) {
      case 'os':
      case 'arch':
      case 'machineName':
        return this.snapshot[section] ?? undefined;
      case 'runtimes':
        return own(this.runtimes, name);
      case 'env':
      case 'paths':
        return own(this.variables, name);
      case 'dependencies':
        return packageIn(this.dependencies, name);
      case 'installed':
        if (this.notInstalled.has(name)) return 'nothing';
        return packageIn(this.installed, name);
      case 'facts': {
        const value = own(this.facts ?? {}, name);
        return typeof value === 'object' ? value : value === undefined ? undefined : String(value);
      }
      case 'system':
        return own(this.system, name) ?? this.#at(['system', ...name.split('.')]);
      case 'toolchain': {
        const declared = this.declarations.filter(
          ({ tool, file }) => tool === name || `${tool} (${file})` === name,
        );
        return declared.length > 0 ? declared.map(({ requirement }) => requirement).join(', ') : undefined;
      }
      case 'checkout':
        return (
          own(this.checkout ?? {}, name) ??
          this.#at(['git', name]) ??
          this.#at(['checkout', ...name.split('.')])
        );
      case 'metadata':
        return this.#at(name.split('.'));
    }
  }

  /** The value at a path of the metadata as text, objects and lists as JSON. */
  #at(path: readonly string[]): string | undefined {
    let value: unknown = this.#metadata;
    for (const part of path) value = field(value, part);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** What is known beyond the sections of a comparison, down to {@link deepest} levels, deeper objects and lists as JSON. */
  *others(): Generator<readonly [address: Address, value: string | number]> {
    for (const [name, value] of Object.entries(this.#metadata)) {
      if (!inSections.has(name)) yield* leaves(name, value, 1);
    }
  }
}

/** Fields of the metadata whose values have sections, or that are about the capture itself. */
const inSections: ReadonlySet<string> = new Set([
  ...['capture', 'checkout', 'direct', 'drift', 'outcome', 'outcomeOf', 'system', 'toolchain', 'facts'],
  ...['installed', 'notInstalled', 'withoutDevelopment', 'locale', 'timezone', 'shell'],
]);
const deepest = 4;

function* leaves(
  name: string,
  value: unknown,
  depth: number,
): Generator<readonly [address: Address, value: string | number]> {
  if (value === null || value === undefined || value === '') return;
  if (isPlainObject(value) && depth < deepest) {
    for (const [key, each] of Object.entries(value)) yield* leaves(`${name}.${key}`, each, depth + 1);
    return;
  }
  const address = toAddress('metadata', name);
  const text =
    typeof value === 'object' ? JSON.stringify(value) : typeof value === 'number' ? value : String(value);
  if (address) yield [address, text];
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The version of `FILE/PACKAGE`; both parts may hold slashes. The shortest file wins. */
function packageIn(files: Readonly<Record<string, StringMap>>, joined: string): string | undefined {
  // By file and not by slash: a name of nothing but slashes would cost its length squared.
  let found: { file: string; version: string } | undefined;
  for (const file of Object.keys(files)) {
    if (joined[file.length] !== '/' || !joined.startsWith(file)) continue;
    const version = own(files[file] as StringMap, joined.slice(file.length + 1));
    if (version !== undefined && (!found || file.length < found.file.length)) found = { file, version };
  }
  return found?.version;
}

function systemOf(os: string | null): keyof FactRow['read'] {
  return os === 'darwin' ? 'macos' : os === 'win32' ? 'windows' : 'linux';
}

function isFactValue(value: unknown): value is FactValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
