// What a parser fills: names with their versions, several versions of a name kept; credentials in URLs taken out.

import { orderVersions, type VersionScheme } from '@envsnap/versions';

/** The version of a package that is there without one being stated. */
export const anyVersion = '*';

/** Longest name that is recorded, in characters; the service refuses longer ones. */
const maxNameLength = 1024;
/** Longest version text that is recorded, in characters. */
const maxVersionLength = 4096;

/** Packages of one file. */
export interface PackageList {
  /** Adds a version of a name; a repeated one counts once. Empty names and unusable text are counted in `rejected`. */
  add(name: string, version: string): void;
  /**
   * Folders of the workspace that a lock file speaks for, relative to its own folder with `/`, its own included as `.`;
   * undefined when the file does not tell.
   */
  members: string[] | undefined;
  readonly size: number;
  /** Entries refused for a NUL character, an empty or an overlong name. */
  readonly rejected: number;
  /** Versions of a name in the order they were added. */
  get(name: string): readonly string[] | undefined;
  names(): IterableIterator<string>;
  /** Names sorted, versions ordered and joined by `, `. The object has no prototype: any name is safe. */
  toRecord(scheme: VersionScheme): Record<string, string>;
}

/** An empty list. */
export function createPackageList(): PackageList {
  const versions = new Map<string, string | string[]>();
  let rejected = 0;
  return {
    members: undefined,
    get size() {
      return versions.size;
    },
    get rejected() {
      return rejected;
    },
    names: () => versions.keys(),
    get(name) {
      const known = versions.get(name);
      return typeof known === 'string' ? [known] : known;
    },
    add(rawName, rawVersion) {
      const name = rawName.includes('://') ? withoutCredentials(rawName.trim()) : rawName.trim();
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
      const clean = version.includes('://') ? withoutCredentials(version) : version;
      const known = versions.get(name);
      if (known === undefined) versions.set(name, clean);
      else if (typeof known === 'string') {
        if (known !== clean) versions.set(name, [known, clean]);
      } else if (!known.includes(clean)) known.push(clean);
    },
    toRecord(scheme) {
      const names = [...versions.keys()].sort();
      const texts = names.map((name) => {
        const known = versions.get(name) ?? anyVersion;
        return typeof known === 'string' ? known : orderVersions(known, scheme).join(', ');
      });
      const record: Record<string, string> = Object.create(null);
      const flat = detach([...names, ...texts]);
      for (let index = 0; index < names.length; index += 1) {
        record[flat[index] as string] = flat[names.length + index] as string;
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
const revisionParameters = new Set(['branch', 'tag', 'rev', 'ref', 'dir', 'subdirectory', 'path', 'v']);

/** Takes user names, passwords and query parameters that may be tokens out of every URL in a text. */
export function withoutCredentials(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]{0,40}:\/\/)([^\s/?#]*)([^\s?#]*)(\?[^\s#]*)?/gi,
    (_, scheme, authority, path, query) => {
      const at = authority.lastIndexOf('@');
      const user = authority.slice(0, at);
      // `git@` and the like are no secret and part of how such URLs are written.
      const kept =
        at === -1 || (scheme.toLowerCase().includes('ssh') && !user.includes(':'))
          ? authority
          : authority.slice(at + 1);
      const parameters = ((query as string | undefined) ?? '')
        .slice(1)
        .split('&')
        .filter((parameter) => revisionParameters.has(parameter.split('=', 1)[0] as string));
      return `${scheme}${kept}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
    },
  );
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
