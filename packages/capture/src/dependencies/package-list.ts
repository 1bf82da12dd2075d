// What a parser fills: names with all of their versions, and where they come from if not from where the format says;
// credentials in URLs are removed.

import type { Ecosystem } from '@envsnap/shared/catalogue/ecosystems';
import { limits } from '@envsnap/shared/catalogue/limits';
import { withoutOtherHomes } from '../system/home-path.ts';

/** The version of a package for which none is stated. */
export const anyVersion = '*';

/** Longest name that is recorded, in characters; the service refuses longer ones. */
const maxNameLength = 1024;
/** Longest name and version together as a file may write them, in characters. */
const maxRawLength = 64 * 1024;
/** Longest version text that is recorded, in characters. */
const maxVersionLength = 4096;

/**
 * Where an entry comes from, where that is not the registry of its format's ecosystem: another ecosystem, the address of
 * a repository with its commit, or a folder or file.
 */
export type PackageSource = Ecosystem | `git+${string}` | `path:${string}`;

/** The address of a repository with its commit, as a source. */
export function gitSource(
  address: string | undefined,
  commit: string | undefined,
): PackageSource | undefined {
  if (!address || !commit) return undefined;
  const place = address.replace(/^git\+/, '');
  return place.includes('#') ? `git+${place}` : `git+${place}#${commit}`;
}

/** A folder or file as a source, by its address (`file:…`, `link:…`, `portal:…`). */
export function pathSource(address: string | undefined): PackageSource | undefined {
  const path = /^(?:file|link|portal):([^(#]*?)(?:::.*)?$/s.exec(address ?? '')?.[1];
  return path === undefined ? undefined : `path:${path}`;
}

/** Packages of one file. */
export interface PackageList {
  /**
   * Adds a version of a name; a repeated one counts once. Empty names and unusable text are counted in `rejected`. A list with more
   * names than a snapshot has room for is never recorded, and takes no further ones.
   */
  add(name: string, version: string, source?: PackageSource): void;
  /**
   * Folders of the workspace that a lock file speaks for, relative to its own folder with `/`, its own included as `.`;
   * undefined when the file does not say.
   */
  members: string[] | undefined;
  /** Names that the project itself asks for, where the file says so and has no manifest beside it. */
  direct: string[] | undefined;
  /** False for a file of another tool, or one that another file makes superfluous: it is left out without a warning. */
  isRecorded: boolean;
  readonly size: number;
  /** Entries refused for a NUL character, an empty or an overlong name. */
  readonly rejected: number;
  /** Versions of a name in the order they were added. */
  get(name: string): readonly string[] | undefined;
  /** Whether there is such a name, or such a version of it. */
  has(name: string, version?: string): boolean;
  names(): IterableIterator<string>;
  /** Whether a name has several versions, so that their order matters. */
  readonly hasSeveral: boolean;
  /**
   * Names sorted, versions in the order that `order` gives them and joined by `, `. The object has no prototype: any
   * name is safe.
   */
  toRecord(order: (versions: readonly string[]) => readonly string[]): Record<string, string>;
  /** Sources by name (or `name@version` where the versions of a name have different ones), sorted. */
  toSources(): Record<string, string>;
}

/** An empty list. */
export function createPackageList(): PackageList {
  const versions = new Map<string, string | Set<string>>();
  const sources = new Map<string, Map<string, string>>();
  let rejected = 0;
  let hasSeveral = false;
  return {
    members: undefined,
    direct: undefined,
    isRecorded: true,
    get size() {
      return versions.size;
    },
    get rejected() {
      return rejected;
    },
    get hasSeveral() {
      return hasSeveral;
    },
    names: () => versions.keys(),
    get(name) {
      const known = versions.get(name);
      return typeof known === 'string' ? [known] : known && [...known];
    },
    has(name, version) {
      const known = versions.get(name);
      if (known === undefined || version === undefined) return known !== undefined;
      return typeof known === 'string' ? known === version : known.has(version);
    },
    add(rawName, rawVersion, source) {
      // Addresses may be longer than what is kept of them, but not by that much.
      if (rawName.length + rawVersion.length > maxRawLength) {
        rejected += 1;
        return;
      }
      const name = rawName.includes(':') ? withoutCredentials(rawName.trim()) : rawName.trim();
      const version = rawVersion.trim() || anyVersion;
      if (
        name === '' ||
        name.length > maxNameLength ||
        version.length > maxVersionLength ||
        name.includes('\0') ||
        version.includes('\0')
      ) {
        rejected += 1;
        return;
      }
      const known = versions.get(name);
      if (known === undefined && versions.size > limits.packagesPerSnapshot) return;
      const clean = withoutPersons(/:\/\/|@/.test(version) ? withoutCredentials(version) : version);
      if (source !== undefined) {
        const byVersion = sources.get(name) ?? new Map<string, string>();
        byVersion.set(clean, withoutPersons(withoutCredentials(source)));
        sources.set(name, byVersion);
      }
      if (known === undefined) versions.set(name, clean);
      else if (typeof known !== 'string') known.add(clean);
      else if (known !== clean) {
        versions.set(name, new Set([known, clean]));
        hasSeveral = true;
      }
    },
    toRecord(order) {
      const names = [...versions.keys()].sort();
      const texts = names.map((name) => {
        const known = versions.get(name) ?? anyVersion;
        return typeof known === 'string' ? known : order([...known]).join(', ');
      });
      const record: Record<string, string> = Object.create(null);
      const flat = detach([...names, ...texts]);
      for (let index = 0; index < names.length; index += 1) {
        record[flat[index] as string] = flat[names.length + index] as string;
      }
      return record;
    },
    toSources() {
      const record: Record<string, string> = Object.create(null);
      for (const name of [...sources.keys()].sort()) {
        const byVersion = sources.get(name) ?? new Map<string, string>();
        const known = versions.get(name);
        const all = typeof known === 'string' ? [known] : [...(known ?? [])];
        const distinct = new Set(all.map((version) => byVersion.get(version)));
        const [only] = distinct;
        const pairs =
          distinct.size === 1
            ? [[name, only] as const]
            : all.map((version) => [`${name}@${version}`, byVersion.get(version)] as const);
        for (const [key, source] of pairs) {
          if (source !== undefined) {
            const [flatKey = '', flatSource = ''] = detach([key, source]);
            record[flatKey] = flatSource;
          }
        }
      }
      return record;
    },
  };
}

/** Copies texts out of the file that they were cut from, which could otherwise not be freed. */
export function detach(texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return texts.join('\0').toWellFormed().split('\0');
}

/** Query parameters that say which revision is meant; all others go, since they may hold tokens. */
const revisionParameters = new Set([
  'branch',
  'tag',
  'rev',
  'ref',
  'sha',
  'commit',
  'dir',
  'subdirectory',
  'path',
  'v',
]);

/** `user:password@host:path`, as git takes it. */
const scpCredentials = /(^|[\s+])[^\s/@:+]+:[^\s/@:+]+@(?=[\w.-]+:)/g;

/** A user name, `user:password` or token before a host; any signs in a password where behind the colon stands no port. */
export const userInfo =
  /:\/\/(?:[^\s/?#"'<>]+@|[^\s/?#@:["'<>]*:(?!\d{0,5}(?:[\s/?#"'<>]|$)|\d{1,5}[\\,;|&)`]|\$\{)(?:[^\s@"'<>:]|:[^\s@"'<>:/])*@)/g;

/** Takes users, passwords and tokens before the hosts of addresses out of the text of a file. */
export function withoutUsers(text: string): string {
  // `git@` and the like are not secret and part of how such URLs are written.
  return text.replace(userInfo, (found, offset: number) =>
    /ssh/i.test(text.slice(Math.max(0, offset - 8), offset)) && !found.includes(':', 1) ? found : '://',
  );
}

/** Takes user names, passwords, tokens and query parameters that may be tokens out of every address in a text. */
export function withoutCredentials(text: string): string {
  return withoutUsers(text.replace(scpCredentials, '$1')).replace(
    /:\/\/((?:(?!:\/\/)[^\s/?#])*)((?:(?!:\/\/)[^\s?#])*)(\?[^\s#]*)?/g,
    (_, host: string, path: string, query = '') => {
      const parameters = query
        .slice(1)
        .split('&')
        .filter((parameter: string) => revisionParameters.has(parameter.split('=', 1)[0] as string))
        .filter((parameter: string) => !parameter.includes('://'));
      return `://${host}${withoutTokenFolder(host, path)}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
    },
  );
}

/** A folder of somebody's machine, as `pip freeze` writes it, names its user. */
function withoutPersons(version: string): string {
  return version.includes('/') || version.includes('\\') ? withoutOtherHomes(version) : version;
}

/** Hosts that take a token as a part of the path, and that part. */
const tokenFolders: readonly (readonly [host: RegExp, folder: RegExp])[] = [
  // Anaconda's `/t/TOKEN/` opens a private channel, on servers of one's own too.
  [/./, /^\/t\/[^/]+(?=\/|$)/],
  [/(?:^|\.)(?:fury\.(?:io|site)|gemfury\.com)$/i, /^\/[\w-]{8,}(?=\/|$)/],
  [/(?:^|\.)cloudsmith\.io$/i, /^\/(?!public\/|basic\/)[\w-]{8,}(?=\/)/],
];

/** A path without the part that is a token on such a host. */
export function withoutTokenFolder(host: string, path: string): string {
  const token = tokenFolders.find(([hosts, folder]) => hosts.test(host) && folder.test(path));
  return token ? path.replace(token[1], '') : path;
}

/** A version from a version-control system: `1.2.3+git.<commit>`, or the commit's URL where the file has no version. */
export function versionOfCommit(
  version: string | undefined,
  url: string,
  commit: string | undefined,
): string {
  if (!commit) return version || url;
  if (!version) return url.includes('#') ? url : `${url}#${commit}`;
  return `${version}${version.includes('+') ? '.' : '+'}git.${commit}`;
}
