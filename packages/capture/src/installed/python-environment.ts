// The Python environment in which a folder's programs run: the active one, the one beside the lock file, or that of the machine.
// https://packaging.python.org/en/latest/specifications/virtual-environments/

import { createHash } from 'node:crypto';
import { parseIni } from '../facts/ini.ts';
import { homeAbbreviation } from '../system/home-path.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { LockPlace } from './drift.ts';

export interface PythonEnvironment {
  /** Folders from which packages are imported; the first one wins. */
  readonly sitePackages: readonly string[];
  /** The environment; undefined for an interpreter without one. */
  readonly folder?: string;
  /** Its name if it is the project's: `.venv`, or the path to one that a manager made elsewhere. */
  readonly name?: string;
  /** `3.12`; empty if its folder does not show it. */
  readonly pythonVersion: string;
  /** Settings of `pyvenv.cfg`; empty if it is not a virtual environment. */
  readonly config: ReadonlyMap<string, string>;
}

/** Usual names of a project's virtual environment. */
export const environmentNames: readonly string[] = ['.venv', 'venv', 'env', '.env'];

/**
 * Only the captured folder itself can have an active environment or use the machine's Python. Programs run in the active
 * environment, so it comes before the one beside the lock file.
 */
export async function findEnvironment(place: LockPlace): Promise<PythonEnvironment | undefined> {
  const { machine, root, isTop } = place;
  const { VIRTUAL_ENV, CONDA_PREFIX, CONDA_DEFAULT_ENV } = machine.env;
  const active = isTop && VIRTUAL_ENV ? await environmentIn(place, VIRTUAL_ENV) : undefined;
  if (active) return active;
  const conda = isTop && CONDA_PREFIX ? await environmentIn(place, CONDA_PREFIX) : undefined;
  // Conda activates its base environment in every shell, so the project did not choose it.
  if (conda && CONDA_DEFAULT_ENV !== 'base') return conda;
  const beside = (await environmentBeside({ machine, root })) ?? (await managedEnvironment(place)) ?? conda;
  return beside ?? (isTop ? interpreterEnvironment(place) : undefined);
}

type Beside = Pick<LockPlace, 'machine' | 'root'>;

export async function environmentBeside({ machine, root }: Beside): Promise<PythonEnvironment | undefined> {
  for (const name of environmentNames) {
    const found = await environmentIn({ machine, root }, machine.files.paths.join(root, name));
    if (found) return found;
  }
  return undefined;
}

/** The environment that Poetry or Pipenv made elsewhere; its name ends in a digest of the project's path. */
async function managedEnvironment({ machine, files, root, path }: LockPlace) {
  const { basename, join } = files.paths;
  const { env, homeDir } = machine;
  const isPipenv = basename(path).startsWith('Pipfile');
  if (!isPipenv && !/^(?:poetry\.lock|pyproject\.toml)$/.test(basename(path))) return undefined;
  const folders = isPipenv
    ? [env.WORKON_HOME, join(env.XDG_DATA_HOME || join(homeDir, '.local', 'share'), 'virtualenvs')]
    : [
        env.POETRY_VIRTUALENVS_PATH,
        join(
          env.POETRY_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homeDir, '.cache'), 'pypoetry'),
          'virtualenvs',
        ),
        join(homeDir, 'Library', 'Caches', 'pypoetry', 'virtualenvs'),
      ];
  const digest = createHash('sha256')
    .update(isPipenv ? join(root, 'Pipfile') : root)
    .digest('base64url');
  for (const folder of folders) {
    const names = folder
      ? (await files.names(folder)).filter((name) => name.includes(`-${digest.slice(0, 8)}`))
      : [];
    // Poetry has one for each version of Python, and remembers which it uses only if somebody chose one.
    if (!folder || names.length !== 1) continue;
    const found = await environmentIn({ machine, root }, join(folder, names[0] ?? ''));
    if (found)
      return {
        ...found,
        name: homeAbbreviation([homeDir], machine.platform === 'win32')(join(folder, names[0] ?? '')),
      };
  }
  return undefined;
}

/** Reads `pyvenv.cfg`, which every environment has except conda's. */
async function environmentIn(
  { machine, root }: Beside,
  folder: string,
): Promise<PythonEnvironment | undefined> {
  const { files } = machine;
  const { basename, dirname, join } = files.paths;
  const text = await files.text(join(folder, 'pyvenv.cfg'));
  if (text === undefined && !(await files.isFolder(join(folder, 'conda-meta')))) return undefined;
  const config = new Map(parseIni(text).map(({ name, value }) => [name.toLowerCase(), value]));
  const isBeside = (await files.realPath(dirname(folder))) === (await files.realPath(root));
  const known = { folder, config, ...(isBeside && { name: basename(folder) }) };
  if (machine.platform === 'win32')
    return { ...known, sitePackages: [join(folder, 'Lib', 'site-packages')], pythonVersion: '' };
  const library = (await files.names(join(folder, 'lib'))).find((each) => /^(?:python|pypy)\d/.test(each));
  if (library === undefined) return undefined;
  const pythonVersion = /^python(\d+\.\d+)/.exec(library)?.[1] ?? '';
  const home = config.get('home');
  const isOpen = config.get('include-system-site-packages')?.toLowerCase() === 'true';
  const shared = isOpen && home ? sharedFolders(machine, dirname(home), pythonVersion) : [];
  return {
    ...known,
    sitePackages: [join(folder, 'lib', library, 'site-packages'), ...shared],
    pythonVersion,
  };
}

/** The folders from which a Python outside an environment imports packages. */
function sharedFolders({ homeDir, files }: CapturedMachine, prefix: string, version: string): string[] {
  const { join } = files.paths;
  const name = `python${version}`;
  return [
    join(homeDir, '.local', 'lib', name, 'site-packages'),
    join('/usr/local/lib', name, 'dist-packages'),
    join(prefix, 'lib', name, 'site-packages'),
    join(prefix, 'lib', 'python3', 'dist-packages'),
  ];
}

/** The packages that `python3` would import. Only for requirements, because other managers install into environments. */
async function interpreterEnvironment(place: LockPlace): Promise<PythonEnvironment | undefined> {
  const { machine, files, path, locator } = place;
  const { basename, dirname } = files.paths;
  if (machine.platform === 'win32' || !/^requirements[\w.-]*\.(?:txt|in|lock)$/.test(basename(path)))
    return undefined;
  const python = await locator?.locate('python3');
  const real = python?.kind === 'found' ? python.realPath : '';
  const pythonVersion = /^python(3\.\d+)$/.exec(basename(real))?.[1];
  if (pythonVersion === undefined) return undefined;
  const sitePackages = sharedFolders(machine, dirname(dirname(real)), pythonVersion);
  return { sitePackages, pythonVersion, config: new Map() };
}

/** The version of Python for which a virtual environment was created. */
export function versionOf({ config }: Pick<PythonEnvironment, 'config'>): string | undefined {
  return config.get('version') ?? config.get('version_info');
}

/** The problem with an environment's interpreter; empty if it is missing, undefined if it works. */
export async function interpreterState(
  { machine, files }: LockPlace,
  { folder = '', pythonVersion, config }: PythonEnvironment,
): Promise<string | undefined> {
  const { basename, join } = files.paths;
  const program = machine.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python';
  const real = await files.realPath(join(folder, program));
  if (real === undefined) return '';
  const home = config.get('home');
  if (home && !(await files.isFolder(home))) return 'of an installation that is gone';
  const made = /^\d+\.\d+/.exec(versionOf({ config }) ?? '')?.[0] ?? pythonVersion;
  const now = /^python(\d+\.\d+)(?:\.exe)?$/.exec(basename(real))?.[1] ?? pythonVersion;
  const other = [now, pythonVersion].find((each) => each !== '' && made !== '' && each !== made);
  if (other !== undefined) return `${other} in an environment made for ${made}`;
  // Programs of an environment name their interpreter by its path.
  const pip = (await files.text(join(folder, 'bin', 'pip'))) ?? '';
  const named = /^#!(\/\S+)\n/.exec(pip)?.[1];
  const isThere = named === undefined || (await files.isFile(named));
  return isThere ? undefined : 'in an environment that was made in another folder';
}
