// Apple's package managers: Carthage (Cartfile.resolved, Cartfile), CocoaPods (Podfile.lock), Swift (Package.resolved 1 to 3).

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
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

const line = /^(github|git|binary)\s+"([^"]+)"(?:\s+(.*))?$/s;

/** Cartfile.resolved: dependencies under their place, with the tag or commit that was checked out. */
export function parseCartfileResolved(text: string, list: PackageList): void {
  readCartfile(text, list, (requirement, number) => {
    const pinned = /^"([^"]+)"$/.exec(requirement)?.[1];
    if (!pinned) throw new ParseProblem('a dependency has no version', { line: number });
    return pinned;
  });
}

/** Cartfile: requirements as they are written; a branch or commit in quotes without them. */
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
    const match = line.exec(content);
    if (!match) throw new ParseProblem('a line is not a dependency', { line: number });
    const [, kind, place = '', requirement = ''] = match;
    const source =
      kind === 'binary' ? undefined : (`git+${kind === 'github' ? forgeAddress(place) : place}` as const);
    list.add(place, version(requirement.trim(), number), source);
  });
}

/** `owner/repository` on GitHub, or an address on a GitHub of one's own. */
function forgeAddress(place: string): string {
  return place.includes('://') ? place : `https://github.com/${place}`;
}

/** Pods of other repositories of specifications than the public one, and those of folders and archives. */
function podPlaces(lock: unknown): ReadonlyMap<string, PackageSource | undefined> {
  const repositories = entriesOf(lock, 'SPEC REPOS').flatMap(([place, pods]) =>
    (Array.isArray(pods) ? pods : []).map(
      (pod: unknown) => [String(pod), registrySource(place, usualSpecs)] as const,
    ),
  );
  const external = entriesOf(lock, 'EXTERNAL SOURCES').map(([pod, source]) => {
    const [path, archive] = [':path', ':http'].map((key) => textField(source, key));
    const place = path === undefined ? archive : `path:${path}`;
    return [pod, place as PackageSource | undefined] as const;
  });
  return new Map([...repositories, ...external]);
}

const usualSpecs = /^(?:trunk|https:\/\/(?:cdn\.cocoapods\.org|github\.com\/CocoaPods\/Specs(?:\.git)?))$/i;

/** Podfile.lock: pods and subspecs (`Pod/Subspec`); those from git with the commit that was checked out. */
export function parsePodfileLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (
    text.trim() !== '' &&
    field(lock, 'PODS') === undefined &&
    field(lock, 'PODFILE CHECKSUM') === undefined
  ) {
    throw new ParseProblem('it has no `PODS`');
  }
  const checkouts = new Map(entriesOf(lock, 'CHECKOUT OPTIONS'));
  const places = podPlaces(lock);
  list.direct = itemsOf(lock, 'DEPENDENCIES').flatMap((wanted) =>
    typeof wanted === 'string' ? wanted.split(' ', 1) : [],
  );
  for (const item of itemsOf(lock, 'PODS')) {
    // A pod with dependencies of its own is a map with one key.
    const label: unknown = item instanceof Map ? item.keys().next().value : item;
    const pod = typeof label === 'string' ? /^(\S+) \(([^()]+)\)$/.exec(label) : null;
    if (!pod) throw new ParseProblem('one of its `PODS` is not a name and a version');
    const [, name = '', version = ''] = pod;
    const checkout = checkouts.get(name.split('/', 1)[0] as string);
    const commit = textField(checkout, ':commit');
    const [pod0 = ''] = name.split('/', 1);
    list.add(
      name,
      versionOfCommit(version, '', commit),
      gitSource(textField(checkout, ':git'), commit) ?? places.get(pod0),
      textField(field(lock, 'SPEC CHECKSUMS'), pod0),
    );
  }
}

/** Package.resolved: packages at their version, or at a branch (or nothing) with the commit. */
export function parsePackageResolved(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const holder = field(lock, 'object') ?? lock;
  if (!Array.isArray(field(holder, 'pins'))) throw new ParseProblem('it has no list of `pins`');
  for (const pin of itemsOf(holder, 'pins')) {
    const name = textField(pin, 'identity') ?? textField(pin, 'package');
    const state = field(pin, 'state');
    const version = textField(state, 'version');
    const revision = textField(state, 'revision');
    if (!name || (!version && !revision))
      throw new ParseProblem(`its pin ${name ?? 'without a name'} has no state`);
    const checksum = version === undefined ? undefined : revision;
    const place = textField(pin, 'location') ?? textField(pin, 'repositoryURL') ?? '';
    const source = place === '' ? undefined : (`git+${place}` as const);
    list.add(name, version ?? versionOfCommit(textField(state, 'branch'), place, revision), source, checksum);
  }
}
