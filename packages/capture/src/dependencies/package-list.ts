// The result of a parser: package names with all their versions, and their source if it is not the format's registry.

import type { Ecosystem } from '@envsnap/shared/catalogue/ecosystems';
import { limits } from '@envsnap/shared/catalogue/limits';
import { contentMark, packMarks, textHash } from '@envsnap/shared/content-marks';
import { field } from '@envsnap/shared/plain-object';
import { withoutOtherHomes } from '../system/home-path.ts';
import { NothingLeft } from './parse-problem.ts';
import { digestOf, settingText } from './setting-text.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Recorded if a package has no version. */
export const anyVersion = '*';

/** Longest name that is recorded, in characters; the service refuses longer names. */
const [maxNameLength, maxVersionLength] = [1024, 4096];
/** Longest name and version together in a file, in characters. */
const maxRawLength = 64 * 1024;

/**
 * The source of an entry, if it is not the registry of its format's ecosystem: another ecosystem or registry, a
 * repository's address with its commit, an archive's address, or a folder or file. For a patched package, ` patch:`
 * and a digest follow.
 */
export type PackageSource =
  | Ecosystem
  | `registry+${string}`
  | `git+${string}`
  | `http${string}`
  | `path:${string}`
  | `patch:${string}`;

/** Names in a file's sources that are not packages: `*` (all other packages), and settings for all packages. */
const otherPackages = '*';
const settingMark = '#';
/** From this number of packages on, a shared registry is recorded once for all. */
const manyPackages = 10;

/** Longest list that is recorded as a text, in characters. */
const maxListed = 500;

/** A registry as a source; undefined for the format's default registry. */
export function registrySource(address: string | undefined, usual?: RegExp): PackageSource | undefined {
  if (!address) return undefined;
  const place = address.replace(/^(?:registry|sparse)\+/, '').replace(/(?<!\/)\/+$/, '');
  return usual?.test(place) ? undefined : `registry+${place}`;
}

/** The source of a patched package; `digest` identifies the patch. */
export function patched(source: PackageSource | undefined, digest: string): PackageSource {
  const patch = `patch:${digest}` as const;
  return source === undefined ? patch : (`${source} ${patch}` as PackageSource);
}

/** The address of a repository with its commit, as a source. */
export function gitSource(address?: string, commit?: string): PackageSource | undefined {
  if (!address || !commit) return undefined;
  const place = address.replace(/^git\+/, '');
  return place.includes('#') ? `git+${place}` : `git+${place}#${commit}`;
}

/** A folder or file as a source, by its address (`file:…`, `link:…`, `portal:…`). */
export function pathSource(address: string | undefined): PackageSource | undefined {
  const path = /^(?:file|link|portal):([^(#]*?)(?:::.*)?$/s.exec(address ?? '')?.[1];
  return path === undefined ? undefined : `path:${path}`;
}

export class PackageList {
  /**
   * Folders of the workspace that a lock file governs, relative to its folder with `/`; its own folder is `.`.
   * Undefined if the file does not list them.
   */
  members: string[] | undefined;
  /** Direct dependencies, if the file marks them and has no manifest beside it. */
  direct: string[] | undefined;
  /** False if the file belongs to another tool, or if another file replaces it: it is left out without a warning. */
  isRecorded = true;
  /** Entries refused because their name is empty, too long, or contains a NUL character. */
  rejected = 0;
  /** Whether a name has several versions, so that they must be sorted. */
  hasSeveral = false;
  readonly #mostNames: number;
  readonly #versions = new Map<string, Set<string>>();
  readonly #sources = new Map<string, Map<string, string>>();
  readonly #settings = new Map<string, string>();
  readonly #contents = new Map<string, { readonly kinds: Set<number>; readonly checksums: Set<number> }>();

  constructor(mostNames: number = limits.packagesPerSnapshot) {
    this.#mostNames = mostNames;
  }

  get size(): number {
    return this.#versions.size;
  }

  /** Whether nothing was found in the file, not even an entry that was refused. */
  get isEmpty(): boolean {
    return this.size + this.#settings.size + this.rejected === 0 && this.members === undefined;
  }

  names(): IterableIterator<string> {
    return this.#versions.keys();
  }

  /** Versions of a name, in the order in which they were added. */
  get(name: string): readonly string[] | undefined {
    return this.#versions.has(name) ? [...(this.#versions.get(name) ?? [])] : undefined;
  }

  has(name: string, version?: string): boolean {
    return version === undefined ? this.#versions.has(name) : this.#versions.get(name)?.has(version) === true;
  }

  /** Records a setting for all packages of the file, such as its target platforms. */
  set(name: string, value: unknown): void {
    const text = typeof value === 'string' ? value.trim() : settingText(value);
    if (hasNul(name, text)) this.rejected += 1;
    else if (text !== '') this.#settings.set(`${settingMark}${name}`, withoutCredentials(text));
  }

  /** Records settings of a manifest, each by its path with dots and under the last name of the path. */
  setAll(manifest: unknown, paths: string): void {
    for (const path of paths.split(' ')) {
      const names = path.split('.');
      const value = names.reduce<unknown>((holder, name) => field(holder, name), manifest);
      this.set(names.at(-1) ?? '', value);
    }
  }

  /** Records a list whose order means nothing; a long one as its digest. */
  setList(name: string, items: readonly string[]): void {
    const text = [...items].sort().join(', ');
    this.set(name, text.length > maxListed ? `${items.length} (${digestOf(text)})` : text);
  }

  /**
   * Adds a version of a name; repeated versions are ignored. `checksums` are those of its content, in any order. Throws
   * `NothingLeft` for more names than a snapshot can hold, so that nobody waits for the rest of such a file.
   */
  add(
    rawName: string,
    rawVersion: string,
    source?: PackageSource,
    checksums: string | readonly string[] = [],
  ): void {
    // Addresses may be longer than the part that is recorded, but only up to a limit.
    const isTooLong = rawName.length + rawVersion.length > maxRawLength;
    const name = isTooLong ? '' : rawName.includes(':') ? withoutCredentials(rawName.trim()) : rawName.trim();
    const version = rawVersion.trim() || anyVersion;
    const isUsable = name !== '' && name.length <= maxNameLength && version.length <= maxVersionLength;
    if (!isUsable || hasNul(name, version, source)) {
      this.rejected += 1;
      return;
    }
    const known = this.#versions.get(name);
    if (known === undefined && this.size >= this.#mostNames) throw new NothingLeft();
    const clean = withoutPersons(/:\/\/|@/.test(version) ? withoutCredentials(version) : version);
    if (source !== undefined) {
      const byVersion = this.#sources.get(name) ?? new Map<string, string>();
      this.#sources.set(name, byVersion.set(clean, withoutPersons(withoutCredentials(source))));
    }
    for (const checksum of [checksums].flat().filter((each) => each !== '')) {
      const content = this.#contents.get(name) ?? { kinds: new Set(), checksums: new Set() };
      this.#contents.set(name, content);
      // `sha512` of `sha512-…`, `10c0` of `10c0/…`; empty for a bare digest.
      content.kinds.add(textHash(/^[\w-]{1,12}?(?=[-:/])/.exec(checksum)?.[0] ?? ''));
      content.checksums.add(textHash(`${clean} ${checksum}`));
    }
    this.#versions.set(name, (known ?? new Set()).add(clean));
    this.hasSeveral ||= known !== undefined && known.size > 1;
  }

  /** Sorted names; `order` sorts several versions, which are joined by `, `. */
  toRecord(order: (versions: readonly string[]) => readonly string[]): Record<string, string> {
    const texts = [...this.names()].sort().map((name) => {
      const known = this.get(name) ?? [];
      return [name, known.length > 1 ? order(known).join(', ') : (known[0] ?? anyVersion)];
    });
    return detachedRecord(texts.flat());
  }

  /** Digests of the contents, in the order of the names. */
  toContents(): string {
    const marks = [...this.#contents].map(
      ([name, { kinds, checksums }]) => [name, contentMark(kinds, checksums)] as const,
    );
    return packMarks([...this.names()].sort(), new Map(marks));
  }

  /**
   * Sources by name (or `name@version` if the versions have different sources), sorted. A source that most packages
   * share is recorded once, for `*`; the others then get `usual`. Settings of the whole file begin with `#`.
   */
  toSources(usual: Ecosystem): Record<string, string> {
    const named = [...this.#settings];
    const common = commonSource([...this.#sources.values()], this.size);
    if (common !== undefined) named.push([otherPackages, common]);
    const rest = common === undefined ? undefined : usual;
    for (const name of [...(rest === undefined ? this.#sources : this.#versions).keys()].sort()) {
      const all = [...(this.#versions.get(name) ?? [])].map(
        (version) => [version, this.#sources.get(name)?.get(version) ?? rest] as const,
      );
      const isOne = new Set(all.map(([, source]) => source)).size === 1;
      for (const [version, source] of isOne ? all.slice(0, 1) : all)
        if (source !== undefined && source !== common)
          named.push([isOne ? name : `${name}@${version}`, source]);
    }
    return detachedRecord(named.flat());
  }
}

export function createPackageList(mostNames?: number): PackageList {
  return new PackageList(mostNames);
}

/** `detach` separates texts with this character, so entries that contain it are refused. */
function hasNul(...texts: readonly (string | undefined)[]): boolean {
  return texts.some((text) => text?.includes('\0'));
}

/** A record from alternating keys and values. It has no prototype, so every name is safe. */
function detachedRecord(texts: readonly string[]): Record<string, string> {
  const record: Record<string, string> = Object.create(null);
  const flat = detach(texts);
  for (let at = 0; at < flat.length; at += 2) record[flat[at] as string] = flat[at + 1] as string;
  return record;
}

/** The registry of most packages, if enough packages come from it. */
function commonSource(sources: readonly ReadonlyMap<string, string>[], total: number): string | undefined {
  const counts = new Map<string, number>();
  for (const byVersion of sources)
    for (const source of new Set(byVersion.values()))
      if (source.startsWith('registry+')) counts.set(source, (counts.get(source) ?? 0) + 1);
  const [most] = [...counts].sort(([x, left], [y, right]) => right - left || (x < y ? -1 : 1));
  return most !== undefined && most[1] > Math.max(manyPackages, total / 2) ? most[0] : undefined;
}

/** Copies texts that were cut from a file. Otherwise they would keep the whole file in memory. */
export function detach(texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return texts.join('\0').toWellFormed().split('\0');
}

/** `pip freeze` writes folders of the user's machine, which contain the user's name. */
function withoutPersons(version: string): string {
  return version.includes('/') || version.includes('\\') ? withoutOtherHomes(version) : version;
}

/** A version from version control: `1.2.3+git.<commit>`, or the URL with the commit if the file has no version. */
export function versionOfCommit(version: string | undefined, url: string, commit?: string): string {
  if (!commit) return version || url;
  if (!version) return url.includes('#') ? url : `${url}#${commit}`;
  return `${version}${version.includes('+') ? '.' : '+'}git.${commit}`;
}
