// Python environments: the names of `*.dist-info` folders tell packages and versions.
// https://packaging.python.org/en/latest/specifications/recording-installed-packages/

import { fitsRequirement } from '@envsnap/versions';
import { isObject } from '../dependencies/json.ts';
import { type Drift, type LockPlace, readJsonObject, readStateFile } from './drift.ts';

export async function pythonDrift(place: LockPlace): Promise<Drift | undefined> {
  const sitePackages = await findSitePackages(place);
  if (sitePackages === undefined) return undefined;
  const installed = await installedPackages(place, sitePackages);
  const drift = new Map<string, string>();
  let found = 0;
  for (const [name, version] of Object.entries(place.locked)) {
    const present = installed.get(normalized(name));
    if (present === undefined) continue;
    found += 1;
    if (!/^\d/.test(version) || version.includes(', ')) continue;
    if (fitsRequirement(present, `==${version}`, 'pypi') === false) drift.set(name, present);
  }
  if (found === 0) return undefined;
  const required = await requiredNames(place);
  const missing = Object.keys(place.locked).filter(
    (name) => required.has(normalized(name)) && !installed.has(normalized(name)),
  );
  // An environment with little of this file is another project's, or was made without this part.
  if (missing.length <= found) for (const name of missing) drift.set(name, '');
  return drift;
}

/** PEP 503. */
function normalized(name: string): string {
  return name
    .toLowerCase()
    .replace(/\[.*$/, '')
    .replace(/[-_.]+/g, '-');
}

/** The virtual environment beside the lock file, else the active one for the captured folder itself. */
async function findSitePackages({ machine, root, isTop }: LockPlace): Promise<string | undefined> {
  const { join } = machine.files.paths;
  const beside = ['.venv', 'venv', 'env', '.env'].map((name) => join(root, name));
  const active = isTop && machine.env.VIRTUAL_ENV ? [machine.env.VIRTUAL_ENV] : [];
  for (const folder of [...beside, ...active]) {
    if (!(await machine.files.isFile(join(folder, 'pyvenv.cfg')))) continue;
    if (machine.platform === 'win32') return join(folder, 'Lib', 'site-packages');
    const version = (await machine.files.names(join(folder, 'lib'))).find((name) =>
      /^(?:python|pypy)\d/.test(name),
    );
    if (version !== undefined) return join(folder, 'lib', version, 'site-packages');
  }
  return undefined;
}

async function installedPackages({ machine }: LockPlace, folder: string): Promise<Map<string, string>> {
  const packages = new Map<string, string>();
  for (const name of await machine.files.names(folder)) {
    const match = /^(.+?)-([^-]+)(?:-py\d[\d.]*)?\.(?:dist|egg)-info$/.exec(name);
    if (match) packages.set(normalized(match[1] as string), match[2] as string);
  }
  return packages;
}

/** Packages that belong into every environment of this file: required by name, without a marker that may leave them out. */
async function requiredNames(place: LockPlace): Promise<Set<string>> {
  const { machine, path, root } = place;
  const names = new Set<string>();
  const base = machine.files.paths.basename(path);
  // Constraints say which version, if any.
  if (/^constraints/i.test(base)) return names;
  if (base === 'Pipfile.lock') {
    const section = (await readJsonObject(machine, path))?.default;
    for (const [name, entry] of Object.entries(isObject(section) ? section : {}))
      if (isObject(entry) && entry.markers === undefined) names.add(normalized(name));
    return names;
  }
  const requirements = /\.txt$/.test(base)
    ? ((await readStateFile(machine, path).catch(() => '')) ?? '').split('\n')
    : await projectRequirements(place, machine.files.paths.join(root, 'pyproject.toml'));
  for (const line of requirements) {
    const name = /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=<>!~(@]|$)/.exec(line.trim())?.[1];
    if (name !== undefined && !line.replace(/#.*$/, '').includes(';')) names.add(normalized(name));
  }
  return names;
}

async function projectRequirements({ machine }: LockPlace, path: string): Promise<string[]> {
  try {
    const { parseToml } = await import('../dependencies/toml.ts');
    const { project, tool } = parseToml(await readStateFile(machine, path)) as {
      project?: { dependencies?: unknown };
      tool?: { poetry?: { dependencies?: Record<string, unknown> } };
    };
    const listed = Array.isArray(project?.dependencies) ? project.dependencies : [];
    const ofPoetry = Object.entries(tool?.poetry?.dependencies ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'python' ? [name] : [],
    );
    return [...listed.filter((item): item is string => typeof item === 'string'), ...ofPoetry];
  } catch {
    return [];
  }
}
