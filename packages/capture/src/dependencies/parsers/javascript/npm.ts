// npm: package-lock.json and npm-shrinkwrap.json of lockfileVersion 1 to 3.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { type PackageList, type PackageSource, registrySource } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { type JsonObject, parseJsonObject } from '../../text/json.ts';

const newestVersion = 3;
const moduleFolder = 'node_modules/';

/**
 * Reads a lock file of npm. The same tree locked as version 1, 2 or 3 gives the same list: aliases under their real
 * name, packages from git and from files by their source, links as `file:<folder>`.
 */
export function parseNpmLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  const version = field(lock, 'lockfileVersion');
  if (typeof version === 'number' && version > newestVersion) {
    context.warn(
      `lockfileVersion ${version} is newer than what is known; it is read as version ${newestVersion}`,
    );
  }
  const packages = field(lock, 'packages');
  const dependencies = field(lock, 'dependencies');
  if (isPlainObject(packages)) readPackages(packages, list, context);
  else if (packages !== undefined) throw new ParseProblem('its `packages` is not an object');
  else if (isPlainObject(dependencies)) readNestedDependencies(dependencies, list, context);
  else if (dependencies !== undefined) throw new ParseProblem('its `dependencies` is not an object');
  else if (version === undefined)
    throw new ParseProblem('it has neither `lockfileVersion` nor `packages` nor `dependencies`');
}

/** Versions 2 and 3: one flat map from install path to package. */
function readPackages(packages: JsonObject, list: PackageList, context: ParseContext): void {
  const members: string[] = [];
  for (const path of Object.keys(packages)) {
    const entry = packages[path];
    const start = path.lastIndexOf(moduleFolder);
    if (start === -1) {
      // The project itself, a workspace member or the target of a link: own code, seen through the link to it.
      members.push(path === '' ? '.' : path);
      continue;
    }
    if (!isPlainObject(entry)) throw new ParseProblem(`its entry ${path} is not an object`);
    const name = textField(entry, 'name') ?? path.slice(start + moduleFolder.length);
    const resolved = textField(entry, 'resolved');
    const version = textField(entry, 'version');
    if (entry.link === true) list.add(path.slice(start + moduleFolder.length), `file:${resolved ?? ''}`);
    else if (resolved !== undefined && isSource(resolved)) list.add(name, resolved);
    else if (version) list.add(name, version, npmSource(resolved, name), textField(entry, 'integrity'));
    // npm writes such entries for optional peers that it did not install.
    else if (entry.optional !== true && entry.peer !== true) context.warn(`${path} has no version`);
  }
  if (Object.hasOwn(packages, '')) list.members = members;
}

/** Version 1: packages nested as they are installed. */
function readNestedDependencies(top: JsonObject, list: PackageList, context: ParseContext): void {
  const stack: JsonObject[] = [top];
  for (let level = stack.pop(); level; level = stack.pop()) {
    for (const [name, entry] of Object.entries(level)) {
      if (!isPlainObject(entry)) throw new ParseProblem(`its entry ${name} is not an object`);
      const version = textField(entry, 'version');
      const alias = version?.startsWith('npm:') ? splitDescriptor(version.slice('npm:'.length)) : undefined;
      const resolved = textField(entry, 'resolved');
      const integrity = textField(entry, 'integrity');
      if (alias) list.add(alias.name, alias.range, npmSource(resolved, alias.name), integrity);
      else if (version) list.add(name, version, npmSource(resolved, name), integrity);
      else if (entry.optional !== true && entry.peer !== true) context.warn(`${name} has no version`);
      const nested = field(entry, 'dependencies');
      if (isPlainObject(nested)) stack.push(nested);
    }
  }
}

function isSource(resolved: string): boolean {
  return resolved.startsWith('file:') || resolved.startsWith('git+') || resolved.startsWith('git:');
}

const usualRegistries = /^https?:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)$/;

/** Where an archive of npm is from: a registry is told by the address, any other archive by the whole of it. */
export function npmSource(address: string | undefined, name: string): PackageSource | undefined {
  const plain = address?.replace(/[?#].*$/s, '') ?? '';
  if (!/^https?:\/\//.test(plain)) return undefined;
  const inRegistry = [name, name.replace('/', '%2f')]
    .flatMap((each) => [plain.indexOf(`/${each}/-/`), plain.indexOf(`/${each}/download/`)])
    .find((at) => at > 0);
  return inRegistry === undefined
    ? (plain as PackageSource)
    : registrySource(plain.slice(0, inRegistry), usualRegistries);
}

/** Splits `name@range`, whose name may begin with `@`. Undefined without a range. */
export function splitDescriptor(descriptor: string): { name: string; range: string } | undefined {
  const at = descriptor.indexOf('@', 1);
  return at === -1 ? undefined : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}

/** Longest text of a manifest's overrides, in characters. */
const maxOverrides = 2000;
const manifestSections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** package.json: ranges as they are written. */
export function parsePackageJson(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  for (const section of manifestSections) {
    for (const [name, range] of entriesOf(manifest, section)) {
      if (typeof range === 'string') list.add(name, range);
    }
  }
  const overrides = {
    overrides: field(manifest, 'overrides'),
    resolutions: field(manifest, 'resolutions'),
    'pnpm.overrides': field(field(manifest, 'pnpm'), 'overrides'),
    patches: field(field(manifest, 'pnpm'), 'patchedDependencies') ?? field(manifest, 'patchedDependencies'),
  };
  for (const [name, value] of Object.entries(overrides))
    if (isPlainObject(value)) list.set(name, JSON.stringify(value).slice(0, maxOverrides));
}
