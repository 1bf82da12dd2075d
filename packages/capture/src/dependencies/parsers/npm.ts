// npm (package-lock.json and npm-shrinkwrap.json of lockfileVersion 1 to 3, package.json), Bun (bun.lock), and Deno (deno.lock of
// versions 2 to 5, deno.json).

import { field, isPlainObject, textField, textItemsOf } from '@envsnap/shared/plain-object';
import {
  addTexts,
  digestOf,
  entriesIn,
  entriesUnder,
  type ParseContext,
  patchDigest,
  textFields,
} from '../fields.ts';
import {
  anyVersion,
  type PackageList,
  type PackageSource,
  patched,
  registrySource,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { type JsonObject, parseJsoncObject, parseJsonObject } from '../text/json.ts';
import { withoutCredentials } from '../without-credentials.ts';

const newestVersion = 3;
const moduleFolder = 'node_modules/';

/**
 * A tree gives the same list whether it is locked as version 1, 2 or 3: aliases under their real name, packages from
 * git and files with their source, links as `file:<folder>`.
 */
export function parseNpmLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  const version = field(lock, 'lockfileVersion');
  if (typeof version === 'number' && version > newestVersion)
    context.warn(
      `lockfileVersion ${version} is newer than envsnap knows; it is read as version ${newestVersion}`,
    );
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
  for (const [path, entry] of Object.entries(packages)) {
    const start = path.lastIndexOf(moduleFolder);
    if (start === -1) {
      // The project, a workspace member or the target of a link: the project's own code.
      members.push(path === '' ? '.' : path);
      continue;
    }
    if (!isPlainObject(entry)) throw new ParseProblem(`its entry ${path} is not an object`);
    const folder = path.slice(start + moduleFolder.length);
    const [name = folder, resolved, version, integrity] = textFields(
      entry,
      'name',
      'resolved',
      'version',
      'integrity',
    );
    if (entry.link === true) list.add(folder, `file:${resolved ?? ''}`);
    else if (resolved !== undefined && /^(?:file:|git[+:])/.test(resolved)) list.add(name, resolved);
    else if (version) list.add(name, version, npmSource(resolved, name), integrity);
    // npm writes such entries for optional peers that it did not install.
    else if (entry.optional !== true && entry.peer !== true) context.warn(`${path} has no version`);
  }
  if (Object.hasOwn(packages, '')) list.members = members;
  else if (list.size === 0 && members.length > 0)
    throw new ParseProblem('its `packages` has no entry for the project');
}

/** Version 1: packages are nested as they are installed. */
function readNestedDependencies(top: JsonObject, list: PackageList, context: ParseContext): void {
  const stack: JsonObject[] = [top];
  for (let level = stack.pop(); level; level = stack.pop()) {
    for (const [name, entry] of Object.entries(level)) {
      if (!isPlainObject(entry)) throw new ParseProblem(`its entry ${name} is not an object`);
      const [version, resolved, integrity] = textFields(entry, 'version', 'resolved', 'integrity');
      const alias = version?.startsWith('npm:') ? splitDescriptor(version.slice('npm:'.length)) : undefined;
      if (alias) list.add(alias.name, alias.range, npmSource(resolved, alias.name), integrity);
      else if (version) list.add(name, version, npmSource(resolved, name), integrity);
      else if (entry.optional !== true && entry.peer !== true) context.warn(`${name} has no version`);
      stack.push(Object.fromEntries(entriesUnder(entry, 'dependencies')));
    }
  }
}

const usualRegistries = /^https?:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)$/;

/** The source of an npm archive: the registry in its address or, for any other archive, the whole address. */
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

const manifestSections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** package.json: ranges as they are written. */
export function parsePackageJson(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  addTexts(list, entriesIn(manifest, ...manifestSections));
  const pnpm = field(manifest, 'pnpm');
  list.set('pnpm.overrides', field(pnpm, 'overrides'));
  list.set('patches', field(pnpm, 'patchedDependencies') ?? field(manifest, 'patchedDependencies'));
  list.set('builds', field(pnpm, 'onlyBuiltDependencies') ?? field(manifest, 'trustedDependencies'));
  list.setAll(manifest, 'overrides resolutions pnpm.packageExtensions pnpm.supportedArchitectures');
  // That version is a declared one.
  list.set('packageManager', textField(manifest, 'packageManager')?.split('+')[1] ?? '');
}

/** patches/NAME+VERSION.patch of patch-package: what it changes in a package. `+` replaces `/` in names. */
export function parsePatch(text: string, list: PackageList, { path }: ParseContext): void {
  const parts = (path.split('/').at(-1) ?? '').replace(/\.patch$/, '').split('+');
  const at = parts.findIndex((part, index) => index > 0 && /^\d+\./.test(part));
  const name = parts.slice(0, Math.max(at, 0)).join('+').split('++').at(-1)?.replace('+', '/') ?? '';
  list.isRecorded = name !== '';
  if (name) list.add(name, parts[at] ?? '', patched(undefined, digestOf(text)));
}

/** bun.lock (JSON with comments and trailing commas). Leaves out workspace members. */
export async function parseBunLock(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const lock = parseJsoncObject(text);
  const workspaces = field(lock, 'workspaces');
  if (!isPlainObject(field(lock, 'packages')) && !isPlainObject(workspaces))
    throw new ParseProblem('it has neither `packages` nor `workspaces`');
  const patches = new Map(entriesUnder(lock, 'patchedDependencies'));
  for (const [key, entry] of entriesUnder(lock, 'packages')) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    const descriptor = typeof identity === 'string' ? splitDescriptor(identity) : undefined;
    if (!descriptor) throw new ParseProblem(`its package ${key} lacks a name or a version`);
    const { name, range } = descriptor;
    if (/^(?:workspace|root):/.test(range)) continue;
    const texts = textItemsOf(entry).slice(1);
    const address = texts.find((part) => part.startsWith('http'));
    const source = npmSource(address, name);
    const patch = patches.get(`${name}@${range}`);
    const origin = typeof patch === 'string' ? patched(source, await patchDigest(context, patch)) : source;
    list.add(
      name,
      range,
      origin,
      texts.find((part) => /^sha\d+-/.test(part)),
    );
  }
  if (isPlainObject(workspaces)) list.members = Object.keys(workspaces).map((folder) => folder || '.');
}

/** deno.lock: packages of npm and JSR, and modules by address (`https://host/std@0.200.0/…` as one name and version). */
export function parseDenoLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseJsonObject(text);
  // Version 3 holds both registries below `packages`, version 2 npm's packages one level deeper.
  const holder = isPlainObject(field(lock, 'packages')) ? field(lock, 'packages') : lock;
  const npmHolder = textField(lock, 'version') === '2' ? field(holder, 'npm') : holder;
  const add = ([key, entry]: [string, unknown], npmNames?: ReadonlySet<string>) => {
    const { name = '', range = '' } = splitDescriptor(key) ?? {};
    const integrity = textField(entry, 'integrity');
    if (name === '') context.warn('an entry has no version');
    // Peers follow `_`.
    else if (npmNames === undefined) list.add(name, range.replace(/_.*$/s, ''), undefined, integrity);
    // A name may exist in both registries, so packages of JSR are marked.
    else list.add(npmNames.has(name) ? `jsr:${name}` : name, range, 'jsr', integrity);
  };
  for (const entry of entriesUnder(npmHolder, npmHolder === holder ? 'npm' : 'packages')) add(entry);
  const npmNames = new Set(list.names());
  for (const entry of entriesUnder(holder, 'jsr')) add(entry, npmNames);
  for (const [address, hash] of entriesUnder(lock, 'remote')) {
    const [, name, version] = /^(https?:\/\/[^?#]*?)@v?(\d[^/?#]*)(?:[/?#]|$)/.exec(address) ?? [];
    const sum = typeof hash === 'string' ? `${address} ${hash}` : [];
    if (name && version) list.add(withoutCredentials(name), version, undefined, sum);
    else if (typeof hash === 'string') list.add(withoutCredentials(address), hash);
  }
}

/** deno.json: packages that its imports name (`jsr:@std/fs@^1`, `npm:zod@4`), those of its scopes, and those of its import map. */
export async function parseDenoJson(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const manifest = parseJsoncObject(text);
  const file = textField(manifest, 'importMap');
  // Deno ignores the import map of a manifest that has its own imports.
  const isOwn = file === undefined || ['imports', 'scopes'].some((name) => Object.hasOwn(manifest, name));
  const map = isOwn ? manifest : await context.include(file, parseJsoncObject);
  const scopes = entriesUnder(map, 'scopes').map(([, imports]) => ({ imports }));
  for (const [, target] of [map, ...scopes].flatMap((each) => entriesUnder(each, 'imports'))) {
    if (typeof target !== 'string') list.rejected += 1;
    const [, registry, name, range] =
      /^(jsr|npm):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/.exec(typeof target === 'string' ? target : '') ??
      [];
    if (name) list.add(name, range ?? anyVersion, registry === 'npm' ? 'npm' : undefined);
  }
}
