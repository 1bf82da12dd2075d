// pnpm: pnpm-lock.yaml of lockfileVersion 5 to 9, with one or two documents.

import { field, textField } from '@envsnap/shared/plain-object';
import { addTexts, entriesIn, entriesUnder, type ParseContext } from '../fields.ts';
import {
  gitSource,
  type PackageList,
  patched,
  pathSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { refuseBinary } from '../text/lines.ts';
import { parseYamlDocuments, parseYamlMap } from '../text/yaml.ts';
import { npmSource, splitDescriptor } from './npm.ts';

const newestMajor = 9;

/** pnpm-workspace.yaml, .yarnrc.yml: the versions of their catalogs, and what they change about packages. */
export function parsePnpmWorkspace(text: string, list: PackageList, { path }: ParseContext): void {
  const workspace = parseYamlMap(text);
  const catalogs = [
    ...entriesUnder(workspace, 'catalogs').map(([, catalog]) => catalog),
    field(workspace, 'catalog'),
  ];
  for (const catalog of catalogs) addTexts(list, entriesUnder({ catalog }, 'catalog'));
  list.set('patches', field(workspace, 'patchedDependencies'));
  list.setAll(workspace, workspaceSettings);
  if (path.includes('/')) list.setAll(workspace, settingsBelow);
}

/** Settings that decide what is installed, and whose scripts run. */
const workspaceSettings =
  'overrides packageExtensions configDependencies allowBuilds onlyBuiltDependencies ignoredBuiltDependencies ' +
  'plugins supportedArchitectures ignoredOptionalDependencies registries namedRegistries trustPolicy trustPolicyExclude ' +
  'minimumReleaseAge minimumReleaseAgeExclude blockExoticSubdeps peerDependencyRules autoInstallPeers linkWorkspacePackages ' +
  'neverBuiltDependencies dangerouslyAllowAllBuilds resolutionMode nodeOptions npmMinimalAgeGate npmPreapprovedPackages';
/** Settings that are facts in the captured folder. */
const settingsBelow = 'npmRegistryServer npmScopes nodeLinker enableScripts registry';

/** Leaves out workspace members and other linked folders, because the lock file governs them. */
export function parsePnpmLock(text: string, list: PackageList, context: ParseContext): void {
  // pnpm 10 and later may write a document that pins pnpm first; the lock file is the last document.
  const lock = parseYamlDocuments(withoutSnapshots(text)).at(-1);
  if (lock === undefined || lock === '') return;
  if (!(lock instanceof Map)) throw new ParseProblem('its top level is not a map', { line: 1 });
  const major = Number.parseInt(textField(lock, 'lockfileVersion') ?? '', 10);
  if (Number.isNaN(major)) throw new ParseProblem('it has no `lockfileVersion`');
  if (major > newestMajor)
    context.warn(
      `lockfileVersion ${textField(lock, 'lockfileVersion')} is newer than envsnap knows; it is read as version ${newestMajor}`,
    );
  const patches = new Map(entriesUnder(lock, 'patchedDependencies'));
  for (const [key, entry] of entriesUnder(lock, 'packages')) {
    const identity = readKey(key, major);
    const name = textField(entry, 'name') ?? identity?.name;
    const reference = identity?.reference ?? key;
    // In lockfileVersion 6, a local folder or archive has no version, and its path is the key.
    const place = /^(?:file|link):/.test(reference) ? reference : undefined;
    const version = textField(entry, 'version') ?? identity?.version ?? place?.replace(/\(.*$/s, '');
    if (!name || !version) {
      context.warn('an entry of `packages` has no name or no version');
      continue;
    }
    const commit = commitOf(reference);
    const resolution = field(entry, 'resolution');
    const source =
      gitSource(repositoryOf(reference), commit) ??
      pathSource(place) ??
      npmSource(textField(resolution, 'tarball') ?? reference, name) ??
      registrySource(major < 6 ? hostOf(key) : undefined);
    const patch = patches.get(`${name}@${version}`) ?? patches.get(name);
    const digest = typeof patch === 'string' ? patch : (textField(patch, 'hash') ?? '');
    const origin = patch === undefined ? source : patched(source, digest);
    list.add(name, versionOfCommit(version, reference, commit), origin, textField(resolution, 'integrity'));
  }
  const importers = entriesUnder(lock, 'importers');
  if (field(lock, 'importers')) list.members = importers.map(([folder]) => folder);
  // A member that a release replaces may add no package.
  const linked = importers.flatMap(([folder, member]) =>
    entriesIn(member, 'dependencies', 'devDependencies', 'optionalDependencies')
      .filter(([, wanted]) => `${textField(wanted, 'version') ?? wanted}`.startsWith('link:'))
      .map(([name]) => `${folder} ${name}`),
  );
  list.setList('linked', linked);
}

/** Skips the dependencies of each package, which are half of the file. */
function withoutSnapshots(text: string): string {
  refuseBinary(text);
  const start = text.lastIndexOf('\nsnapshots:') + 1;
  const end = start + 1 + text.slice(start + 1).search(/^\S/m);
  return start === 0 ? text : text.slice(0, start) + (end > start ? text.slice(end) : '');
}

/** `reference` replaces the version if it is a URL, a file or a commit. */
interface Identity {
  readonly name: string;
  readonly version: string;
  readonly reference: string | undefined;
}

/** `/name/1.0.0_peer` (5), `/name@1.0.0(peer)` (6), `name@1.0.0` (9), or a URL, a file, a repository's commit. */
function readKey(key: string, major: number): Identity | undefined {
  const plain = key.replace(/\(.*$/s, '');
  const [, name, version] =
    (major < 6 && /^(?:[^/@]*)\/((?:@[^/]+\/)?[^/]+)\/(\d[^/_]*)(?:_.*)?$/s.exec(plain)) || [];
  if (name && version) return { name, version, reference: undefined };
  const descriptor = splitDescriptor(plain.replace(/^\//, ''));
  const range = descriptor?.range ?? '';
  return descriptor && { ...descriptor, version: range, reference: /^\d/.test(range) ? undefined : range };
}

/** The registry before a key of lockfileVersion 5: `registry.example/name/1.0.0`. */
function hostOf(key: string): string | undefined {
  const [host] = key.slice(0, 255).split('/', 1);
  return host !== key && /^[\w-]+\.[\w.-]+(?::\d+)?$/.test(host ?? '') ? host : undefined;
}

/** The commit of a package: `…#<commit>`, a tarball of a forge, or `host/owner/repository/<commit>`. */
function commitOf(reference: string): string | undefined {
  return /(?:#(?:commit=)?|\/)([0-9a-f]{40})$/.exec(reference.replace(/[(_].*$/s, ''))?.[1];
}

/** The repository in such a reference, without the commit. */
function repositoryOf(reference: string): string {
  const plain = reference.replace(/[(_].*$/s, '').replace(/(?:#(?:commit=)?|\/)[0-9a-f]{40}$/, '');
  const forge = /^https:\/\/codeload\.github\.com\/([^/]+\/[^/]+)\/tar\.gz$/.exec(plain);
  if (forge) return `https://github.com/${forge[1]}`;
  return plain.includes('://') ? plain : `https://${plain}`;
}
