// Settings of tools by name, as each tool finds them for the captured folder. Each file is read once.

import type { SettingsTool } from '@envsnap/shared/catalogue/facts/origin';
import { lastValues, readGitSettings } from '../project/git/config.ts';
import { readYaml } from './config-files.ts';
import { configPlaces } from './config-places.ts';
import { contentLines, type FactSources, fieldsOf, once } from './fact-reader.ts';
import { parseIni } from './ini.ts';

type Settings = ReadonlyMap<string, string>;

/** Names as the tool has them. */
interface ToolSettings {
  all(of: SettingsTool): Promise<Settings>;
  get(of: SettingsTool, name: string): Promise<string | undefined>;
}

/** Input of the readers. They run only on the systems that the rows of their facts name. */
export interface FactContext extends FactSources {
  readonly settings: ToolSettings;
}

export function createToolSettings(sources: FactSources): ToolSettings {
  const readers: Readonly<Record<SettingsTool, () => Promise<Settings>>> = {
    git: once(async () => lastValues(await readGitSettings(sources.machine, sources.folder))),
    npm: once(() => readNpmrc(sources)),
    yarn: once(() => readYarnrc(sources)),
    pip: once(() => readPip(sources)),
    go: once(() => readGoEnv(sources)),
    gradle: once(() => readGradle(sources)),
    bundler: once(() => readBundler(sources)),
  };
  const workspace = once(() => pnpmWorkspace(sources));
  const all = (of: SettingsTool): Promise<Settings> => readers[of]();
  return {
    all,
    async get(of, name) {
      const own = (await all(of)).get(name);
      if (of !== 'npm') return own;
      // pnpm's workspace file wins; it spells the names differently.
      const camelCase = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return (await workspace()).get(camelCase) || own;
    },
  };
}

/** All npmrc files, the nearest last. `${NAME}` is not replaced, because variables are captured separately. */
async function readNpmrc(sources: FactSources): Promise<Settings> {
  const settings = new Map<string, string>();
  for (const file of await configPlaces(sources).npm()) {
    const lists = new Set<string>();
    for (const { section, name, value } of parseIni(await sources.machine.files.text(file))) {
      if (section !== '' || /_auth|token|password|username|email|certfile|keyfile/i.test(name)) continue;
      const list = /^(.+)\[\]$/.exec(name)?.[1];
      if (list === undefined) settings.set(name, value);
      else settings.set(list, lists.has(list) ? `${settings.get(list)},${value}` : value);
      if (list !== undefined) lists.add(list);
    }
  }
  return settings;
}

async function pnpmWorkspace({ machine: { files }, folder }: FactSources): Promise<Settings> {
  const file = await files.nearest(folder, 'pnpm-workspace.yaml');
  return file === undefined ? new Map() : textSettings(await readYaml(files, file));
}

/** `.yarnrc.yml` of Yarn 2 and later, `.yarnrc` of Yarn 1; the nearest file wins. */
async function readYarnrc(sources: FactSources): Promise<Settings> {
  const { files } = sources.machine;
  const places = configPlaces(sources);
  const settings = new Map<string, string>();
  for (const folder of new Set([places.home(), ...places.above])) {
    for (const line of contentLines(await files.text(files.paths.join(folder, '.yarnrc')))) {
      const [, name, quoted, plain] = /^([\w.-]+)\s+(?:"([^"]*)"?|([^\s"][^"]*)"?)$/.exec(line) ?? [];
      const value = quoted ?? plain;
      if (name && value && !name.startsWith('-')) settings.set(name, value);
    }
    const later = textSettings(await readYaml(files, files.paths.join(folder, '.yarnrc.yml')));
    for (const [name, value] of later) settings.set(name, value);
  }
  return settings;
}

/** `[global]` under `[install]`, as `pip install` takes them. */
async function readPip(sources: FactSources): Promise<Settings> {
  const settings = new Map<string, string>();
  for (const file of configPlaces(sources).pip()) {
    const all = parseIni(await sources.machine.files.text(file));
    for (const part of ['global', 'install'])
      for (const { name, value } of all.filter(({ section }) => section === part))
        settings.set(name.toLowerCase().replaceAll('_', '-'), value);
  }
  return settings;
}

async function readGoEnv(sources: FactSources): Promise<Settings> {
  const { env, files } = sources.machine;
  const file = env.GOENV || files.paths.join(configPlaces(sources).userConfig, 'go', 'env');
  return fieldsOf((file !== 'off' && (await files.text(file))) || '', /=/);
}

/** The user's settings override the project's. If a name occurs twice, the last one wins, as in Java. */
async function readGradle({ machine: { env, files, homeDir }, folder }: FactSources): Promise<Settings> {
  const { join } = files.paths;
  const settings = new Map<string, string>();
  for (const place of [folder, env.GRADLE_USER_HOME || join(homeDir, '.gradle')])
    for (const line of contentLines(await files.text(join(place, 'gradle.properties')))) {
      const at = line.search(/[=:]/);
      if (at > 0) settings.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
    }
  return settings;
}

/** `BUNDLE_WITHOUT: "production"`: `__` replaces a dot, and `___` a dash. */
async function readBundler({ machine: { files, homeDir }, folder }: FactSources): Promise<Settings> {
  const settings = new Map<string, string>();
  for (const place of [homeDir, folder]) {
    const found = textSettings(await readYaml(files, files.paths.join(place, '.bundle', 'config')));
    for (const [name, value] of found) {
      const plain = name.replace(/^BUNDLE_/, '').replaceAll('___', '-');
      settings.set(plain.replaceAll('__', '.').toLowerCase(), value);
    }
  }
  return settings;
}

function textSettings(settings: ReadonlyMap<unknown, unknown>): Settings {
  const isText = (entry: [unknown, unknown]): entry is [string, string] =>
    entry.every((each) => typeof each === 'string');
  return new Map([...settings].filter(isText));
}
