// Configuration of npm, pnpm, Yarn and Bun in effect for the captured folder, read from their files.

import { addressOf } from '../addresses.ts';
import { configPlaces } from '../config-places.ts';
import type { FactReaders } from '../fact-reader.ts';
import { contentLines, type FactReading, type FactSources, once, setOf } from '../fact-reader.ts';
import { parseIni } from '../ini.ts';
import { at, flagOf, readToml, readYaml, textOf } from './config-files.ts';

type NodeFacts = Extract<keyof FactReaders<'tools'>, `${'npm' | 'pnpm' | 'yarn' | 'bun'}.${string}`>;

export function nodeToolReaders(sources: FactSources): Pick<FactReaders<'tools'>, NodeFacts> {
  const npm = once(() => readNpmrc(sources));
  const workspace = once(() => pnpmWorkspace(sources));
  const yarn = once(() => readYarnrc(sources));
  const bun = once(() => readBun(sources));

  /** An npmrc setting; pnpm's workspace file wins, under its own spelling (`nodeLinker`). */
  const value = async (name: string): Promise<string | undefined> => {
    const camelCase = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return textOf((await workspace()).get(camelCase)) ?? (await npm()).get(name);
  };
  const text = (name: string) => async (): Promise<FactReading> => (await value(name)) || undefined;
  const flag = (name: string) => async (): Promise<FactReading> => flagOf(await value(name));

  return {
    'npm.registry': async () => {
      const registry = await value('registry');
      return registry && unlessDefault(addressOf(registry), 'registry.npmjs.org');
    },
    'npm.scopedRegistries': async () =>
      setOf(
        [...(await npm())].flatMap(([name, address]) => {
          const scope = /^(@[^:]+):registry$/.exec(name)?.[1];
          return scope ? [`${scope} ${addressOf(address)}`] : [];
        }),
      ),
    'npm.engineStrict': flag('engine-strict'),
    'npm.ignoreScripts': flag('ignore-scripts'),
    'npm.legacyPeerDeps': flag('legacy-peer-deps'),
    'npm.strictSsl': flag('strict-ssl'),
    'npm.omit': async () => {
      const kinds = new Set(((await value('omit')) ?? '').split(/[\s,]+/).filter(Boolean));
      if ((await value('production')) === 'true') kinds.add('dev');
      if ((await value('optional')) === 'false') kinds.add('optional');
      return setOf(kinds);
    },
    'npm.before': async () =>
      (await value('before')) ?? (await value('min-release-age')) ?? (await value('minimum-release-age')),
    'npm.nodeOptions': text('node-options'),
    'npm.scriptShell': async () => {
      const shell = await value('script-shell');
      return shell ? shell.replace(/^.*[\\/]/, '') : undefined;
    },
    'npm.prefix': text('prefix'),
    'npm.installStrategy': text('install-strategy'),
    'pnpm.nodeLinker': text('node-linker'),
    'pnpm.hoisting': async () => {
      const settings = ['shamefully-hoist', 'hoist', 'hoist-pattern', 'public-hoist-pattern'];
      const set = await Promise.all(settings.map(async (name) => [name, await value(name)] as const));
      return setOf(set.flatMap(([name, setting]) => (setting ? [`${name}=${setting}`] : [])));
    },
    'pnpm.strictPeerDependencies': flag('strict-peer-dependencies'),
    'yarn.registry': async () => {
      const registry = (await yarn()).get('npmRegistryServer') ?? (await yarn()).get('registry');
      return registry && unlessDefault(addressOf(registry), 'registry.yarnpkg.com');
    },
    'yarn.nodeLinker': async () => (await yarn()).get('nodeLinker'),
    'yarn.enableScripts': async () => flagOf((await yarn()).get('enableScripts')),
    'bun.registry': async () => {
      const registry = await bun();
      return registry && unlessDefault(addressOf(registry), 'registry.npmjs.org');
    },
  };
}

/** A default that is written out is not a setting. */
function unlessDefault(address: string, preset: string): string | undefined {
  return address === preset ? undefined : address;
}

/** Settings of all npmrc files, the nearest last. `${NAME}` is left as it stands: variables are captured as such. */
async function readNpmrc(sources: FactSources): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const file of await configPlaces(sources).npm()) {
    const lists = new Map<string, string[]>();
    for (const { section, name, value } of parseIni(await sources.machine.files.text(file))) {
      if (section !== '' || /_auth|token|password|username|email|certfile|keyfile/i.test(name)) continue;
      const list = /^(.+)\[\]$/.exec(name)?.[1];
      if (list === undefined) settings.set(name, value);
      else {
        const known = lists.get(list);
        if (known) known.push(value);
        else lists.set(list, [value]);
      }
    }
    for (const [name, values] of lists) settings.set(name, values.join(','));
  }
  return settings;
}

async function pnpmWorkspace({ machine, folder }: FactSources): Promise<ReadonlyMap<unknown, unknown>> {
  for (const above of machine.files.upward(folder)) {
    const file = machine.files.paths.join(above, 'pnpm-workspace.yaml');
    if (await machine.files.isFile(file)) return readYaml(machine.files, file);
  }
  return new Map();
}

/** `.yarnrc.yml` of Yarn 2 and later, `.yarnrc` of Yarn 1; the nearest file wins. */
async function readYarnrc(sources: FactSources): Promise<Map<string, string>> {
  const { machine } = sources;
  const places = configPlaces(sources);
  const settings = new Map<string, string>();
  for (const folder of new Set([places.home(), ...places.above])) {
    for (const line of contentLines(await machine.files.text(machine.files.paths.join(folder, '.yarnrc')))) {
      const [, name, quoted, plain] = /^([\w.-]+)\s+(?:"([^"]*)"?|([^\s"][^"]*)"?)$/.exec(line) ?? [];
      const value = quoted ?? plain;
      if (name && value && !name.startsWith('-')) settings.set(name, value);
    }
    for (const [name, value] of await readYaml(
      machine.files,
      machine.files.paths.join(folder, '.yarnrc.yml'),
    ))
      if (typeof name === 'string' && typeof value === 'string') settings.set(name, value);
  }
  return settings;
}

async function readBun(sources: FactSources): Promise<string | undefined> {
  const { machine, folder } = sources;
  const places = configPlaces(sources);
  const candidates = [
    places.home('.bunfig.toml'),
    machine.files.paths.join(places.userConfig, '.bunfig.toml'),
  ];
  let registry: string | undefined;
  for (const file of [...candidates, machine.files.paths.join(folder, 'bunfig.toml')]) {
    const setting = at(await readToml(machine.files, file), 'install', 'registry');
    registry = textOf(setting) ?? textOf(at(setting, 'url')) ?? registry;
  }
  return registry;
}
