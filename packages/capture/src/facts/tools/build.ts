// Configuration of cargo, go, Maven, Gradle, Bundler, RubyGems, Composer, NuGet, Docker and curl.

import { childrenOf, childText, parseXml, type XmlElement } from '../../dependencies/text/xml.ts';
import { addressOf } from '../addresses.ts';
import { at, entriesAt, readToml, readYaml, type Settings, textOf, textsOf } from '../config-files.ts';
import { configPlaces } from '../config-places.ts';
import {
  contentLines,
  type FactReaders,
  type FactReading,
  type FactSources,
  once,
  setOf,
  shortDigest,
} from '../fact-reader.ts';
import type { FactContext } from '../tool-settings.ts';

export function buildToolReaders(sources: FactContext): FactReaders {
  const { machine, settings } = sources;
  const { join } = machine.files.paths;
  const home = (...parts: string[]): string => join(machine.homeDir, ...parts);
  const cargo = once(() => readCargo(sources));
  const maven = once(async () => readXml(await machine.files.text(home('.m2', 'settings.xml'))));
  const gradleHome = machine.env.GRADLE_USER_HOME || home('.gradle');

  return {
    'cargo.registries': async () =>
      setOf(
        (await cargo()).flatMap((settings) => [
          ...entriesAt(settings, 'registries').flatMap(([name, registry]) => {
            const index = textOf(at(registry, 'index'));
            return index ? [`${name} ${addressOf(index)}`] : [];
          }),
          ...entriesAt(settings, 'source').flatMap(([name, source]) => {
            const other = textOf(at(source, 'replace-with')) ?? textOf(at(source, 'registry'));
            return other ? [`${name} → ${/:\/\//.test(other) ? addressOf(other) : other}`] : [];
          }),
        ]),
      ),
    'cargo.target': async () =>
      (await cargo()).map((settings) => textOf(at(settings, 'build', 'target'))).findLast(Boolean),
    'cargo.flags': async () => {
      const flags = (await cargo()).flatMap((settings) => [
        ...flagList(at(settings, 'build', 'rustflags')),
        ...entriesAt(settings, 'target').flatMap(([target, table]) => {
          const linker = textOf(at(table, 'linker'));
          return [...flagList(at(table, 'rustflags')), ...(linker ? [`${target} linker ${linker}`] : [])];
        }),
      ]);
      return flags.length > 0 ? flags : undefined;
    },
    'go.proxy': async () => {
      const proxy = await settings.get('go', 'GOPROXY');
      const names = proxy?.split(/([,|])/).map((part) => (/:\/\//.test(part) ? addressOf(part) : part));
      return names?.join('') || undefined;
    },
    'go.workspace': async () => setOf(await readGoWork(sources)),
    'maven.mirrors': async () =>
      setOf(
        childrenOf(childrenOf(await maven(), 'mirrors')[0], 'mirror').map(
          (mirror) =>
            `${childText(mirror, 'mirrorOf') ?? '*'} → ${addressOf(childText(mirror, 'url') ?? '')}`,
        ),
      ),
    'maven.profiles': async () =>
      setOf(
        childrenOf(childrenOf(await maven(), 'activeProfiles')[0], 'activeProfile').map(({ text }) => text),
      ),
    'gradle.properties': async () =>
      setOf(
        [...(await settings.all('gradle'))].flatMap(([name, value]) =>
          name.startsWith('org.gradle.') && name !== 'org.gradle.jvmargs' ? [`${name}=${value}`] : [],
        ),
      ),
    'gradle.initScripts': async () => {
      const named = ['init.gradle', 'init.gradle.kts'].map((name) =>
        machine.files.isFile(join(gradleHome, name)),
      );
      const scripts = (await machine.files.names(join(gradleHome, 'init.d'))).filter((name) =>
        /\.gradle(?:\.kts)?$/.test(name),
      );
      return scripts.length + (await Promise.all(named)).filter(Boolean).length || undefined;
    },
    'bundler.settings': async () =>
      setOf(
        [...(await settings.all('bundler'))].flatMap(([name, value]) => {
          // Other names of hosts hold credentials.
          if (name.startsWith('mirror.'))
            return [`mirror ${addressOf(name.slice('mirror.'.length))} → ${addressOf(value)}`];
          return bundlerSettings.has(name) ? [`${name}=${value}`] : [];
        }),
      ),
    'gem.sources': async () => {
      for (const file of [home('.gemrc'), '/etc/gemrc']) {
        const settings = await readYaml(machine.files, file);
        const listed = textsOf(settings.get(':sources') ?? settings.get('sources')).map(addressOf);
        if (listed.length > 0) return listed;
      }
      return undefined;
    },
    'composer.repositories': async () => {
      const config = await machine.files.json(join(composerHome(sources), 'config.json'));
      const listed = Object.values((at(config, 'repositories') ?? {}) as Settings);
      return setOf(listed.flatMap((each) => textsOf(at(each, 'url')).map(addressOf)));
    },
    'nuget.sources': async () => {
      const folder =
        machine.platform === 'win32'
          ? join(configPlaces(sources).userConfig, 'NuGet')
          : home('.nuget', 'NuGet');
      const root = readXml(await machine.files.text(join(folder, 'NuGet.Config')));
      const added = childrenOf(childrenOf(root, 'packageSources')[0], 'add');
      const listed = added.flatMap(({ attributes }) => attributes.get('value') ?? []).map(addressOf);
      return setOf(listed.filter((address) => address !== 'api.nuget.org/v3/index.json'));
    },
    'docker.context': async () => {
      const context = textOf(at(await machine.files.json(home('.docker', 'config.json')), 'currentContext'));
      return context === 'default' ? undefined : context;
    },
    'docker.credentialHelper': async () => {
      const store = textOf(at(await machine.files.json(home('.docker', 'config.json')), 'credsStore'));
      if (store === undefined || sources.searchFolders.length === 0) return undefined;
      const name = `docker-credential-${store}`;
      for (const folder of sources.searchFolders)
        for (const each of [name, `${name}.exe`])
          if (await machine.files.isFile(join(folder, each))) return true;
      return false;
    },
    'java.trustStore': async () => readTrustStore(machine, await javaFolder(sources)),
    'java.security': async () => {
      const folder = await javaFolder(sources);
      if (folder === undefined) return undefined;
      return digestOfLines(
        (await machine.files.text(join(folder, 'conf', 'security', 'java.security'))) ??
          (await machine.files.text(join(folder, 'lib', 'security', 'java.security'))),
      );
    },
    'imagemagick.policy': async () => {
      const text =
        (await machine.files.text('/etc/ImageMagick-7/policy.xml')) ??
        (await machine.files.text('/etc/ImageMagick-6/policy.xml'));
      return digestOfLines(text && withoutComments(text));
    },
    'docker.engine': async () => {
      const file = machine.platform === 'linux' ? '/etc/docker/daemon.json' : home('.docker', 'daemon.json');
      const engine = (await machine.files.json(file)) ?? {};
      return setOf(
        Object.entries(engine).flatMap(([name, value]) =>
          engineSettings.has(name)
            ? [`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`]
            : [],
        ),
      );
    },
    'curl.config': async () => {
      const lines = contentLines(
        await machine.files.text(home(machine.platform === 'win32' ? '_curlrc' : '.curlrc')),
      );
      return setOf(lines.map((line) => line.replace(/^-+/, '').split(/[\s=:]/)[0] as string));
    },
  };
}

const engineSettings = new Set(
  'storage-driver features default-address-pools dns ipv6 ip6tables iptables userland-proxy userns-remap default-ulimits exec-opts cgroup-parent default-runtime live-restore bip mtu'.split(
    ' ',
  ),
);

/** Cargo's configuration files, the farthest first; cargo joins lists of all of them. */
export async function readCargo(sources: FactSources): Promise<Settings[]> {
  const { machine } = sources;
  const { join } = machine.files.paths;
  const places = configPlaces(sources);
  const own = machine.env.CARGO_HOME || places.home('.cargo');
  const folders = new Set([own, ...places.above.map((folder) => join(folder, '.cargo'))]);
  const read = await Promise.all(
    [...folders].map(async (folder) => {
      const old = await machine.files.text(join(folder, 'config'));
      return readToml(machine.files, join(folder, old === undefined ? 'config.toml' : 'config'));
    }),
  );
  return read.filter((settings) => Object.keys(settings).length > 0);
}

/** Flags as a list or as one text. */
function flagList(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : textsOf(value);
}

/** Modules that the nearest go.work puts in place of released ones: `use ./sdk`, `use ( … )`, `replace a => ../a`. */
async function readGoWork({ machine, folder }: FactSources): Promise<string[]> {
  const { join } = machine.files.paths;
  const named = machine.env.GOWORK;
  if (named === 'off') return [];
  const files = named ? [named] : machine.files.upward(folder).map((at) => join(at, 'go.work'));
  for (const file of files) {
    const text = await machine.files.text(file);
    if (text === undefined) continue;
    let block = '';
    return contentLines(text).flatMap((line) => {
      const words = line.replace(/\/\/.*/, '').match(/"[^"]*"|`[^`]*`|[()]|[^\s()"`]+/g) ?? [];
      if (words[0] === ')') block = '';
      else if (words[1] === '(') block = words[0] ?? '';
      else {
        const [verb = '', ...rest] = block === '' ? words : [block, ...words];
        const module = rest.map((word) => word.replace(/["`]/g, '')).join(' ');
        return module !== '' && ['use', 'replace'].includes(verb) ? [module] : [];
      }
      return [];
    });
  }
  return [];
}

function composerHome({ machine }: FactSources): string {
  const { join } = machine.files.paths;
  if (machine.env.COMPOSER_HOME) return machine.env.COMPOSER_HOME;
  if (machine.platform === 'win32') return join(machine.env.APPDATA ?? '', 'Composer');
  return machine.platform === 'darwin'
    ? join(machine.homeDir, '.composer')
    : join(machine.env.XDG_CONFIG_HOME || join(machine.homeDir, '.config'), 'composer');
}

const bundlerSettings = new Set(
  'without with only path deployment frozen force_ruby_platform specific_platform jobs no_install prefer_patch system_bindir no_prune clean cache_all disable_shared_gems build.nokogiri'.split(
    ' ',
  ),
);

function readXml(text: string | undefined): XmlElement | undefined {
  if (!text?.trim()) return undefined;
  try {
    return parseXml(text);
  } catch {
    return undefined;
  }
}

/** The folder of the Java that would run. */
async function javaFolder({ machine, locator }: FactSources): Promise<string | undefined> {
  const { dirname, join } = machine.files.paths;
  const java = await locator.locate('java');
  if (java.kind !== 'found') return undefined;
  const folder = dirname(dirname(java.realPath));
  return (await machine.files.isFolder(join(folder, 'lib', 'security'))) ? folder : undefined;
}

/** Stores of Java's own format say how many entries they have; others are there or empty. */
async function readTrustStore(
  machine: FactSources['machine'],
  folder: string | undefined,
): Promise<FactReading> {
  if (folder === undefined) return undefined;
  const file = machine.files.paths.join(folder, 'lib', 'security', 'cacerts');
  const start = await machine.readFileStart(file, 200).catch(() => new Uint8Array());
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  if (bytes.length >= 12 && bytes.readUInt32BE(0) === javaStoreMagic) return String(bytes.readUInt32BE(8));
  // A store of PKCS #12 without entries is some hundred bytes long, and DER begins with a sequence.
  if (bytes.length === 0) return 'none';
  if (bytes[0] !== 0x30) return 'damaged';
  return bytes.length < 200 ? 'none' : 'present';
}

const javaStoreMagic = 0xfeedfeed;

/** XML without its comments. */
function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('-->') + '-->'.length)))
    .join('');
}

function digestOfLines(text: string | undefined): FactReading {
  if (text === undefined) return undefined;
  return shortDigest(contentLines(text).join('\n'));
}
