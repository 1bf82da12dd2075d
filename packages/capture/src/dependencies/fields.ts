// Helpers for parsers of lock files and manifests, besides shared's `plain-object.ts`.

import { foldPythonName } from '@envsnap/shared/catalogue/ecosystems';
import { entriesOf, field, isPlainObject, itemsOf, recordOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';
import { digestOf } from './setting-text.ts';

export { digestOf };

/** The parser's input besides the text and the list. */
export interface ParseContext {
  /** The file, relative to the captured folder with `/`. */
  readonly path: string;
  /** Reports an entry that is left out; the rest of the file is used. */
  warn(message: string, line?: number): void;
  /**
   * The result of `read` for another file, by its path relative to this file's folder. Undefined if the file does not
   * exist or is outside the captured folder. Files that include the same file share its result.
   */
  include<T>(relativePath: string, read: (text: string, realPath: string) => T): Promise<T | undefined>;
}

export function textFields(value: unknown, ...names: readonly string[]): (string | undefined)[] {
  return names.map((name) => textField(value, name));
}

export function firstText(value: unknown, ...names: readonly string[]): string | undefined {
  return textFields(value, ...names).find(Boolean);
}

/**
 * Entries of a section; none if it is absent or empty. Throws `ParseProblem` if it is anything else, because packages that
 * cannot be seen are unknown, not absent.
 */
export function entriesUnder(value: unknown, name: string): [string, unknown][] {
  const found = field(value, name);
  if (!isPlainObject(found) && !isEmpty(found)) throw new ParseProblem(`its \`${name}\` is not an object`);
  return entriesOf(value, name);
}

/** The same for a list. */
export function itemsUnder(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  if (!Array.isArray(found) && !isEmpty(found)) throw new ParseProblem(`its \`${name}\` is not a list`);
  return itemsOf(value, name);
}

/** YAML writes a missing value as an empty text, and PHP an empty object as an empty list. */
function isEmpty(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

/** Adds requirements, which must be texts. */
export function addTexts(
  list: PackageList,
  requirements: readonly (readonly [name: string, wanted: unknown])[],
) {
  for (const [name, wanted] of requirements)
    if (typeof wanted === 'string') list.add(name, wanted);
    else list.rejected += 1;
}

export function entriesIn(value: unknown, ...sections: readonly string[]): [string, unknown][] {
  return sections.flatMap((section) => entriesUnder(value, section));
}

/** Entries that a lock file must have; throws `ParseProblem` if they are missing. An empty YAML file needs none. */
export function requiredEntries(lock: unknown, name: string): [string, unknown][] {
  const isThere = lock instanceof Map ? lock.size === 0 || lock.has(name) : isPlainObject(field(lock, name));
  if (!isThere) throw new ParseProblem(`it has no \`${name}\``);
  return entriesUnder(lock, name);
}

/** The same for a list. */
export function requiredItems(lock: unknown, name: string): readonly unknown[] {
  const isThere = lock instanceof Map ? lock.size === 0 || lock.has(name) : Array.isArray(field(lock, name));
  if (!isThere) throw new ParseProblem(`it has no list of \`${name}\``);
  return itemsUnder(lock, name);
}

/** Texts that a package of a lock file must have, the name first; throws `ParseProblem` if one is missing. */
export function requiredTexts(entry: unknown, ...names: readonly string[]): string[] {
  return textFields(entry, ...names).map((text, index, [name]) => {
    if (!text) throw new ParseProblem(`its package ${name ?? 'without a name'} has no ${names[index]}`);
    return text;
  });
}

/** A requirement in a manifest: a text, a repository with its reference, a version, an address or a folder. */
export function requirementOf(wanted: unknown, folder = 'path:'): string {
  if (typeof wanted === 'string') return wanted || anyVersion;
  const [git, path] = textFields(wanted, 'git', 'path');
  const reference = firstText(wanted, 'rev', 'tag', 'branch', 'ref');
  if (git) return `git+${git}${reference ? `#${reference}` : ''}`;
  return firstText(wanted, 'version', 'url') ?? (path === undefined ? anyVersion : folder + path);
}

/** What requirements say besides a version and a place: features, extras, markers. */
export function optionsOf(requirements: readonly (readonly [name: string, wanted: unknown])[]) {
  const options = requirements.map(([name, wanted]) => {
    const constraints = Object.entries(recordOf(wanted)).filter(([key]) => !places.has(key));
    return [name, Object.fromEntries(constraints)] as const;
  });
  return Object.fromEntries(options.filter(([, said]) => Object.keys(said).length > 0));
}

const places = new Set('version git rev tag branch ref path url package workspace'.split(' '));

/** Normalises the name of a Python package: without extras, in lower case, with dashes. PEP 503. */
export function plainPythonName(name: string): string {
  return foldPythonName(name.replace(/\[.*$/s, ''));
}

/** The digest of a patch, by its path relative to the file; of the path itself if it cannot be read. */
export async function patchDigest(context: ParseContext, path: string): Promise<string> {
  return (await context.include(path, digestOf)) ?? digestOf(path);
}
