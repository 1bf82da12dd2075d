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
  unlessEmpty,
} from '../fact-reader.ts';
import type { FactContext } from '../tool-settings.ts';

export function buildToolReaders(sources: FactContext): FactReaders {
  const { machine, settings } = sources;
  const { files, platform } = machine;
  const { join } = files.paths;
  const home = (...parts: string[]): string => join(machine.homeDir, ...parts);
  const cargo = once(() => readCargo(sources));
  const maven = once(async () => readXml(await files.text(home('.m2', 'settings.xml'))));
  const docker = () => files.json(home('.docker', 'config.json'));
  const gradleHome = machine.env.GRADLE_USER_HOME || home('.gradle');
  const addressOrName = (text: string) => (text.includes('://') ? addressOf(text) : text);

  return {
    'cargo.registries': async () =>
      setOf(
        (await cargo()).flatMap((each) => [
          ...entriesAt(each, 'registries').flatMap(([name, registry]) => {
            const index = textOf(at(registry, 'index'));
            return index ? [`${name} ${addressOf(index)}`] : [];
          }),
          ...entriesAt(each, 'source').flatMap(([name, source]) => {
            const other = textOf(at(source, 'replace-with')) ?? textOf(at(source, 'registry'));
            return other ? [`${name} → ${addressOrName(other)}`] : [];
          }),
        ]),
      ),
    'cargo.target': async () =>
      (await cargo()).map((each) => textOf(at(each, 'build', 'target'))).findLast(Boolean),
    'cargo.flags': async () =>
      unlessEmpty(
        (await cargo()).flatMap((each) => [
          ...flagList(at(each, 'build', 'rustflags')),
          ...entriesAt(each, 'target').flatMap(([target, table]) => {
            const linker = textOf(at(table, 'linker'));
            return [...flagList(at(table, 'rustflags')), ...(linker ? [`${target} linker ${linker}`] : [])];
          }),
        ]),
      ),
    'go.proxy': async () => {
      const proxy = await settings.get('go', 'GOPROXY');
      const names = proxy?.split(/([,|])/).map(addressOrName);
      return names?.join('') || undefined;
    },
    'go.workspace': async () => setOf(await readGoWork(sources)),
    'maven.mirrors': async () => {
      const mirrors = childrenOf(childrenOf(await maven(), 'mirrors')[0], 'mirror');
      return setOf(
        mirrors.map(
          (each) => `${childText(each, 'mirrorOf') ?? '*'} → ${addressOf(childText(each, 'url') ?? '')}`,
        ),
      );
    },
    'maven.profiles': async () => {
      const active = childrenOf(childrenOf(await maven(), 'activeProfiles')[0], 'activeProfile');
      return setOf(active.map(({ text }) => text));
    },
    'gradle.properties': async () => {
      const own = [...(await settings.all('gradle'))].filter(([name]) => name.startsWith('org.gradle.'));
      return setOf(own.filter(([name]) => name !== 'org.gradle.jvmargs').map((each) => each.join('=')));
    },
    'gradle.initScripts': async () => {
      const named = (await files.names(gradleHome)).filter((name) => /^init\.gradle(?:\.kts)?$/.test(name));
      const others = await files.names(join(gradleHome, 'init.d'));
      return named.length + others.filter((name) => /\.gradle(?:\.kts)?$/.test(name)).length || undefined;
    },
    'bundler.settings': async () =>
      setOf(
        [...(await settings.all('bundler'))].flatMap(([name, value]) => {
          // Other names of hosts have credentials.
          if (name.startsWith('mirror.'))
            return [`mirror ${addressOf(name.slice('mirror.'.length))} → ${addressOf(value)}`];
          return bundlerSettings.has(name) ? [`${name}=${value}`] : [];
        }),
      ),
    'gem.sources': async () => {
      for (const file of [home('.gemrc'), '/etc/gemrc']) {
        const own = await readYaml(files, file);
        const listed = textsOf(own.get(':sources') ?? own.get('sources')).map(addressOf);
        if (listed.length > 0) return listed;
      }
      return undefined;
    },
    'composer.repositories': async () => {
      const config = await files.json(join(composerHome(sources), 'config.json'));
      const listed = Object.values((at(config, 'repositories') ?? {}) as Settings);
      return setOf(listed.flatMap((each) => textsOf(at(each, 'url')).map(addressOf)));
    },
    'nuget.sources': async () => {
      const config = configPlaces(sources).userConfig;
      const folder = platform === 'win32' ? join(config, 'NuGet') : home('.nuget', 'NuGet');
      const root = readXml(await files.text(join(folder, 'NuGet.Config')));
      const added = childrenOf(childrenOf(root, 'packageSources')[0], 'add');
      const listed = added.flatMap(({ attributes }) => attributes.get('value') ?? []).map(addressOf);
      return setOf(listed.filter((address) => address !== 'api.nuget.org/v3/index.json'));
    },
    'docker.context': async () => {
      const context = textOf(at(await docker(), 'currentContext'));
      return context === 'default' ? undefined : context;
    },
    'docker.credentialHelper': async () => {
      const store = textOf(at(await docker(), 'credsStore'));
      if (store === undefined || sources.searchFolders.length === 0) return undefined;
      const names = ['', '.exe'].map((end) => `docker-credential-${store}${end}`);
      const helpers = sources.searchFolders.flatMap((folder) => names.map((name) => join(folder, name)));
      return (await Promise.all(helpers.map((file) => files.isFile(file)))).includes(true);
    },
    'java.home': async () => {
      const { JAVA_HOME } = machine.env;
      if (!JAVA_HOME) return undefined;
      const programs = (await files.names(join(JAVA_HOME, 'bin'))).map((name) => name.replace(/\.exe$/i, ''));
      return programs.includes('javac') ? 'jdk' : programs.includes('java') ? 'jre' : 'none';
    },
    'java.trustStore': async () => readTrustStore(machine, await javaFolder(sources)),
    'java.security': async () => {
      const folder = await javaFolder(sources);
      const inner = [join('conf', 'security'), join('lib', 'security')];
      return (
        folder &&
        digestOfFirst(
          files,
          inner.map((each) => join(folder, each, 'java.security')),
        )
      );
    },
    'imagemagick.policy': () =>
      digestOfFirst(
        files,
        [7, 6].map((major) => `/etc/ImageMagick-${major}/policy.xml`),
        withoutComments,
      ),
    'docker.engine': async () => {
      const file = platform === 'linux' ? '/etc/docker/daemon.json' : home('.docker', 'daemon.json');
      const engine = Object.entries((await files.json(file)) ?? {}).filter(([name]) =>
        engineSettings.has(name),
      );
      const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
      return setOf(engine.map(([name, value]) => `${name}=${text(value)}`));
    },
    'curl.config': async () => {
      const lines = contentLines(await files.text(home(platform === 'win32' ? '_curlrc' : '.curlrc')));
      return setOf(lines.map((line) => line.replace(/^-+/, '').split(/[\s=:]/)[0] as string));
    },
  };
}

const engineSettings = new Set(
  'storage-driver features default-address-pools dns ipv6 ip6tables iptables userland-proxy userns-remap default-ulimits exec-opts cgroup-parent default-runtime live-restore bip mtu'.split(
    ' ',
  ),
);

/** Cargo's configuration files, the farthest first. Cargo joins the lists in all of them. */
export async function readCargo(sources: FactSources): Promise<Settings[]> {
  const { env, files } = sources.machine;
  const { join } = files.paths;
  const { above, home } = configPlaces(sources);
  const folders = new Set([
    env.CARGO_HOME || home('.cargo'),
    ...above.map((folder) => join(folder, '.cargo')),
  ]);
  const read = [...folders].map(async (folder) => {
    const old = await files.text(join(folder, 'config'));
    return readToml(files, join(folder, old === undefined ? 'config.toml' : 'config'));
  });
  return (await Promise.all(read)).filter((settings) => Object.keys(settings).length > 0);
}

function flagList(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : textsOf(value);
}

/** Modules with which the nearest go.work replaces released ones: `use ./sdk`, `use ( … )`, `replace a => ../a`. */
async function readGoWork({ machine: { env, files }, folder }: FactSources): Promise<string[]> {
  if (env.GOWORK === 'off') return [];
  const file = env.GOWORK || (await files.nearest(folder, 'go.work'));
  let block = '';
  return contentLines(file && (await files.text(file))).flatMap((line) => {
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

function composerHome({ machine: { env, files, homeDir, platform } }: FactSources): string {
  const { join } = files.paths;
  if (env.COMPOSER_HOME) return env.COMPOSER_HOME;
  if (platform === 'win32') return join(env.APPDATA ?? '', 'Composer');
  if (platform === 'darwin') return join(homeDir, '.composer');
  return join(env.XDG_CONFIG_HOME || join(homeDir, '.config'), 'composer');
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

/** The folder of the Java that a user's command would run. */
async function javaFolder({ machine, locator }: FactSources): Promise<string | undefined> {
  const { dirname, join } = machine.files.paths;
  const java = await locator.locate('java');
  if (java.kind !== 'found') return undefined;
  const folder = dirname(dirname(java.realPath));
  return (await machine.files.isFolder(join(folder, 'lib', 'security'))) ? folder : undefined;
}

/** Stores in Java's own format have a count of entries; for others we know only whether they are empty. */
async function readTrustStore(
  machine: FactSources['machine'],
  folder: string | undefined,
): Promise<FactReading> {
  if (folder === undefined) return undefined;
  const file = machine.files.paths.join(folder, 'lib', 'security', 'cacerts');
  const bytes = Buffer.from(await machine.readFile(file, { length: 200 }).catch(() => new Uint8Array()));
  if (bytes.length >= 12 && bytes.readUInt32BE(0) === javaStoreMagic) return String(bytes.readUInt32BE(8));
  // A PKCS #12 store without entries has a few hundred bytes; DER begins with a sequence.
  if (bytes.length > 0 && bytes[0] !== 0x30) return 'damaged';
  return bytes.length < 200 ? 'none' : 'present';
}

const javaStoreMagic = 0xfeedfeed;

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('-->') + '-->'.length)))
    .join('');
}

/** Reads the lines of the first file that exists. */
async function digestOfFirst(
  files: FactSources['machine']['files'],
  candidates: readonly string[],
  clean = (text: string): string => text,
): Promise<FactReading> {
  const texts = await Promise.all(candidates.map((file) => files.text(file)));
  const text = texts.find((each) => each !== undefined);
  return text === undefined ? undefined : shortDigest(contentLines(clean(text)).join('\n'));
}
