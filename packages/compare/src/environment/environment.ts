// A snapshot, parsed once: its values by address, and what the capture says about them. Nothing else in a comparison
// reads a snapshot's metadata. A field with an unexpected shape counts as absent.

import type { Address } from '@envsnap/shared/address';
import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { type UnknownEntry, unknownEntries } from '@envsnap/shared/catalogue/unknown';
import type { VersionManagerRow } from '@envsnap/shared/catalogue/version-managers';
import { unpackMarks } from '@envsnap/shared/content-marks';
import { isFingerprint, redactedMark } from '@envsnap/shared/opaque-value';
import {
  field,
  isPlainObject,
  recordOf,
  type StringMap,
  textField,
  textItemsOf,
} from '@envsnap/shared/plain-object';
import { type RunOutcome, runOutcome } from '@envsnap/shared/run-outcome';
import { splitVersions } from '@envsnap/versions';
import type { ComparableEnvironment, PackageDrift } from '../model/model.ts';
import { checkoutValues, repositoryIn } from './checkout-values.ts';
import { describeSource, type LockedPackage, own, packageIn } from './locked-package.ts';
import {
  type CaptureNotes,
  captureNotesIn,
  type Declaration,
  declarationsIn,
  factsIn,
  fileSettingsIn,
  installedIn,
  otherValues,
  projectIn,
} from './metadata-parts.ts';
import { systemValues } from './system-values.ts';

export type Reading =
  | { readonly state: 'known'; readonly value: string | readonly string[] }
  /** The value exists, or may exist, but could not be read. The reason is the end of a sentence. */
  | { readonly state: 'unknown'; readonly reason: string }
  /** A secret. Only fingerprints of one key can be compared; `key` is null if the capture names none. */
  | { readonly state: 'fingerprint'; readonly value: string; readonly key: string | null }
  | { readonly state: 'withheld' };

const parsed = new WeakMap<ComparableEnvironment, Environment>();

/** The environment of a snapshot, which must not change afterwards: each part is parsed once, on demand. */
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

  get shell(): string | undefined {
    return textField(recordOf(this.#metadata.shell), 'name');
  }

  get arch(): string | null {
    return this.snapshot.arch ?? null;
  }

  get runtimes(): StringMap {
    return this.snapshot.runtimeVersions ?? {};
  }

  get dependencies(): Record<string, StringMap> {
    return this.snapshot.dependencies ?? {};
  }

  get variables(): StringMap {
    return this.snapshot.envVars ?? {};
  }

  get system(): StringMap {
    return this.#part('system', () => systemValues(this.#metadata));
  }

  get hasSystem(): boolean {
    const { system, timezone, locale } = this.#metadata;
    return system !== undefined || timezone !== undefined || locale !== undefined;
  }

  get distribution(): { readonly id: string; readonly version: string | undefined } | undefined {
    const found = field(this.#metadata.system, 'distribution');
    const id = textField(found, 'id');
    return id === undefined ? undefined : { id, version: textField(found, 'version') };
  }

  get facts(): Readonly<Record<string, FactValue>> | undefined {
    return this.#part('facts', () => factsIn(this.#metadata));
  }

  fact(name: string): FactValue | undefined {
    const facts = this.facts ?? {};
    if (Object.hasOwn(facts, name)) return facts[name];
    const row = factRow(name);
    const system = this.os === 'darwin' ? 'macos' : this.os === 'win32' ? 'windows' : 'linux';
    return row?.unset !== undefined && row.read[system] !== null ? row.unset : undefined;
  }

  get declarations(): readonly Declaration[] {
    return this.#part('declarations', () => declarationsIn(this.#metadata));
  }

  get checkout(): Readonly<StringMap> | undefined {
    return this.#part('checkout', () => checkoutValues(this.#metadata));
  }

  get repository() {
    return this.#part('repository', () => repositoryIn(this.#metadata));
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

  get revision(): string | null {
    const { commit } = this;
    const words = [this.branch, commit && `${commit.slice(0, 8)}${this.isDirty ? '+' : ''}`];
    return words.filter((word) => word !== undefined).join('@') || null;
  }

  /** Lock file → package → installed version (`""` for missing), if it is not the locked one. */
  get installed(): Readonly<Record<string, StringMap>> {
    return this.#part('installed', () => installedIn(this.#metadata));
  }

  get notInstalled(): ReadonlySet<string> {
    return this.#part('notInstalled', () => new Set(textItemsOf(this.#metadata.notInstalled)));
  }

  get withoutDevelopment(): ReadonlySet<string> {
    return this.#part('withoutDevelopment', () => new Set(textItemsOf(this.#metadata.withoutDevelopment)));
  }

  directPackages(file: string): readonly string[] {
    return textItemsOf(field(this.#metadata.direct, file));
  }

  driftOf(file: string, name: string): Omit<PackageDrift, 'sides'> {
    const ofFile = field(this.#metadata.drift, file);
    return {
      requiredBy: textItemsOf(field(field(ofFile, 'requiredBy'), name)),
      folder: textField(field(ofFile, 'folders'), name) ?? null,
    };
  }

  /** Where a package comes from, and what patches it; undefined for its format's registry. */
  sourceOf(file: string, name: string, version: string): string | undefined {
    const sources = this.sourcesIn(file);
    return textField(sources, name) ?? textField(sources, `${name}@${version}`) ?? textField(sources, '*');
  }

  /** The same for all versions of a package in a file; empty for the format's registry. */
  sourcesOf({ file, name, version }: LockedPackage): string {
    const usual = ecosystemOfFile(file);
    const sources = splitVersions(version).map((each) => {
      const source = this.sourceOf(file, name, each) ?? '';
      return source === usual ? '' : source;
    });
    return [...new Set(sources)].sort().join(', ');
  }

  /** A package’s version, and where it comes from if that is not the usual registry. */
  packageText(locked: LockedPackage): string {
    const source = this.sourcesOf(locked);
    return source === '' ? locked.version : `${locked.version} ${describeSource(source)}`;
  }

  packageAt(name: string): LockedPackage | undefined {
    return packageIn(this.dependencies, name);
  }

  sourcesIn(file: string): Readonly<Record<string, unknown>> {
    return recordOf(field(this.#metadata.sources, file));
  }

  get filesWithSources(): readonly string[] {
    return Object.keys(recordOf(this.#metadata.sources));
  }

  get fileSettings(): Readonly<Record<string, StringMap>> {
    return this.#part('fileSettings', () => fileSettingsIn(this.#metadata));
  }

  knowsSources(file: string): boolean {
    return this.#metadata.capture !== undefined && textField(this.sourcesIn(file), '?') === undefined;
  }

  /** Digests of packages with checksums; undefined if a side cannot know them. */
  contentsOf(file: string): ReadonlyMap<string, string> | undefined {
    const packed = textField(this.#metadata.contents, file);
    if (this.#metadata.capture === undefined || packed === '') return undefined;
    return packed === undefined
      ? new Map()
      : unpackMarks(Object.keys(this.dependencies[file] ?? {}).sort(), packed);
  }

  get project() {
    return this.#part('project', () => projectIn(this.#metadata));
  }

  /** The CI service's name in captures; null if it has none, undefined outside of CI. */
  get ciProvider(): string | null | undefined {
    const { ci } = this.#metadata;
    return isPlainObject(ci) ? (textField(ci, 'provider') ?? null) : undefined;
  }

  get outcome(): RunOutcome | undefined {
    return runOutcome(this.#metadata);
  }

  get policy(): { readonly path: string; readonly text: string } | undefined {
    const [path, text] = ['path', 'text'].map((name) => textField(this.#metadata.policy, name));
    return path === undefined || text === undefined ? undefined : { path, text };
  }

  get capture(): CaptureNotes {
    return this.#part('capture', () => captureNotesIn(this.#metadata, this.variables));
  }

  get unknown(): readonly UnknownEntry[] {
    return this.#part('unknown', () => unknownEntries(this.#metadata));
  }

  /** Whether a variable names its folder, or a tool was found through it. */
  hasManager({ name, rootVariable }: VersionManagerRow): boolean {
    const tools = Object.values(recordOf(this.#metadata.tools));
    return (
      this.variables[rootVariable] !== undefined ||
      tools.some((tool) => textField(tool, 'manager') === name.toLowerCase())
    );
  }

  whyUnknown({ section, name }: Address): string | undefined {
    const captured = section === 'paths' ? 'env' : section;
    if (captured === 'env' && this.capture.omitted !== undefined) return 'no variables were captured';
    const reasons = this.#part('reasons', () =>
      Map.groupBy(this.unknown, ({ section: part }): string => (part === 'git' ? 'checkout' : part)),
    ).get(captured);
    const isOfFiles = captured === 'dependencies' || captured === 'installed';
    return reasons?.find(({ key }) => key === name || (isOfFiles && name.startsWith(`${key}/`)))?.reason;
  }

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

  /** The value at an address as text, secrets as they were captured; null if there is none. */
  textAt(address: Address): string | null {
    const locked = address.section === 'dependencies' ? this.packageAt(address.name) : undefined;
    if (locked) return this.packageText(locked);
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
        return (packageIn(this.dependencies, name) ?? packageIn(this.fileSettings, name))?.version;
      case 'installed':
        if (this.notInstalled.has(name)) return 'nothing';
        return packageIn(this.installed, name)?.version;
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

  #at(path: readonly string[]): string | undefined {
    let value: unknown = this.#metadata;
    for (const part of path) value = field(value, part);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  others(): Iterable<readonly [address: Address, value: string | number]> {
    return otherValues(this.#metadata);
  }
}
