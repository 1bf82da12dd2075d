// Python environments: the names of `*.dist-info` folders give packages and versions.
// https://packaging.python.org/en/latest/specifications/recording-installed-packages/

import { entriesOf, field, isPlainObject, recordOf, textItemsOf } from '@envsnap/shared/plain-object';
import { fitsRequirement } from '@envsnap/versions';
import { plainPythonName } from '../dependencies/fields.ts';
import { homeAbbreviation } from '../system/home-path.ts';
import { type Absence, type Drift, type LockPlace, readJsonObject, readStateFile } from './drift.ts';
import {
  environmentBeside,
  findEnvironment,
  interpreterState,
  type PythonEnvironment,
} from './python-environment.ts';

/**
 * Compares with the environment that programs run in. If another environment without the locked packages is active
 * although the folder has its own, that is the only finding: `in ~/envs/other, the project's is .venv`.
 */
export async function pythonDrift(place: LockPlace): Promise<Drift | undefined> {
  const environment = await findEnvironment(place);
  if (environment === undefined) return undefined;
  const drift = await driftIn(place, environment);
  if (environment.folder === undefined || environment.name !== undefined) return drift;
  if (drift?.size === 0 || !(await isMainFile(place))) return drift;
  return (await otherThanOwn(place, environment.folder)) ?? drift;
}

/** The same for a manifest; nothing if a lock file says more. */
export async function manifestDrift(place: LockPlace): Promise<Drift | undefined> {
  return (await isAlone(place)) ? pythonDrift(place) : undefined;
}

/** Reports that another environment is active although the folder has its own. */
async function otherThanOwn(place: LockPlace, active: string): Promise<Drift | undefined> {
  const own = await environmentBeside(place);
  const { homeDir, platform } = place.machine;
  const folder = homeAbbreviation([homeDir], platform === 'win32')(active);
  return own && new Map([['python', `in ${folder}, the project's is ${own.name}`]]);
}

async function driftIn(place: LockPlace, environment: PythonEnvironment): Promise<Drift | undefined> {
  const installed = await installedPackages(place, environment.sitePackages);
  const isOwn = environment.name !== undefined && (await isMainFile(place));
  const drift: Drift = new Map();
  const interpreter = isOwn && environment.folder ? await interpreterState(place, environment) : undefined;
  if (interpreter !== undefined) drift.set('python', interpreter);
  const leftOut = await leftOutNames(place, environment);
  const names = new Map<string, ReadonlySet<string>>();
  let found = 0;
  for (const [name, version] of Object.entries(place.locked)) {
    const present = installed.get(plainPythonName(name));
    if (present === undefined) continue;
    found += 1;
    if (leftOut.has(plainPythonName(name))) continue;
    if (!/^[\d~<>=!]/.test(version) || version.includes(', ')) continue;
    const wanted = /^\d/.test(version) ? `==${version}` : version;
    if (fitsRequirement(present.version, wanted, 'pypi') === false) drift.set(name, present.version);
    const missingModule = isOwn ? await goneModule(place, present.record, names) : undefined;
    if (missingModule !== undefined && !drift.has(name))
      drift.set(name, `${present.version} without ${missingModule}`);
  }
  if (found === 0 && !isOwn) return undefined;
  // The machine's packages belong to this project only if it has most of them.
  if (environment.folder === undefined && found * 2 < Object.keys(place.locked).length) return undefined;
  const required = await requiredNames(place);
  const missing = Object.keys(place.locked).filter(
    (name) => required.has(plainPythonName(name)) && !installed.has(plainPythonName(name)),
  );
  // An environment elsewhere with few of these packages belongs to another project, or was created without this part.
  if (isOwn || missing.length <= found) for (const name of missing) drift.set(name, '');
  return drift;
}

/** The environment into which pip must install, active or not: `.venv`. */
export async function pythonFolder(place: LockPlace): Promise<string | undefined> {
  return place.machine.platform === 'win32' ? undefined : (await findEnvironment(place))?.name;
}

/**
 * For a file with a virtual environment beside it: whether none of its packages is installed, or why that is unknown.
 */
export async function pythonAbsence(place: LockPlace): Promise<Absence | undefined> {
  if (!(await isMainFile(place))) return undefined;
  const environment = await findEnvironment(place);
  const { paths } = place.files;
  // A package in a folder of a project is often installed with that project.
  const isPart = !place.isTop && /(?:pyproject.toml|Pipfile|\.cfg|\.in)$/.test(place.path);
  if (environment === undefined && isPart) return undefined;
  if (environment === undefined) {
    const isUv = paths.basename(place.path) === 'uv.lock' && !place.machine.env.UV_PROJECT_ENVIRONMENT;
    // uv creates the environment beside the lock file. Other tools create it elsewhere.
    return isUv ? 'nothing' : { unknown: 'it has no virtual environment beside it' };
  }
  if (environment.folder !== undefined)
    return { unknown: 'the active virtual environment has none of its packages' };
  const installed = await installedPackages(place, environment.sitePackages);
  return Object.keys(place.locked).some((name) => installed.has(plainPythonName(name)))
    ? { unknown: 'the Python outside a virtual environment has only some of its packages' }
    : 'nothing';
}

/** Lock files that describe a whole environment, so `requirements.txt` adds nothing. */
const mainLocks = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml', 'requirements.lock'];

const mainManifests = ['requirements.txt', 'requirements.in', 'pyproject.toml', 'Pipfile', 'setup.cfg'];

/** Whether an environment in the same folder is created from this file, unlike `requirements-docs.txt`. */
async function isMainFile(place: LockPlace): Promise<boolean> {
  const name = place.files.paths.basename(place.path);
  return mainLocks.includes(name) || (mainManifests.includes(name) && isAlone(place));
}

/** Whether it has no lock file beside it. */
async function isAlone({ files, at, path }: LockPlace): Promise<boolean> {
  // `requirements.txt` is compiled from `requirements.in`.
  if (path.endsWith('.in') && (await files.isFile(path.replace(/in$/, 'txt')))) return false;
  for (const lock of mainLocks) if (await files.isFile(at(lock))) return false;
  return true;
}

interface InstalledPackage {
  readonly version: string;
  /** The folder `*.dist-info`, absolute. */
  readonly record: string;
}

async function installedPackages({ files }: LockPlace, folders: readonly string[]) {
  const packages = new Map<string, InstalledPackage>();
  for (const folder of folders)
    for (const entry of await files.names(folder)) {
      const [, written, version] = /^(.+?)-([^-]+)(?:-py\d[\d.]*)?\.(?:dist|egg)-info$/.exec(entry) ?? [];
      const name = plainPythonName(written ?? '');
      if (version && !packages.has(name))
        packages.set(name, { version, record: files.paths.join(folder, entry) });
    }
  return packages;
}

/** A missing module of a package whose record still exists; its path relative to the record. */
async function goneModule(
  { machine, files }: LockPlace,
  record: string,
  names: Map<string, ReadonlySet<string>>,
): Promise<string | undefined> {
  const { dirname, join } = files.paths;
  const list = join(record, 'RECORD');
  const modules = await machine.fileCache.of('modules', list, async () => {
    const found = new Set<string>();
    for (const line of ((await files.text(list)) ?? '').split('\n')) {
      // `requests/__init__.py,sha256=…,5072`; for files further down, only the folder.
      const path = line.replace(/^"|[",].*$/gs, '');
      const [top = '', ...rest] = path.split('/');
      if (/\.(?:dist-info|data)$|^(?:\.\.|__pycache__)?$/.test(top)) continue;
      if (rest.length > 1) found.add(top);
      else if (/\.(?:py|so|pyd)$/.test(path)) found.add(path);
    }
    const isPackage = (path: string) => path.endsWith('/__init__.py');
    return [...found].sort((a, b) => Number(isPackage(b)) - Number(isPackage(a))).slice(0, maxModules);
  });
  for (const module of modules ?? []) {
    const [name = '', ...above] = module.split('/').reverse();
    const folder = join(dirname(record), ...above);
    const there = names.get(folder) ?? new Set(await files.names(folder));
    names.set(folder, there);
    if (!there.has(name)) return module;
  }
  return undefined;
}

/** Maximum number of modules checked in one package. */
const maxModules = 400;

/** Lines of a requirements file without comments; no lines for other files. */
async function requirementLines({ machine, path }: LockPlace): Promise<string[]> {
  if (!/\.(?:txt|in|lock)$/.test(path) || /(?:poetry|uv|pdm|Pipfile)\.lock$/.test(path)) return [];
  const text = (await readStateFile(machine, path).catch(() => '')) ?? '';
  return text.split('\n').map((line) => line.replace(/(?:^|\s)#.*$/s, '').trim());
}

/** Packages whose markers leave out all their requirements here: they are installed because another package needs them. */
async function leftOutNames(place: LockPlace, { pythonVersion }: PythonEnvironment) {
  const { platform } = place.machine;
  const skipped = new Set<string>();
  const required = new Set<string>();
  for (const line of await requirementLines(place)) {
    const name = /^[A-Za-z0-9][\w.-]*/.exec(line)?.[0];
    const at = line.indexOf(';');
    // The text after a marker: options of the requirement, or a continued line.
    const marker = at < 0 ? undefined : line.slice(at + 1).split(/\s--|\\/, 1)[0];
    if (name === undefined) continue;
    const isLeft = marker !== undefined && leavesOut(marker, { pythonVersion, platform });
    (isLeft ? skipped : required).add(plainPythonName(name));
  }
  for (const name of required) skipped.delete(name);
  return skipped;
}

/** Packages that belong in every environment of this file: required by name, without a marker that may leave them out. */
async function requiredNames(place: LockPlace): Promise<Set<string>> {
  const { machine, files, path } = place;
  const names = new Set<string>();
  const base = files.paths.basename(path);
  // Constraints only give the version of what is installed.
  if (/^constraints/i.test(base)) return names;
  if (base === 'Pipfile.lock') {
    const section = (await readJsonObject(machine, path))?.default;
    for (const [name, entry] of Object.entries(recordOf(section)))
      if (isPlainObject(entry) && entry.markers === undefined) names.add(plainPythonName(name));
    return names;
  }
  const requirements = /\.(?:txt|in)$/.test(base)
    ? await requirementLines(place)
    : await projectRequirements(place, base === 'Pipfile' ? base : 'pyproject.toml');
  for (const line of requirements) {
    const name = /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=<>!~(@]|$)/.exec(line)?.[1];
    if (name !== undefined && !line.includes(';')) names.add(plainPythonName(name));
  }
  return names;
}

async function projectRequirements({ machine, at }: LockPlace, file: string): Promise<string[]> {
  try {
    const { parseToml } = await import('../dependencies/text/toml.ts');
    const manifest = parseToml(await readStateFile(machine, at(file)));
    const tables = [
      ...entriesOf(field(field(manifest, 'tool'), 'poetry'), 'dependencies'),
      ...entriesOf(manifest, 'packages'),
    ];
    const unconditional = tables.filter(
      ([name, value]) =>
        name !== 'python' &&
        !Array.isArray(value) &&
        conditions.every((each) => field(value, each) === undefined),
    );
    const listed = textItemsOf(field(field(manifest, 'project'), 'dependencies'));
    return [...listed, ...unconditional.map(([name]) => name)];
  } catch {
    return [];
  }
}

/** Conditions that leave a package out of some environments. */
const conditions = ['optional', 'markers', 'python', 'platform', 'sys_platform', 'os_name'];

/** Names in environment markers of requirements (PEP 508), as far as needed to decide that a marker does not apply here. */
interface MarkerEnvironment {
  /** `3.12`; empty if it is not known. */
  readonly pythonVersion: string;
  /** Node.js's name of the platform. */
  readonly platform: NodeJS.Platform;
}

const platforms: Partial<Record<NodeJS.Platform, Readonly<Record<string, string>>>> = {
  linux: { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix' },
  darwin: { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix' },
  win32: { sys_platform: 'win32', platform_system: 'Windows', os_name: 'nt' },
};

const comparison = /^(\w+)\s*(==|!=|<=|>=|<|>)\s*(['"])([^'"]*)\3$/;
/** Longest marker that is evaluated, in characters. */
const maxMarker = 1000;

/** Whether a marker leaves its requirement out. Understands only comparisons joined by `and`; false for everything else. */
function leavesOut(marker: string, environment: MarkerEnvironment): boolean {
  if (marker.length > maxMarker || /\bor\b/.test(marker)) return false;
  return marker
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .split(/\band\b/)
    .some((part) => isFalse(part.trim(), environment));
}

function isFalse(part: string, { pythonVersion, platform }: MarkerEnvironment): boolean {
  const [, name = '', operator = '', , wanted = ''] = comparison.exec(part) ?? [];
  if (name === 'python_version')
    return pythonVersion !== '' && fitsRequirement(pythonVersion, `${operator}${wanted}`, 'pypi') === false;
  const actual = platforms[platform]?.[name];
  if (actual === undefined) return false;
  if (operator === '==') return actual !== wanted;
  return operator === '!=' && actual === wanted;
}
