// Apple's package managers, Carthage (Cartfile.resolved, Cartfile), CocoaPods (Podfile.lock) and Swift (Package.resolved 1 to 3), and
// Dart with Flutter (pubspec.lock, pubspec.yaml).

import { field, textField, textItemsOf } from '@envsnap/shared/plain-object';
import {
  entriesIn,
  entriesUnder,
  firstText,
  itemsUnder,
  type ParseContext,
  requiredItems,
  textFields,
} from '../fields.ts';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';
import { forEachLine } from '../text/lines.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** Cartfile.resolved: dependencies by address, with the tag or commit that was checked out. */
export function parseCartfileResolved(text: string, list: PackageList): void {
  readCartfile(text, list, (requirement, number) => {
    const pinned = /^"([^"]+)"$/.exec(requirement)?.[1];
    if (!pinned) throw new ParseProblem('a dependency has no version', { line: number });
    return pinned;
  });
}

/** Cartfile: requirements as written; a branch or commit without its quotes. */
export function parseCartfile(text: string, list: PackageList): void {
  readCartfile(text, list, (requirement) => requirement.replace(/^"([^"]*)"$/, '$1') || anyVersion);
}

function readCartfile(
  text: string,
  list: PackageList,
  version: (requirement: string, number: number) => string,
): void {
  forEachLine(text, (whole, number) => {
    const content = whole.replace(/(^|\s)#.*$/s, '').trim();
    if (content === '') return;
    const [, kind, place, requirement = ''] =
      /^(github|git|binary)\s+"([^"]+)"(?:\s+(.*))?$/s.exec(content) ?? [];
    if (!place) throw new ParseProblem('a line cannot be read as a dependency', { line: number });
    // `owner/repository` on GitHub, or an address on a self-hosted GitHub.
    const address = kind === 'git' || place.includes('://') ? place : `https://github.com/${place}`;
    list.add(place, version(requirement.trim(), number), kind === 'binary' ? undefined : `git+${address}`);
  });
}

const usualSpecs = /^(?:trunk|https:\/\/(?:cdn\.cocoapods\.org|github\.com\/CocoaPods\/Specs(?:\.git)?))$/i;

/** Pods from other spec repositories than the public one, and from folders and archives. */
function podPlaces(lock: unknown): ReadonlyMap<string, PackageSource | undefined> {
  const places = new Map<string, PackageSource | undefined>();
  for (const [place, pods] of entriesUnder(lock, 'SPEC REPOS'))
    for (const pod of textItemsOf(pods)) places.set(pod, registrySource(place, usualSpecs));
  for (const [pod, source] of entriesUnder(lock, 'EXTERNAL SOURCES')) {
    const [path, archive] = textFields(source, ':path', ':http');
    places.set(pod, path === undefined ? (archive as PackageSource | undefined) : `path:${path}`);
  }
  return places;
}

/** Podfile.lock: pods and subspecs (`Pod/Subspec`); those from git with the commit that was checked out. */
export function parsePodfileLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && !lock.has('PODS') && !lock.has('PODFILE CHECKSUM'))
    throw new ParseProblem('it has no `PODS`');
  const places = podPlaces(lock);
  list.direct = textItemsOf(lock.get('DEPENDENCIES')).map((wanted) => wanted.replace(/ .*$/s, ''));
  for (const item of itemsUnder(lock, 'PODS')) {
    // A pod with dependencies is a map with one key.
    const label: unknown = item instanceof Map ? item.keys().next().value : item;
    const [, name, version] = (typeof label === 'string' && /^(\S+) \(([^()]+)\)$/.exec(label)) || [];
    if (!name || !version) throw new ParseProblem('one of its `PODS` lacks a name or a version');
    const pod = name.replace(/\/.*$/s, '');
    const [git, commit] = textFields(field(field(lock, 'CHECKOUT OPTIONS'), pod), ':git', ':commit');
    list.add(
      name,
      versionOfCommit(version, '', commit),
      gitSource(git, commit) ?? places.get(pod),
      textField(field(lock, 'SPEC CHECKSUMS'), pod),
    );
  }
}

/** Package.resolved: packages at their version, or at a branch (or nothing) with the commit. */
export function parsePackageResolved(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  for (const pin of requiredItems(field(lock, 'object') ?? lock, 'pins')) {
    const name = firstText(pin, 'identity', 'package');
    const [version, branch, revision] = textFields(field(pin, 'state'), 'version', 'branch', 'revision');
    if (!name || (!version && !revision))
      throw new ParseProblem(`its pin ${name ?? 'without a name'} has no state`);
    const place = firstText(pin, 'location', 'repositoryURL') ?? '';
    list.add(
      name,
      version ?? versionOfCommit(branch, place, revision),
      place === '' ? undefined : `git+${place}`,
      version === undefined ? undefined : revision,
    );
  }
}

/** pubspec.lock: packages from all sources; those of an SDK with the version in the file. */
export async function parsePubspecLock(
  text: string,
  list: PackageList,
  context: ParseContext,
): Promise<void> {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && !lock.has('packages') && !lock.has('sdks'))
    throw new ParseProblem('it has no `packages`');
  for (const [name, entry] of entriesUnder(lock, 'packages')) {
    const description = field(entry, 'description');
    const [kind, version = anyVersion] = textFields(entry, 'source', 'version');
    const [url, resolved, path, sum] = textFields(description, 'url', 'resolved-ref', 'path', 'sha256');
    const commit = kind === 'git' ? resolved : undefined;
    // Packages of the SDK come from no registry.
    const local = kind === 'path' ? (`path:${path ?? '.'}` as const) : kind === 'sdk' ? 'generic' : undefined;
    const registry = registrySource(url, /^https:\/\/pub\.(?:dev|dartlang\.org)$/);
    const source = gitSource(url, commit) ?? local ?? registry;
    list.add(name, versionOfCommit(version, url ?? '', commit), source, sum);
  }
  const members = await context.include('pubspec.yaml', (manifest) =>
    /^workspace:/m.test(manifest) ? textItemsOf(field(parseYamlMap(manifest), 'workspace')) : [],
  );
  // A workspace with patterns may contain any folder below it.
  list.members = members?.some((member) => member.includes('*')) ? undefined : ['.', ...(members ?? [])];
}

/** pubspec.yaml, pubspec_overrides.yaml: requirements as they are written. */
export function parsePubspec(text: string, list: PackageList): void {
  const manifest = parseYamlMap(text);
  const required = new Map(entriesIn(manifest, 'dependencies', 'dev_dependencies', 'dependency_overrides'));
  for (const [name, value] of required) list.add(name, dartRequirement(value));
}

function dartRequirement(wanted: unknown): string {
  if (typeof wanted === 'string') return wanted || anyVersion;
  const [sdk, path, version] = textFields(wanted, 'sdk', 'path', 'version');
  if (sdk) return `sdk:${sdk}`;
  const git = field(wanted, 'git');
  const url = typeof git === 'string' ? git : (textField(git, 'url') ?? 'git');
  if (git !== undefined) return versionOfCommit(undefined, url, textField(git, 'ref'));
  return version ?? (path === undefined ? anyVersion : `path:${path}`);
}
