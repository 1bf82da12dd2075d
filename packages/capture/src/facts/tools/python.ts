// Configuration of pip, uv and conda, and whether pip may install into the system's Python.

import { itemsOf } from '@envsnap/shared/plain-object';
import { environmentBeside, versionOf } from '../../installed/python-environment.ts';
import { addressOf } from '../addresses.ts';
import { at, readToml, readYaml, textOf, textsOf } from '../config-files.ts';
import { configPlaces } from '../config-places.ts';
import {
  contentLines,
  type FactReaders,
  type FactReading,
  type FactSources,
  once,
  setOf,
  unlessEmpty,
} from '../fact-reader.ts';
import type { FactContext } from '../tool-settings.ts';

export function pythonToolReaders(sources: FactContext): FactReaders {
  const conda = once(() => readConda(sources));
  const environment = once(() => readEnvironment(sources));

  return {
    'python.externallyManaged': () => externallyManaged(sources),
    'python.environment': async () => (await environment())?.version,
    'python.systemPackages': async () => (await environment())?.systemPackages,
    'python.addedFolders': async () => setOf((await environment())?.addedFolders ?? []),
    'python.customize': async () => setOf(await customizingModules(sources)),
    'python.userPackages': async () => setOf(await userPackages(sources)),
    'uv.index': () => uvIndex(sources),
    'conda.channels': async () => unlessEmpty((await conda()).channels),
    'conda.channelPriority': async () => (await conda()).priority,
  };
}

/** PEP 668: the marker file is in the standard library's folder, and the name of the real program has the version. */
async function externallyManaged({ machine, locator }: FactSources): Promise<FactReading> {
  const python = await locator.locate('python3');
  if (python.kind !== 'found') return undefined;
  const { paths } = machine.files;
  const prefix = paths.dirname(paths.dirname(python.realPath));
  const name = /^python(3\.\d+)/.exec(paths.basename(python.realPath))?.[1];
  if (name === undefined) return undefined;
  return machine.files.isFile(paths.join(prefix, 'lib', `python${name}`, 'EXTERNALLY-MANAGED'));
}

async function uvIndex(sources: FactSources): Promise<FactReading> {
  const { env, files, homeDir, platform } = sources.machine;
  const { join } = files.paths;
  const user = env.XDG_CONFIG_HOME || join(homeDir, '.config');
  const config = platform === 'win32' ? configPlaces(sources).userConfig : user;
  let index: string | undefined;
  for (const file of ['/etc/uv/uv.toml', join(config, 'uv', 'uv.toml')]) {
    const settings = await readToml(files, file);
    const preset = itemsOf(settings, 'index').find((each) => at(each, 'default') === true);
    index =
      textOf(at(preset, 'url')) ??
      textOf(at(settings, 'index-url')) ??
      textOf(at(settings, 'pip', 'index-url')) ??
      index;
  }
  const address = index && addressOf(index);
  return address === 'pypi.org/simple' ? undefined : address;
}

async function readConda({ machine, locator }: FactSources) {
  const { dirname, join } = machine.files.paths;
  const conda = await locator.locate('conda');
  const shared =
    machine.platform === 'win32'
      ? ['C:\\ProgramData\\conda\\.condarc']
      : ['/etc/conda/.condarc', '/etc/conda/condarc'];
  const candidates = [
    ...shared,
    ...(conda.kind === 'found' ? [join(dirname(dirname(conda.realPath)), '.condarc')] : []),
    ...[join('.config', 'conda'), '.conda', ''].map((folder) => join(machine.homeDir, folder, '.condarc')),
  ];
  let channels: string[] = [];
  let priority: string | undefined;
  for (const file of candidates) {
    const settings = await readYaml(machine.files, file);
    // A later file's channels come before those of earlier ones, each once.
    const listed = textsOf(settings.get('channels')).map((name) =>
      name.includes('://') ? addressOf(name) : name,
    );
    channels = [...new Set([...listed, ...channels])];
    priority = textOf(settings.get('channel_priority')) ?? priority;
  }
  return { channels, priority };
}

/** Maximum number of .pth files that are read, and those that setuptools and virtualenv create in every environment. */
const maxLinks = 100;
const ofTools = /^(?:distutils-precedence|_virtualenv)\.pth$/;

/** Facts of the captured folder's virtual environment; undefined without one. */
async function readEnvironment({ machine, folder }: FactSources) {
  const { files } = machine;
  const environment = await environmentBeside({ machine, root: folder });
  const [site] = environment?.sitePackages ?? [];
  if (environment === undefined || site === undefined) return undefined;
  const links = (await files.names(site)).filter((each) => each.endsWith('.pth') && !ofTools.test(each));
  const texts = links.slice(0, maxLinks).map((link) => files.text(files.paths.join(site, link)));
  const lines = (await Promise.all(texts)).flatMap(contentLines);
  return {
    version: versionOf(environment),
    systemPackages: environment.config.get('include-system-site-packages')?.toLowerCase() === 'true',
    // Lines that begin with “import” are code that runs at every start.
    addedFolders: lines.map((line) => (/^import\s/.test(line) ? 'code' : line)),
  };
}

/** `sitecustomize (/usr/local/lib/python3.12/site-packages)`. Debian's own is left out, because it does nothing. */
async function customizingModules({ machine, folder }: FactSources): Promise<string[]> {
  const { env, files, homeDir } = machine;
  const { delimiter, join } = files.paths;
  const places = (env.PYTHONPATH ?? '').split(delimiter).filter((each) => each.startsWith('/'));
  const homes = [join(homeDir, '.local'), '/usr/local', join(folder, '.venv'), join(folder, 'venv')];
  for (const home of homes.map((each) => join(each, 'lib')))
    for (const name of (await files.names(home)).filter((each) => each.startsWith('python3')))
      places.push(...['site-packages', 'dist-packages', ''].map((inner) => join(home, name, inner)));
  const found: string[] = [];
  for (const place of places)
    for (const module of ['sitecustomize', 'usercustomize'])
      if (await files.isFile(join(place, `${module}.py`))) found.push(`${module} (${place})`);
  return found;
}

/** Maximum number of packages that are named. */
const maxUserPackages = 300;

async function userPackages({ machine: { files, homeDir } }: FactSources): Promise<string[]> {
  const { join } = files.paths;
  const base = join(homeDir, '.local', 'lib');
  const found: string[] = [];
  for (const python of (await files.names(base)).filter((name) => name.startsWith('python3')))
    for (const name of await files.names(join(base, python, 'site-packages'))) {
      const [, dist, version] = /^([^-]+)-([^-]+)\.dist-info$/.exec(name) ?? [];
      if (dist !== undefined) found.push(`${dist.toLowerCase()} ${version}`);
    }
  return found.slice(0, maxUserPackages);
}
