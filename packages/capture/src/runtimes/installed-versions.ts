// Where languages write their own version: one reader for each layout.

import { field, textField } from '@envsnap/shared/plain-object';
import { orderVersions } from '@envsnap/versions';
import { parseJsoncObject } from '../dependencies/text/json.ts';
import { cachedText } from '../system/file-cache.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { type VersionFromFiles, versionIn } from './tool.ts';

const newestOf = (versions: readonly string[]): string | undefined =>
  orderVersions(versions, 'generic').at(-1);

/** The running binary knows itself; others have their headers beside them (`PREFIX/include/node/node_version.h`). */
export const nodeHeader: VersionFromFiles = async ({ machine, realPath }) => {
  if (realPath === machine.hostRuntime.execPath) return machine.hostRuntime.nodeVersion;
  const { paths } = machine.files;
  const binFolder = paths.dirname(realPath);
  if (paths.basename(binFolder) !== 'bin') return undefined;
  const header = await machine.files.text(
    paths.join(paths.dirname(binFolder), 'include', 'node', 'node_version.h'),
  );
  if (header === undefined || !/^#define NODE_VERSION_IS_RELEASE 1$/m.test(header)) return undefined;
  const found = header.matchAll(/^#define NODE_(MAJOR|MINOR|PATCH)_VERSION (\d+)$/gm);
  const numbers = new Map([...found].map(([, part = '', number = '']) => [part, number]));
  const [major, minor, patch] = ['MAJOR', 'MINOR', 'PATCH'].map((part) => numbers.get(part));
  return major && minor && patch ? `${major}.${minor}.${patch}` : undefined;
};

/** `GOROOT/VERSION`: `go1.22.4` and, since 1.21, further lines. */
export const goVersion: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  const root = paths.dirname(paths.dirname(realPath));
  const version = /^go(\d\S*)/.exec((await machine.files.text(paths.join(root, 'VERSION'))) ?? '')?.[1];
  return version;
};

/** `JAVA_VERSION` of the `release` file in the folder of the JDK, also above a `jre` folder. */
export const javaRelease: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  const home = paths.dirname(paths.dirname(realPath));
  for (const folder of [home, paths.dirname(home)]) {
    const version = /^JAVA_VERSION="([^"]+)"/m.exec(
      (await machine.files.text(paths.join(folder, 'release'))) ?? '',
    )?.[1];
    if (version) return version;
  }
  return undefined;
};

/** The toolchain's name where it is a version, else the manifest that rustup keeps in it. Cargo carries rustc's number. */
export const rustManifest: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  const toolchain = paths.dirname(paths.dirname(realPath));
  const pinned = /^(\d+\.\d+\.\d+)(?:-|$)/.exec(paths.basename(toolchain))?.[1];
  if (pinned) return pinned;
  const manifest = paths.join(toolchain, 'lib', 'rustlib', 'multirust-channel-manifest.toml');
  return machine.fileCache.of(cachedText('rustc'), manifest, async () => {
    const text = (await machine.files.text(manifest)) ?? '';
    const at = text.indexOf('\n[pkg.rustc]\n');
    return at < 0 ? undefined : /version = "(\d[^\s"]*)/.exec(text.slice(at, at + 200))?.[1];
  });
};

/** The SDK beside the host that `global.json` selects, else the newest; without an SDK the newest runtime. */
export const dotnetSdk: VersionFromFiles = async ({ machine, realPath, folder }) => {
  const { paths } = machine.files;
  const root = paths.dirname(realPath);
  for (const inner of ['sdk', paths.join('shared', 'Microsoft.NETCore.App')]) {
    const versions = (await machine.files.names(paths.join(root, inner))).filter((name) =>
      /^\d+\.\d+\.\d+/.test(name),
    );
    const version = (inner === 'sdk' && (await selectedSdk(machine, folder, versions))) || newestOf(versions);
    if (version) return version;
  }
  return undefined;
};

/**
 * What the host takes by the nearest `global.json`; undefined where there is none, where it is not valid or where nothing installed
 * fits. https://learn.microsoft.com/dotnet/core/tools/global-json#matching-rules
 */
async function selectedSdk(
  { files }: CapturedMachine,
  folder: string,
  installed: readonly string[],
): Promise<string | undefined> {
  let text: string | undefined;
  for (const above of files.upward(folder)) {
    text = await files.text(files.paths.join(above, 'global.json'));
    if (text !== undefined) break;
  }
  const sdk = field(readJsonc(text ?? '{}'), 'sdk');
  const wanted = textField(sdk, 'version');
  const rule = textField(sdk, 'rollForward') ?? (wanted ? 'patch' : 'latestMajor');
  const [, latest, level = ''] =
    /^(latest(?!disable))?(major|minor|feature|patch|disable)$/i.exec(rule) ?? [];
  if (wanted ? !bandOf(wanted) : rule.toLowerCase() !== 'latestmajor') return undefined;
  if (wanted && !latest && /^(?:patch|disable)$/i.test(level) && installed.includes(wanted)) return wanted;
  // How many of major, minor and band must be those that are wanted.
  const same = ['major', 'minor', 'feature', 'patch'].indexOf(level.toLowerCase());
  const isStable = field(sdk, 'allowPrerelease') === false && !wanted?.includes('-');
  const start = (version: string, parts = 3) => bandOf(version)?.slice(0, parts).join('.');
  const ordered = orderVersions([...new Set([...installed, ...(wanted ? [wanted] : [])])], 'generic');
  const fitting = ordered
    .slice(wanted ? ordered.indexOf(wanted) : 0)
    .filter((version) => installed.includes(version) && !(isStable && version.includes('-')))
    .filter((version) => same >= 0 && (!wanted || start(version, same) === start(wanted, same)));
  const [nearest = ''] = fitting;
  return latest ? fitting.at(-1) : fitting.findLast((version) => start(version) === start(nearest));
}

/** Major, minor and feature band: 8, 0 and 4 of `8.0.412`. */
function bandOf(version: string): string[] | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?![\w.])/.exec(version) ?? [];
  return major && minor && patch ? [major, minor, String(Math.floor(Number(patch) / 100))] : undefined;
}

function readJsonc(text: string): unknown {
  try {
    return parseJsoncObject(text);
  } catch {
    return undefined;
  }
}

/** `releases/N/OTP_VERSION` under the folder of Erlang's library. */
export const beamRelease: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  for (const root of [paths.dirname(paths.dirname(realPath)), '/usr/lib/erlang', '/usr/local/lib/erlang']) {
    const releases = paths.join(root, 'releases');
    const newest = (await machine.files.names(releases))
      .filter((name) => /^\d+$/.test(name))
      .sort((a, b) => +a - +b)
      .at(-1);
    const text = newest && (await machine.files.text(paths.join(releases, newest, 'OTP_VERSION')));
    if (text) return /^\d\S*/.exec(text)?.[0];
  }
  return undefined;
};

/** `vsn` of the application file of Elixir's library. */
export const elixirApplication: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  const root = paths.dirname(paths.dirname(realPath));
  for (const folder of [root, '/usr/lib/elixir', '/usr/local/lib/elixir']) {
    const text = await machine.files.text(paths.join(folder, 'lib', 'elixir', 'ebin', 'elixir.app'));
    const version = text && /\{vsn, *"([^"]+)"\}/.exec(text)?.[1];
    if (version) return version;
  }
  return undefined;
};

/** Gems that Ruby brings or that were installed beside it, from the names of their specifications. */
export function gemVersion(gem: string): VersionFromFiles {
  const prefix = `${gem}-`;
  return async ({ machine, path, realPath }) => {
    const { paths } = machine.files;
    const versions: string[] = [];
    for (const place of new Set([path, realPath].map((each) => paths.dirname(paths.dirname(each))))) {
      const libraries = [
        paths.join(place, 'lib', 'ruby', 'gems'),
        '/var/lib/gems',
        '/usr/share/rubygems-integration',
      ];
      for (const library of libraries) {
        for (const abi of await machine.files.names(library)) {
          for (const inner of ['specifications', paths.join('specifications', 'default')]) {
            for (const name of await machine.files.names(paths.join(library, abi, inner))) {
              const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
              const version = /^(\d[\w.]*?)\.gemspec$/.exec(rest)?.[1];
              if (version) versions.push(version);
            }
          }
        }
      }
    }
    return newestOf(versions);
  };
}

/** RubyGems' own version, from the library of the Ruby beside it. */
export const rubygemsLibrary: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  const library = paths.join(paths.dirname(paths.dirname(realPath)), 'lib', 'ruby');
  for (const name of (await machine.files.names(library)).toReversed()) {
    for (const folder of [paths.join(library, name), library]) {
      const text = await machine.files.text(paths.join(folder, 'rubygems.rb'));
      const version = text && /^[ \t]*VERSION = "([^"\n]+)"/m.exec(text)?.[1];
      if (version) return version;
    }
  }
  const vendor = await machine.files.text('/usr/lib/ruby/vendor_ruby/rubygems.rb');
  return vendor && paths.dirname(realPath) === '/usr/bin'
    ? /^[ \t]*VERSION = "([^"\n]+)"/m.exec(vendor)?.[1]
    : undefined;
};

/** `conda-meta/conda-VERSION-BUILD.json` in the folder of the installation. */
export const condaRecord: VersionFromFiles = async ({ machine, realPath }) => {
  const { paths } = machine.files;
  for (const root of [paths.dirname(paths.dirname(realPath)), paths.dirname(realPath)]) {
    for (const name of await machine.files.names(paths.join(root, 'conda-meta'))) {
      const version = /^conda-(\d[^-]*)-[^-]+\.json$/.exec(name)?.[1];
      if (version) return version;
    }
  }
  return undefined;
};

/** `CFBundleShortVersionString` of the macOS application that the executable belongs to. */
export const macApplication: VersionFromFiles = async ({ machine, path }) => {
  if (machine.platform !== 'darwin') return undefined;
  const contents = /^(.*\.app\/Contents)\//.exec(path)?.[1];
  const text = contents && (await machine.files.text(`${contents}/Info.plist`));
  return text
    ? /<key>CFBundleShortVersionString<\/key>\s*<string>([^<]+)<\/string>/.exec(text)?.[1]
    : undefined;
};

/** Chromium's family on Windows: a folder named by the version stands beside the executable. */
export const versionedSibling: VersionFromFiles = async ({ machine, realPath }) => {
  if (machine.platform !== 'win32') return undefined;
  const names = await machine.files.names(machine.files.paths.dirname(realPath));
  const versions = names.filter((name) => /^\d+\.\d+\.\d+\.\d+$/.test(name));
  return newestOf(versions);
};

/** Firefox and its relatives: `application.ini` beside the real executable. */
export const applicationIni: VersionFromFiles = async ({ machine, realPath }) => {
  const text = await machine.files.text(
    machine.files.paths.join(machine.files.paths.dirname(realPath), 'application.ini'),
  );
  return text && /^Version=(\S+)/m.exec(text)?.[1];
};

/** CUDA's compiler: `version.json` in the folder of the toolkit. */
export const cudaToolkit: VersionFromFiles = async ({ machine, realPath }) => {
  const file = machine.files.paths.join(machine.files.paths.dirname(realPath), '..', 'version.json');
  const version = textField((await machine.files.json(file))?.cuda_nvcc, 'version');
  return version && versionIn(version);
};
