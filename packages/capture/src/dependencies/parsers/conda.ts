// Conda: environment.yml, conda-lock.yml, and the lock file and manifest of Pixi.

import { field, textField, textItemsOf } from '@envsnap/shared/plain-object';
import {
  entriesIn,
  entriesUnder,
  itemsUnder,
  type ParseContext,
  requirementOf,
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
import { parseToml } from '../text/toml.ts';
import { parseYamlMap } from '../text/yaml.ts';
import { readRequirement } from './python-requirements.ts';

/**
 * environment.yml: packages of conda (`channel::name=version=build`) and of the nested pip list. Channels are not recorded: their
 * addresses may hold credentials. Files with such a name from other tools (`environment-failure.yaml` of a cluster) are not
 * recorded.
 */
export function parseCondaEnvironment(text: string, list: PackageList, context: ParseContext): void {
  list.isRecorded = text.trim() === '' || /^["']?(?:dependencies|channels|prefix)["']?\s*:/m.test(text);
  if (!list.isRecorded) return;
  const environment = parseYamlMap(text);
  // Objects of Kubernetes have both.
  list.isRecorded = ['apiVersion', 'kind'].some((name) => field(environment, name) === undefined);
  if (!list.isRecorded) return;
  const dependencies = field(environment, 'dependencies');
  if (dependencies !== undefined && dependencies !== '' && !Array.isArray(dependencies))
    throw new ParseProblem('its `dependencies` is not a list');
  list.set('channels', textItemsOf(field(environment, 'channels')).join(', '));
  for (const item of itemsUnder(environment, 'dependencies')) {
    if (typeof item === 'string') addSpec(list, item, context);
    else if (!(item instanceof Map)) list.rejected += 1;
    for (const requirement of itemsUnder(item, 'pip').map(String)) {
      if (requirement.startsWith('-')) continue;
      const found = readRequirement(requirement);
      if (found) list.add(found.name, found.version, 'pypi');
      else context.warn('an item of its pip list is not a requirement that pip understands');
    }
  }
}

/** Longest specification, in characters. */
const maxSpec = 1024;

function addSpec(list: PackageList, spec: string, context: ParseContext): void {
  const whole = spec.length <= maxSpec ? spec.trim() : '';
  // The channel before `::` may be an address: `https://user:password@host/me::numpy`.
  const channelEnd = whole.lastIndexOf('::');
  const bare = channelEnd === -1 ? whole : whole.slice(channelEnd + 2);
  const [, plain = '', bracket = ''] = /^([^[]*)(?:\[(.*)\])?$/s.exec(bare) ?? [];
  const isAddress = /[\\/]/.test(plain);
  // The file name in the address contains both.
  const file = isAddress ? condaFile(plain.trim()) : undefined;
  const [, name, rest = ''] = (!isAddress && /^([\w.-]+)\s*(.*)$/s.exec(plain.trim())) || [];
  // `=1.0=build`, `==1.0`, ` 1.0 build`.
  const [, exact, build] = /^(?:={1,2}\s*|(?=[\d*]))([^=\s,|<>!~]+)(?:[=\s]+([^=\s]\S*))?$/.exec(rest) ?? [];
  const [, ...written] = /(?:^|,)\s*version\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\s]+))/.exec(bracket) ?? [];
  const inBracket = written.find((version) => version !== undefined);
  const version = exact ? withVariant(exact, build) : rest.replaceAll(/\s+/g, '') || inBracket || anyVersion;
  if (file) list.add(file.name, withVariant(file.version, file.build));
  else if (name) list.add(name, version);
  else context.warn('one of its dependencies is not a package specification');
}

/** conda-lock.yml: packages of all platforms, including those of pip. */
export function parseCondaLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  // A file without a list is truncated, not empty.
  if (!Array.isArray(field(lock, 'package'))) throw new ParseProblem('it has no list of `package`');
  for (const item of itemsUnder(lock, 'package')) {
    const [name, version, manager, url] = textFields(item, 'name', 'version', 'manager', 'url');
    if (!name || !version) context.warn('one of its packages has no name or no version');
    else if (manager === 'pip') addPython(list, name, version, url ?? '://');
    else {
      const sums = entriesUnder(item, 'hash').map(([kind, sum]) => `${kind}:${sum}`);
      list.add(name, withVariant(version, condaFile(url ?? '')?.build), channelOf(url ?? ''), sums);
    }
  }
}

/** pixi.lock: since version 6 it names packages only by their address, before that by name and version. */
export function parsePixiLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  const packages = itemsUnder(lock, 'packages');
  if (text.trim() !== '' && field(lock, 'version') === undefined)
    throw new ParseProblem('it has no `version`');
  for (const item of packages.length > 0 ? packages : itemsUnder(lock, 'package')) {
    const [, builtName, folder] =
      /^([^[\s]+)(?:\[[^\]]*\])? @ (.+)$/.exec(textField(item, 'conda_source') ?? '') ?? [];
    const [kind, manager, url, path] = textFields(item, 'kind', 'manager', 'url', 'path');
    const place = url ?? path ?? '';
    const isPypi = kind === 'pypi' || manager === 'pip';
    const pypi = textField(item, 'pypi') ?? (isPypi ? place : undefined);
    const conda = textField(item, 'conda') ?? place;
    const file = pypi === undefined ? condaFile(conda) : undefined;
    const [name = file?.name, version = file?.version, build, sum] = textFields(
      item,
      'name',
      'version',
      'build',
      'sha256',
    );
    // Built from one of the project's folders.
    if (builtName && folder) addPlace(list, builtName, undefined, folder);
    else if (!name) context.warn('one of its packages has no name');
    else if (pypi !== undefined) addPython(list, name, version, pypi);
    else if (conda !== '' && !conda.includes('://')) addPlace(list, name, version, conda);
    else list.add(name, withVariant(version ?? anyVersion, file?.build ?? build), channelOf(conda), sum);
  }
}

/** A package of Python from the index, from a repository (`git+https://…?rev=…#commit`), or a folder. */
function addPython(list: PackageList, name: string, version: string | undefined, address: string): void {
  if (address.startsWith('git+')) {
    const [place = '', commit] = address.split('#', 2);
    const repository = place.replace(/\?.*$/s, '');
    list.add(name, versionOfCommit(version, repository, commit), gitSource(repository, commit));
  } else if (address.includes('://')) list.add(name, version ?? anyVersion, 'pypi');
  else addPlace(list, name, version, address);
}

/** A package from a folder, or with an address instead of a version. */
function addPlace(list: PackageList, name: string, version: string | undefined, place: string): void {
  if (place.includes('://')) list.add(name, version ?? place);
  else list.add(name, version ?? `path:${place}`, `path:${place}`);
}

/** The channel of a package's address, if it is not conda-forge. */
function channelOf(address: string): PackageSource | undefined {
  const channel = /^(https?:\/\/.+)\/(?:noarch|(?:linux|osx|win)-\w+)\/[^/]+$/.exec(address)?.[1];
  return registrySource(channel, /^https:\/\/conda\.anaconda\.org\/conda-forge$/);
}

/** The target of a build, after the version: `2.1.0=cuda120`. The rest of a build differs between platforms. */
function withVariant(version: string, build = ''): string {
  const variant = /(?:^|[_*])((?:cuda|rocm|cpu|gpu)[\d.]*)(?=py|[_*]|$)/.exec(build)?.[1];
  return variant === undefined ? version : `${version}=${variant}`;
}

/** `…/noarch/pip-24.0-pyhd8ed1ab_0.conda`: name, version and build of a package file. */
function condaFile(address: string): { name: string; version: string; build: string } | undefined {
  const [file = ''] = address
    .replace(/[?#].*$/s, '')
    .split(/[\\/]/)
    .slice(-1);
  const [, name, version, build] = /^(.+)-([^-]+)-([^-]+)\.(?:conda|tar\.bz2)$/.exec(file) ?? [];
  return name && version && build ? { name, version, build } : undefined;
}

/** pixi.toml: requirements of all environments, targets and pip. */
export function parsePixi(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  const parts = [manifest, field(manifest, 'package'), ...tables(manifest, 'feature')];
  for (const holder of parts.flatMap((each) => [each, ...tables(each, 'target')])) {
    for (const [name, wanted] of entriesIn(holder, 'dependencies', ...packageDependencies))
      list.add(name, requirementOf(wanted));
    for (const [name, wanted] of entriesUnder(holder, 'pypi-dependencies'))
      list.add(name, requirementOf(wanted), 'pypi');
  }
  list.setAll(manifest, pixiSettings);
}

const packageDependencies = ['host-dependencies', 'build-dependencies', 'run-dependencies'];
/** Earlier manifests call the workspace a project. */
const pixiSettings =
  'workspace.channels workspace.platforms workspace.channel-priority workspace.exclude-newer project.channels ' +
  'project.platforms project.channel-priority system-requirements pypi-options package.build';

function tables(holder: unknown, name: string): unknown[] {
  return entriesUnder(holder, name).map(([, table]) => table);
}
