// The lock files of Pixi and conda-lock, and Pixi's manifest.

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';

import { parseToml } from '../../text/toml.ts';
import { parseYamlMap } from '../../text/yaml.ts';

/** conda-lock.yml: packages of all platforms, those of pip too. */
export function parseCondaLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  if (!Array.isArray(field(lock, 'package'))) throw new ParseProblem('it has no list `package`');
  for (const item of itemsOf(lock, 'package')) {
    const name = textField(item, 'name');
    const version = textField(item, 'version');
    if (!name || !version) context.warn('one of its packages has no name or no version');
    else if (textField(item, 'manager') === 'pip')
      addPython(list, name, version, textField(item, 'url') ?? '://');
    else {
      const address = textField(item, 'url') ?? '';
      const sums = entriesOf(item, 'hash').map(([kind, sum]) => `${kind}:${sum}`);
      list.add(name, withVariant(version, condaFile(address)?.build), channelOf(address), sums);
    }
  }
}

/** pixi.lock: since version 6 packages are named by their address alone, in earlier ones by name and version. */
export function parsePixiLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  const packages =
    itemsOf(lock, 'packages').length > 0 ? itemsOf(lock, 'packages') : itemsOf(lock, 'package');
  if (text.trim() !== '' && field(lock, 'version') === undefined)
    throw new ParseProblem('it has no `version`');
  for (const item of packages) {
    const built = /^([^[\s]+)(?:\[[^\]]*\])? @ (.+)$/.exec(textField(item, 'conda_source') ?? '');
    if (built?.[1] && built[2]) {
      const place = built[2];
      if (place.includes('://')) list.add(built[1], place);
      else list.add(built[1], `path:${place}`, `path:${place}`);
      continue;
    }
    const isPypi = textField(item, 'kind') === 'pypi' || textField(item, 'manager') === 'pip';
    const place = textField(item, 'url') ?? textField(item, 'path');
    const pypi = textField(item, 'pypi') ?? (isPypi ? (place ?? '') : undefined);
    const conda = textField(item, 'conda') ?? place ?? '';
    const named = pypi === undefined ? condaFile(conda) : undefined;
    const name = textField(item, 'name') ?? named?.name;
    const version = textField(item, 'version') ?? named?.version;
    if (!name) context.warn('one of its packages has no name');
    else if (pypi !== undefined) addPython(list, name, version, pypi);
    // Built from a folder of the project.
    else if (conda !== '' && !conda.includes('://'))
      list.add(name, version ?? `path:${conda}`, `path:${conda}`);
    else
      list.add(
        name,
        withVariant(version ?? anyVersion, condaFile(conda)?.build ?? textField(item, 'build')),
        channelOf(conda),
        textField(item, 'sha256'),
      );
  }
}

/** A package of Python from the index, from a repository (`git+https://…?rev=…#commit`), or a folder. */
function addPython(list: PackageList, name: string, version: string | undefined, address: string): void {
  if (address.startsWith('git+')) {
    const [place = '', commit] = address.split('#', 2);
    const repository = place.replace(/\?.*$/s, '');
    list.add(name, versionOfCommit(version, repository, commit), gitSource(repository, commit));
  } else if (address.includes('://')) list.add(name, version ?? anyVersion, 'pypi');
  else list.add(name, version ?? `path:${address}`, `path:${address}`);
}

/** The channel of a package's address, where it is not conda-forge. */
function channelOf(address: string): PackageSource | undefined {
  const channel = /^(https?:\/\/.+)\/(?:noarch|(?:linux|osx|win)-\w+)\/[^/]+$/.exec(address)?.[1];
  return registrySource(channel, /^https:\/\/conda\.anaconda\.org\/conda-forge$/);
}

/** What a build is made for, behind the version: `2.1.0=cuda120`. The rest of a build differs between platforms. */
export function withVariant(version: string, build = ''): string {
  const variant = /(?:^|[_*])((?:cuda|rocm|cpu|gpu)[\d.]*)(?=py|[_*]|$)/.exec(build)?.[1];
  return variant === undefined ? version : `${version}=${variant}`;
}

/** `…/noarch/pip-24.0-pyhd8ed1ab_0.conda`: name, version and build of a package file. */
export function condaFile(address: string): { name: string; version: string; build: string } | undefined {
  const file =
    address
      .replace(/[?#].*$/s, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const [, name, version, build] = /^(.+)-([^-]+)-([^-]+)\.(?:conda|tar\.bz2)$/.exec(file) ?? [];
  return name && version && build ? { name, version, build } : undefined;
}

/** pixi.toml: requirements of all environments, targets and pip. */
export function parsePixi(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  const holders = [manifest, ...tables(manifest, 'target'), ...tables(manifest, 'feature')];
  for (const holder of [...holders, ...holders.slice(1).flatMap((feature) => tables(feature, 'target'))]) {
    for (const section of ['dependencies', 'host-dependencies', 'build-dependencies']) {
      for (const [name, wanted] of entriesOf(holder, section)) list.add(name, requirement(wanted));
    }
    for (const [name, wanted] of entriesOf(holder, 'pypi-dependencies'))
      list.add(name, requirement(wanted), 'pypi');
  }
}

function tables(holder: unknown, name: string): unknown[] {
  return entriesOf(holder, name).map(([, table]) => table);
}

function requirement(wanted: unknown): string {
  if (typeof wanted === 'string') return wanted || anyVersion;
  const [git, path, url] = ['git', 'path', 'url'].map((name) => textField(wanted, name));
  const reference = ['rev', 'tag', 'branch'].map((name) => textField(wanted, name)).find(Boolean);
  if (git) return `git+${git}${reference ? `#${reference}` : ''}`;
  if (path) return `path:${path}`;
  return (
    url ??
    (typeof field(wanted, 'version') === 'string' ? (textField(wanted, 'version') as string) : anyVersion)
  );
}
