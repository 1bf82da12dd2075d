// C and C++: Conan (conan.lock 1 and 2, conanfile.txt), vcpkg.json, and Bazel (MODULE.bazel.lock, maven_install.json).

import { field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { entriesUnder, firstText, itemsUnder, type ParseContext, requiredEntries } from '../fields.ts';
import { anyVersion, type PackageList, registrySource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';
import { forEachLine, requireLine } from '../text/lines.ts';

/** maven_install.json of rules_jvm_external, both layouts; with any packaging and classifier. */
export function parseMavenInstall(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const tree = field(lock, 'dependency_tree');
  for (const entry of itemsUnder(tree, 'dependencies')) {
    // `group:artifact:version`, with the packaging and a classifier before the version.
    const [group, artifact, ...rest] = (textField(entry, 'coord') ?? '').split(':');
    const version = rest.at(-1);
    if (!version) throw new ParseProblem('one of its coordinates is not `group:artifact:version`');
    list.add(`${group}:${artifact}`, version);
  }
  if (isPlainObject(tree)) return;
  for (const [key, entry] of requiredEntries(lock, 'artifacts')) {
    const [group, artifact] = key.split(':');
    const sums = entriesUnder(entry, 'shasums').map(([kind, sum]) => `${kind} ${String(sum)}`);
    list.add(`${group}:${artifact}`, textField(entry, 'version') ?? anyVersion, undefined, sums);
  }
}

/**
 * MODULE.bazel.lock: selected modules. Lock files since Bazel 7.2 mark them by the `source.json` that was fetched for
 * each (every candidate has a `MODULE.bazel`); earlier ones hold the graph itself.
 */
export function parseModuleLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (field(lock, 'lockFileVersion') === undefined) throw new ParseProblem('it has no `lockFileVersion`');
  for (const [key, entry] of entriesUnder(lock, 'moduleDepGraph')) {
    const version = textField(entry, 'version');
    if (version && key !== '<root>') list.add(textField(entry, 'name') ?? key.replace(/@.*$/s, ''), version);
  }
  for (const [address, hash] of entriesUnder(lock, 'registryFileHashes')) {
    const [, name, version] = /\/modules\/([^/]+)\/([^/]+)\/source\.json$/.exec(address.slice(-1024)) ?? [];
    if (hash !== null && typeof hash !== 'string') list.rejected += 1;
    if (!name || !version || typeof hash !== 'string') continue;
    const registry = address.slice(0, address.lastIndexOf('/modules/'));
    list.add(name, version, registrySource(registry, /^https:\/\/bcr\.bazel\.build$/), hash);
  }
}

/** conan.lock: required packages, including those for building and in Python. */
export function parseConanLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  const lists = ['requires', 'build_requires', 'python_requires', 'config_requires'];
  const graph = field(lock, 'graph_lock');
  if (!isPlainObject(graph) && !lists.some((name) => Array.isArray(field(lock, name))))
    throw new ParseProblem('it has neither `graph_lock` nor `requires`');
  // The recipe of the consumer has a path.
  const nodes = entriesUnder(graph, 'nodes').flatMap(([, node]) =>
    textField(node, 'path') === undefined ? [firstText(node, 'ref', 'pref')] : [],
  );
  for (const reference of [...nodes, ...lists.flatMap((name) => itemsUnder(lock, name))]) {
    if (reference === undefined) continue;
    // `name/version@user/channel#revision%timestamp`
    const [, name, version] = /^([^/@#%\s]+)\/([^/@#%\s]+)(?:[@#%:].*)?$/s.exec(`${reference}`) ?? [];
    const recipe = /#([^%:]+)/.exec(`${reference}`)?.[1];
    if (name && version) list.add(name, version, undefined, recipe);
    else context.warn('one of its references is not `name/version`');
  }
}

/** conanfile.txt: requirements; a range (`[>=1.0 <2]`) as it is written, without its brackets. */
export function parseConanfile(text: string, list: PackageList, context: ParseContext): void {
  requireLine(text, /^\[\w+\]/m);
  let section: string | undefined;
  forEachLine(text, (line, number) => {
    const content = line.replace(/(^|\s)#.*$/s, '').trim();
    const header = /^\[(\w+)\]$/.exec(content);
    if (header) section = header[1];
    if (header || content === '' || !/^(?:build_|tool_|test_)?requires$/.test(section ?? '')) return;
    const [, name, range, version = ''] = /^([^/@#\s]+)\/(?:\[([^\]]+)\]|([^/@#%\s]+))/.exec(content) ?? [];
    // Options follow a range: `[~1.2, include_prerelease=True]`.
    if (name) list.add(name, range?.replace(/,\s*\w+\s*=.*$/s, '') ?? version);
    else context.warn('a requirement is not `name/version`', number);
  });
}

/** The baseline of vcpkg's registry: the version of every port without its own. */
const baselineName = 'builtin-baseline';

/** vcpkg.json: ports with the version of an override or a minimum, and the baseline for all others. */
export function parseVcpkg(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  const overrides = new Map(
    itemsUnder(manifest, 'overrides').map((entry) => {
      const version = firstText(entry, 'version', 'version-semver', 'version-string', 'version-date');
      return [textField(entry, 'name') ?? '', version ?? anyVersion];
    }),
  );
  for (const holder of [manifest, ...Object.values(field(manifest, 'features') ?? {})])
    for (const port of itemsUnder(holder, 'dependencies')) {
      const name = typeof port === 'string' ? port : textField(port, 'name');
      const minimum = textField(port, 'version>=');
      list.add(name ?? '', overrides.get(name ?? '') ?? (minimum ? `>=${minimum}` : anyVersion));
    }
  for (const [name, version] of overrides) list.add(name, version);
  const baseline = textField(manifest, baselineName);
  if (baseline !== undefined) list.add(baselineName, baseline);
  else list.rejected += Number(field(manifest, baselineName) !== undefined);
}
