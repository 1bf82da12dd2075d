// Python: the lock files of Poetry, uv, PDM, Pipenv, and pylock.toml (PEP 751); pyproject.toml and Pipfile.

import { field, isPlainObject, textField, textItemsOf } from '@envsnap/shared/plain-object';
import { entriesIn, entriesUnder, itemsUnder, optionsOf, requirementOf, textFields } from '../fields.ts';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { type JsonObject, parseJsonObject } from '../text/json.ts';
import { parseToml } from '../text/toml.ts';
import { conditionOf, readRequirement, readSpecifiers } from './python-requirements.ts';

/** Tables of packages with names. A file without any must have another field that shows that it is a lock file. */
function packageTables(text: string, section: string, marks: readonly string[]) {
  const lock = parseToml(text);
  const packages = field(lock, section) ?? [];
  if (!Array.isArray(packages)) throw new ParseProblem(`its \`${section}\` is not a list of tables`);
  if (text.trim() !== '' && ![section, ...marks].some((mark) => field(lock, mark) !== undefined))
    throw new ParseProblem(`it has no \`[[${section}]]\``);
  const named = packages.map((entry: unknown): [string, unknown] => {
    const name = textField(entry, 'name');
    if (!name) throw new ParseProblem('one of its packages has no name');
    return [name, entry];
  });
  return { lock, packages: named };
}

const usualIndexes = /^https:\/\/pypi\.org(?:\/simple)?$/;

/** The checksums of archives: `hash`, or `hashes` by kind. */
function hashesOf(archives: readonly unknown[]): string[] {
  return archives.flatMap((archive) => [
    ...textItemsOf([field(archive, 'hash')]),
    ...entriesUnder(archive, 'hashes').map(([kind, hash]) => `${kind}:${hash}`),
  ]);
}

/** The files of a package, which earlier versions of Poetry and PDM list together. */
function filesOf(lock: JsonObject, entry: unknown, name: string): readonly unknown[] {
  const own = itemsUnder(entry, 'files');
  return own.length > 0 ? own : itemsUnder(field(field(lock, 'metadata'), 'files'), name);
}

/** A folder or file, an archive from elsewhere, or another index. */
function placeSource(path?: string, archive?: string, index?: string): PackageSource | undefined {
  if (path !== undefined) return `path:${path}`;
  return archive?.startsWith('http') ? (archive as PackageSource) : registrySource(index, usualIndexes);
}

export function parsePoetryLock(text: string, list: PackageList): void {
  const { lock, packages } = packageTables(text, 'package', ['metadata']);
  for (const [name, entry] of packages) {
    const [type = '', url, resolved] = textFields(
      field(entry, 'source'),
      'type',
      'url',
      'resolved_reference',
    );
    const commit = type === 'git' ? resolved : undefined;
    const path = type === 'directory' || type === 'file' ? (url ?? '.') : undefined;
    list.add(
      name,
      versionOfCommit(textField(entry, 'version') ?? anyVersion, url ?? '', commit),
      gitSource(url, commit) ??
        (type === 'url' ? placeSource(undefined, url) : placeSource(path, undefined, url)),
      hashesOf(filesOf(lock, entry, name)),
    );
  }
}

/** uv.lock. Leaves out the project and other members (virtual or editable), because the lock file governs them. */
export function parseUvLock(text: string, list: PackageList): void {
  list.members = [];
  for (const [name, entry] of packageTables(text, 'package', ['version', 'requires-python']).packages) {
    const source = field(entry, 'source');
    const [virtual, editable, git, directory, path] = textFields(
      source,
      'virtual',
      'editable',
      'git',
      'directory',
      'path',
    );
    const own = virtual ?? editable;
    const place = directory ?? path;
    const version = textField(entry, 'version') ?? (place === undefined ? anyVersion : `file:${place}`);
    const commit = git?.split('#')[1];
    if (own !== undefined) list.members.push(own);
    else if (git) list.add(name, versionOfCommit(version, git, commit), gitSource(git, commit));
    else {
      const origin = placeSource(place, textField(source, 'url'), textField(source, 'registry'));
      list.add(name, version, origin, hashesOf([field(entry, 'sdist'), ...itemsUnder(entry, 'wheels')]));
    }
  }
}

export function parsePdmLock(text: string, list: PackageList): void {
  const { lock, packages } = packageTables(text, 'package', ['metadata']);
  for (const [name, entry] of packages) {
    const [version = anyVersion, git, commit, path, url] = textFields(
      entry,
      'version',
      'git',
      'revision',
      'path',
      'url',
    );
    const source = gitSource(git, commit) ?? placeSource(path, url);
    const hashes = hashesOf(filesOf(lock, entry, `${name} ${version}`));
    list.add(name, versionOfCommit(version, git ?? '', commit), source, hashes);
  }
}

/** pylock.toml and pylock.<name>.toml. */
export function parsePylock(text: string, list: PackageList): void {
  for (const [name, entry] of packageTables(text, 'packages', ['lock-version']).packages) {
    const archive = field(entry, 'archive');
    const [path, url] = textFields(archive, 'path', 'url');
    const place = textField(field(entry, 'directory'), 'path') ?? path;
    const [git, commit] = textFields(field(entry, 'vcs'), 'url', 'commit-id');
    const version =
      textField(entry, 'version') ?? url ?? (place === undefined ? anyVersion : `file:${place}`);
    const source = gitSource(git, commit) ?? placeSource(place, url, textField(entry, 'index'));
    const archives = [archive, field(entry, 'sdist'), ...itemsUnder(entry, 'wheels')];
    const known = version === anyVersion && git ? undefined : version;
    list.add(name, versionOfCommit(known, git ?? '', commit), source, hashesOf(archives));
  }
}

/** Pipfile.lock: `default`, `develop` and further categories. */
export function parsePipfileLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const sources = itemsUnder(field(lock, '_meta'), 'sources');
  const indexes = new Map(sources.map((source) => [textField(source, 'name'), textField(source, 'url')]));
  for (const [name, entry] of entriesIn(lock, ...Object.keys(lock).filter((key) => key !== '_meta'))) {
    const source = registrySource(indexes.get(textField(entry, 'index')), usualIndexes);
    list.add(name, pipfileVersion(entry), source, textItemsOf(field(entry, 'hashes')));
  }
}

/** Pipfile: requirements as they are written. */
export function parsePipfile(text: string, list: PackageList): void {
  const pipfile = parseToml(text);
  const settings = ['source', 'requires', 'scripts', 'pipenv'];
  const categories = Object.keys(pipfile).filter((category) => !settings.includes(category));
  for (const [name, entry] of entriesIn(pipfile, ...categories)) list.add(name, pipfileVersion(entry));
}

function pipfileVersion(entry: unknown): string {
  const specifier = typeof entry === 'string' ? entry : textField(entry, 'version');
  if (specifier) return readSpecifiers(specifier.trim()) ?? specifier;
  if (!isPlainObject(entry)) return anyVersion;
  const git = textField(entry, 'git');
  if (git)
    return versionOfCommit(undefined, git.startsWith('git') ? git : `git+${git}`, textField(entry, 'ref'));
  const place = textField(entry, 'path') ?? textField(entry, 'file');
  if (place === undefined) return anyVersion;
  return place.includes('://') ? place : `file:${place}`;
}

const uvSettings =
  'sources override-dependencies constraint-dependencies environments required-environments exclude-newer no-binary no-build prerelease resolution';

/** pyproject.toml: requirements of the project, its extras and groups, of its build, and of Poetry, PDM and uv. */
export function parsePyproject(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  const project = field(manifest, 'project');
  const [pdm, uv, poetry] = ['pdm', 'uv', 'poetry'].map((name) => field(field(manifest, 'tool'), name));
  const lists = [
    itemsUnder(project, 'dependencies'),
    itemsUnder(field(manifest, 'build-system'), 'requires'),
    ...entriesUnder(project, 'optional-dependencies').map(([, items]) => items),
    ...entriesUnder(manifest, 'dependency-groups').map(([, items]) => items),
    ...entriesUnder(pdm, 'dev-dependencies').map(([, items]) => items),
    itemsUnder(uv, 'dev-dependencies'),
  ];
  const conditions: string[] = [];
  // Groups may include others by name, in tables; those groups are read separately.
  for (const item of lists.flatMap(textItemsOf)) {
    const requirement = readRequirement(item);
    list.add(requirement?.name ?? '', requirement?.version ?? '');
    conditions.push(...conditionOf(item));
  }
  const sources = [uv, pdm, poetry].flatMap((tool) => [
    ...itemsUnder(tool, 'index'),
    ...itemsUnder(tool, 'source'),
  ]);
  list.set('indexes', sources);
  list.setAll(uv, uvSettings);
  list.setAll(manifest, 'tool.hatch.envs tool.tox tool.cibuildwheel');
  const groups = entriesUnder(poetry, 'group').flatMap(([, group]) => entriesUnder(group, 'dependencies'));
  const directEntries = [...entriesIn(poetry, 'dependencies', 'dev-dependencies'), ...groups];
  list.set('options', optionsOf(directEntries));
  list.setList('conditions', conditions);
  for (const [name, wanted] of directEntries)
    if (name.toLowerCase() !== 'python')
      for (const one of [wanted].flat()) list.add(name, requirementOf(one, 'file:'));
}
