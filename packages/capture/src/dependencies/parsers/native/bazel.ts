// Bazel: MODULE.bazel.lock, and maven_install.json of rules_jvm_external, both layouts.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, registrySource } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsonObject } from '../../text/json.ts';

/** maven_install.json: artifacts under `group:artifact`, whatever their packaging and classifier. */
export function parseMavenInstall(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const tree = field(lock, 'dependency_tree');
  if (isPlainObject(tree)) {
    for (const entry of itemsOf(tree, 'dependencies')) addCoordinates(list, textField(entry, 'coord') ?? '');
    return;
  }
  if (!isPlainObject(field(lock, 'artifacts')))
    throw new ParseProblem('it has neither `artifacts` nor `dependency_tree`');
  for (const [key, entry] of entriesOf(lock, 'artifacts')) {
    const [group, artifact] = key.split(':');
    const sums = entriesOf(entry, 'shasums').map(([kind, sum]) => `${kind} ${String(sum)}`);
    list.add(`${group}:${artifact}`, textField(entry, 'version') ?? anyVersion, undefined, sums);
  }
}

/** `group:artifact:version`, `group:artifact:packaging:version`, `group:artifact:packaging:classifier:version`. */
function addCoordinates(list: PackageList, coordinates: string): void {
  const parts = coordinates.split(':');
  const version = parts.at(-1);
  if (parts.length < 3 || !version)
    throw new ParseProblem('one of its coordinates is not `group:artifact:version`');
  list.add(`${parts[0]}:${parts[1]}`, version);
}

const moduleFile = /\/modules\/([^/]+)\/([^/]+)\/(MODULE\.bazel|source\.json)$/;

/**
 * MODULE.bazel.lock: selected modules. Lock files since Bazel 7.2 mark them by the `source.json` that was fetched for
 * each (every candidate has a `MODULE.bazel`); earlier ones hold the graph itself.
 */
export function parseModuleLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (field(lock, 'lockFileVersion') === undefined) throw new ParseProblem('it has no `lockFileVersion`');
  for (const [key, entry] of entriesOf(lock, 'moduleDepGraph')) {
    const version = textField(entry, 'version');
    if (version && key !== '<root>') list.add(textField(entry, 'name') ?? key.replace(/@.*$/s, ''), version);
  }
  const hashes = entriesOf(lock, 'registryFileHashes');
  const selected = hashes.flatMap(([address, hash]) => {
    const match = moduleFile.exec(address.slice(-1024));
    return match && typeof hash === 'string' && match[3] === 'source.json' ? [[...match, hash, address]] : [];
  });
  for (const [, name = '', version = '', , hash, address] of selected) {
    const registry = address?.slice(0, address.lastIndexOf('/modules/'));
    list.add(name, version, registrySource(registry, /^https:\/\/bcr\.bazel\.build$/), hash);
  }
}
