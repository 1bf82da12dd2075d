// Configuration of pip, uv and conda, and whether the system's Python lets itself be installed into.

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
    'conda.channels': async () => {
      const channels = (await conda()).channels;
      return channels.length > 0 ? channels : undefined;
    },
    'conda.channelPriority': async () => (await conda()).priority,
  };
}

/** PEP 668: the marker stands in the standard library's folder, and the real program's name shows the version. */
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
  const { machine } = sources;
  const { paths } = machine.files;
  const user = machine.env.XDG_CONFIG_HOME || paths.join(machine.homeDir, '.config');
  const places = machine.platform === 'win32' ? configPlaces(sources).userConfig : user;
  let index: string | undefined;
  for (const file of ['/etc/uv/uv.toml', paths.join(places, 'uv', 'uv.toml')]) {
    const settings = await readToml(machine.files, file);
    const listed = at(settings, 'index');
    const preset = Array.isArray(listed)
      ? listed.find((each: unknown) => at(each, 'default') === true)
      : undefined;
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
  const { paths } = machine.files;
  const conda = await locator.locate('conda');
  const prefix = conda.kind === 'found' ? paths.dirname(paths.dirname(conda.realPath)) : undefined;
  const candidates = [
    ...(machine.platform === 'win32'
      ? ['C:\\ProgramData\\conda\\.condarc']
      : ['/etc/conda/.condarc', '/etc/conda/condarc']),
    ...(prefix ? [paths.join(prefix, '.condarc')] : []),
    paths.join(machine.homeDir, '.config', 'conda', '.condarc'),
    paths.join(machine.homeDir, '.conda', '.condarc'),
    paths.join(machine.homeDir, '.condarc'),
  ];
  let channels: string[] = [];
  let priority: string | undefined;
  for (const file of candidates) {
    const settings = await readYaml(machine.files, file);
    // A later file's channels come before those of earlier ones, each once.
    const listed = textsOf(settings.get('channels')).map((name) =>
      /:\/\//.test(name) ? addressOf(name) : name,
    );
    channels = [...new Set([...listed, ...channels])];
    priority = textOf(settings.get('channel_priority')) ?? priority;
  }
  return { channels, priority };
}

/** Links that are read, and those that setuptools and virtualenv leave in the environments that they make. */
const maxLinks = 100;
const ofTools = /^(?:distutils-precedence|_virtualenv)\.pth$/;

/** What the virtual environment of the captured folder adds; undefined without one. */
async function readEnvironment({ machine, folder }: FactSources) {
  const { files } = machine;
  const environment = await environmentBeside({ machine, root: folder });
  const [site] = environment?.sitePackages ?? [];
  if (environment === undefined || site === undefined) return undefined;
  const links = (await files.names(site)).filter((each) => each.endsWith('.pth') && !ofTools.test(each));
  const lines = await Promise.all(
    links
      .slice(0, maxLinks)
      .map(async (link) => contentLines(await files.text(files.paths.join(site, link)))),
  );
  return {
    version: versionOf(environment),
    systemPackages: environment.config.get('include-system-site-packages')?.toLowerCase() === 'true',
    // Lines that begin with “import” are code, which runs at every start.
    addedFolders: lines.flat().map((line) => (/^import\s/.test(line) ? 'code' : line)),
  };
}

/** `sitecustomize (/usr/local/lib/python3.12/site-packages)`: but that of Debian, which does nothing by itself. */
async function customizingModules({ machine, folder }: FactSources): Promise<string[]> {
  const { files } = machine;
  const { join } = files.paths;
  const found: string[] = [];
  const given = (machine.env.PYTHONPATH ?? '')
    .split(files.paths.delimiter)
    .filter((each) => each.startsWith('/'));
  const homes = [
    join(machine.homeDir, '.local', 'lib'),
    '/usr/local/lib',
    join(folder, '.venv', 'lib'),
    join(folder, 'venv', 'lib'),
  ];
  const below = await Promise.all(
    homes.map(async (home) =>
      (await files.names(home))
        .filter((name) => /^python3/.test(name))
        .flatMap((name) => [
          join(home, name, 'site-packages'),
          join(home, name, 'dist-packages'),
          join(home, name),
        ]),
    ),
  );
  for (const place of [...given, ...below.flat()])
    for (const module of ['sitecustomize', 'usercustomize'])
      if (await files.isFile(join(place, `${module}.py`))) found.push(`${module} (${place})`);
  return found;
}

/** Most packages that are named. */
const maxUserPackages = 300;

async function userPackages({ machine }: FactSources): Promise<string[]> {
  const { files } = machine;
  const base = files.paths.join(machine.homeDir, '.local', 'lib');
  const found: string[] = [];
  for (const python of (await files.names(base)).filter((name) => /^python3/.test(name)))
    for (const name of await files.names(files.paths.join(base, python, 'site-packages'))) {
      const [, dist, version] = /^([^-]+)-([^-]+)\.dist-info$/.exec(name) ?? [];
      if (dist !== undefined && found.length < maxUserPackages)
        found.push(`${dist.toLowerCase()} ${version}`);
    }
  return found;
}
