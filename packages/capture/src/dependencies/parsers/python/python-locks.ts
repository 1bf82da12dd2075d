// Python: the lock files of Poetry, uv, PDM, Pipenv, and pylock.toml (PEP 751).

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { type JsonObject, parseJsonObject } from '../../text/json.ts';
import { parseToml } from '../../text/toml.ts';
import { readSpecifiers } from './python-requirements.ts';

/** Tables of packages; a file without any must say by another field that it is a lock file. */
function packageTables(
  text: string,
  name: string,
  marks: readonly string[],
): { readonly lock: JsonObject; readonly packages: readonly unknown[] } {
  const lock = parseToml(text);
  const packages = field(lock, name);
  if (packages === undefined) {
    if (text.trim() !== '' && !marks.some((mark) => field(lock, mark) !== undefined)) {
      throw new ParseProblem(`it has no \`[[${name}]]\``);
    }
    return { lock, packages: [] };
  }
  if (!Array.isArray(packages)) throw new ParseProblem(`its \`${name}\` is not a list of tables`);
  return { lock, packages };
}

function requireName(entry: unknown): string {
  const name = textField(entry, 'name');
  if (!name) throw new ParseProblem('one of its packages has no name');
  return name;
}

const usualIndexes = /^https:\/\/pypi\.org(?:\/simple)?$/;

/** The checksums of archives: `hash`, or `hashes` by kind. */
function hashesOf(archives: readonly unknown[]): string[] {
  return archives.flatMap((archive) => [
    ...(textField(archive, 'hash') === undefined ? [] : [textField(archive, 'hash') as string]),
    ...entriesOf(archive, 'hashes').map(([kind, hash]) => `${kind}:${hash}`),
  ]);
}

/** The files of a package, which earlier versions of Poetry and PDM list together. */
function filesOf(lock: JsonObject, entry: unknown, name: string): readonly unknown[] {
  const files = field(field(lock, 'metadata'), 'files');
  const own = itemsOf(entry, 'files');
  return own.length > 0 ? own : itemsOf(files, name);
}

function archiveSource(address: string | undefined): PackageSource | undefined {
  return address?.startsWith('http') ? (address as PackageSource) : undefined;
}

/** poetry.lock of every version. */
export function parsePoetryLock(text: string, list: PackageList): void {
  const { lock, packages } = packageTables(text, 'package', ['metadata']);
  for (const entry of packages) {
    const name = requireName(entry);
    const source = field(entry, 'source');
    const commit = textField(source, 'type') === 'git' ? textField(source, 'resolved_reference') : undefined;
    list.add(
      name,
      versionOfCommit(textField(entry, 'version') ?? anyVersion, textField(source, 'url') ?? '', commit),
      gitSource(textField(source, 'url'), commit) ?? pathSource(source) ?? indexSource(source),
      hashesOf(filesOf(lock, entry, name)),
    );
  }
}

/** A folder or file that Poetry locked by its path. */
function pathSource(source: unknown): PackageSource | undefined {
  const type = textField(source, 'type');
  return type === 'directory' || type === 'file' ? `path:${textField(source, 'url') ?? '.'}` : undefined;
}

/** Another index, or an archive of another place. */
function indexSource(source: unknown): PackageSource | undefined {
  const address = textField(source, 'url');
  return textField(source, 'type') === 'url' ? archiveSource(address) : registrySource(address, usualIndexes);
}

/** uv.lock. The project itself and other members (virtual or editable) are left out; the lock speaks for them. */
export function parseUvLock(text: string, list: PackageList): void {
  const members: string[] = [];
  for (const entry of packageTables(text, 'package', ['version', 'requires-python']).packages) {
    const name = requireName(entry);
    const source = field(entry, 'source');
    const own = textField(source, 'virtual') ?? textField(source, 'editable');
    if (own !== undefined) {
      members.push(own);
      continue;
    }
    const git = textField(source, 'git');
    const place = textField(source, 'directory') ?? textField(source, 'path');
    const version = textField(entry, 'version') ?? (place === undefined ? anyVersion : `file:${place}`);
    const commit = git?.split('#')[1];
    if (git) list.add(name, versionOfCommit(version, git, commit), gitSource(git, commit));
    else {
      const origin =
        place === undefined
          ? (archiveSource(textField(source, 'url')) ??
            registrySource(textField(source, 'registry'), usualIndexes))
          : (`path:${place}` as const);
      const archives = [field(entry, 'sdist'), ...itemsOf(entry, 'wheels')];
      list.add(name, version, origin, hashesOf(archives));
    }
  }
  list.members = members;
}

/** pdm.lock. */
export function parsePdmLock(text: string, list: PackageList): void {
  const { lock, packages } = packageTables(text, 'package', ['metadata']);
  for (const entry of packages) {
    const name = requireName(entry);
    const version = textField(entry, 'version') ?? anyVersion;
    const [git, commit, path] = ['git', 'revision', 'path'].map((key) => textField(entry, key));
    list.add(
      name,
      versionOfCommit(version, git ?? '', commit),
      gitSource(git, commit) ??
        (path === undefined ? archiveSource(textField(entry, 'url')) : `path:${path}`),
      hashesOf(filesOf(lock, entry, `${name} ${version}`)),
    );
  }
}

/** pylock.toml and pylock.<name>.toml. */
export function parsePylock(text: string, list: PackageList): void {
  for (const entry of packageTables(text, 'packages', ['lock-version']).packages) {
    const name = requireName(entry);
    const directory = textField(field(entry, 'directory'), 'path');
    const archive = field(entry, 'archive');
    const place = directory ?? textField(archive, 'path');
    const version =
      textField(entry, 'version') ??
      textField(archive, 'url') ??
      (place === undefined ? anyVersion : `file:${place}`);
    const vcs = field(entry, 'vcs');
    const [git, commit] = ['url', 'commit-id'].map((key) => textField(vcs, key));
    const source =
      gitSource(git, commit) ??
      (place === undefined
        ? (archiveSource(textField(archive, 'url')) ??
          registrySource(textField(entry, 'index'), usualIndexes))
        : (`path:${place}` as const));
    const archives = [archive, field(entry, 'sdist'), ...itemsOf(entry, 'wheels')];
    const known = version === anyVersion && git ? undefined : version;
    list.add(name, versionOfCommit(known, git ?? '', commit), source, hashesOf(archives));
  }
}

/** Pipfile.lock: `default`, `develop` and further categories. */
export function parsePipfileLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  const indexes = new Map(
    itemsOf(field(lock, '_meta'), 'sources').map((source) => [
      textField(source, 'name'),
      textField(source, 'url'),
    ]),
  );
  for (const category of Object.keys(lock)) {
    if (category === '_meta') continue;
    for (const [name, entry] of entriesOf(lock, category)) {
      const source = registrySource(indexes.get(textField(entry, 'index')), usualIndexes);
      const hashes = itemsOf(entry, 'hashes').filter((hash) => typeof hash === 'string');
      list.add(name, pipfileVersion(entry), source, hashes);
    }
  }
}

/** Pipfile: requirements as they are written. */
export function parsePipfile(text: string, list: PackageList): void {
  const pipfile = parseToml(text);
  const settings = new Set(['source', 'requires', 'scripts', 'pipenv']);
  for (const category of Object.keys(pipfile)) {
    if (settings.has(category)) continue;
    for (const [name, entry] of entriesOf(pipfile, category)) list.add(name, pipfileVersion(entry));
  }
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

/** pyproject.toml: requirements of the project, its extras and groups, of its build, and of Poetry, PDM and uv. */
export async function parsePyproject(text: string, list: PackageList): Promise<void> {
  const { readRequirement } = await import('./python-requirements.ts');
  const manifest = parseToml(text);
  const addAll = (items: readonly unknown[]) => {
    for (const item of items) {
      // Groups may include others by name; those are read themselves.
      const requirement = typeof item === 'string' ? readRequirement(item) : undefined;
      if (requirement) list.add(requirement.name, requirement.version);
    }
  };
  const project = field(manifest, 'project');
  const tool = field(manifest, 'tool');
  addAll(itemsOf(project, 'dependencies'));
  addAll(itemsOf(field(manifest, 'build-system'), 'requires'));
  const groupTables = [
    ...entriesOf(project, 'optional-dependencies'),
    ...entriesOf(manifest, 'dependency-groups'),
    ...entriesOf(field(tool, 'pdm'), 'dev-dependencies'),
  ];
  for (const [, items] of groupTables) if (Array.isArray(items)) addAll(items);
  addAll(itemsOf(field(tool, 'uv'), 'dev-dependencies'));
  const poetry = field(tool, 'poetry');
  const poetryTables = [
    ...entriesOf(poetry, 'dependencies'),
    ...entriesOf(poetry, 'dev-dependencies'),
    ...entriesOf(poetry, 'group').flatMap(([, group]) => entriesOf(group, 'dependencies')),
  ];
  for (const [name, wanted] of poetryTables) {
    if (name.toLowerCase() === 'python') continue;
    for (const one of Array.isArray(wanted) ? wanted : [wanted]) list.add(name, poetryVersion(one));
  }
}

function poetryVersion(wanted: unknown): string {
  if (typeof wanted === 'string') return wanted;
  const git = textField(wanted, 'git');
  const reference = textField(wanted, 'rev') ?? textField(wanted, 'tag') ?? textField(wanted, 'branch');
  if (git) return versionOfCommit(undefined, `git+${git}`, reference);
  const path = textField(wanted, 'path');
  return (
    textField(wanted, 'version') ??
    textField(wanted, 'url') ??
    (path === undefined ? anyVersion : `file:${path}`)
  );
}
