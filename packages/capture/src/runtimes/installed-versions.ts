// Finds the version that a language's installation records: one reader per layout.

import { field, recordOf, textField } from '@envsnap/shared/plain-object';
import { orderVersions } from '@envsnap/versions';
import { parseJsoncObject } from '../dependencies/text/json.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { beside, type VersionFromFiles } from './tool.ts';

const newestOf = (versions: readonly string[]): string | undefined =>
  orderVersions(versions, 'generic').at(-1);

/** The running binary knows its version; others have their headers beside them. */
export const nodeHeader: VersionFromFiles = async (found) => {
  const { machine, realPath } = found;
  if (realPath === machine.hostRuntime.execPath) return machine.hostRuntime.nodeVersion;
  const header = await machine.files.text(beside(found, '../include/node/node_version.h'));
  if (header === undefined || !/^#define NODE_VERSION_IS_RELEASE 1$/m.test(header)) return undefined;
  const numbers = [...header.matchAll(/^#define NODE_(?:MAJOR|MINOR|PATCH)_VERSION (\d+)$/gm)];
  return numbers.length === 3 ? numbers.map(([, number]) => number).join('.') : undefined;
};

/** The toolchain's name if it is a version, else rustup's manifest in it. Cargo has rustc's number. */
export const rustManifest: VersionFromFiles = async (found) => {
  const { machine } = found;
  const toolchain = beside(found, '..');
  const pinned = /^(\d+\.\d+\.\d+)(?:-|$)/.exec(machine.files.paths.basename(toolchain))?.[1];
  if (pinned) return pinned;
  const manifest = beside(found, '../lib/rustlib/multirust-channel-manifest.toml');
  return machine.fileCache.of('rustc', manifest, async () => {
    const text = (await machine.files.text(manifest)) ?? '';
    const at = text.indexOf('\n[pkg.rustc]\n');
    return at < 0 ? undefined : /version = "(\d[^\s"]*)/.exec(text.slice(at, at + 200))?.[1];
  });
};

/** The SDK beside the host that `global.json` selects, else the newest; without an SDK the newest runtime. */
export const dotnetSdk: VersionFromFiles = async (found) => {
  const { files } = found.machine;
  const installedIn = async (folder: string) =>
    (await files.names(beside(found, folder))).filter((name) => /^\d+\.\d+\.\d+/.test(name));
  const sdks = await installedIn('sdk');
  return (
    (await selectedSdk(found.machine, found.folder, sdks)) ||
    newestOf(sdks) ||
    newestOf(await installedIn('shared/Microsoft.NETCore.App'))
  );
};

/**
 * The version that the host chooses by the nearest `global.json`; undefined if there is none, it is invalid, or nothing installed
 * matches. https://learn.microsoft.com/dotnet/core/tools/global-json#matching-rules
 */
async function selectedSdk(
  { files }: CapturedMachine,
  folder: string,
  installed: readonly string[],
): Promise<string | undefined> {
  const file = await files.nearest(folder, 'global.json');
  const sdk = field(readJsonc((file && (await files.text(file))) ?? '{}'), 'sdk');
  const requested = textField(sdk, 'version');
  const rule = textField(sdk, 'rollForward') ?? (requested ? 'patch' : 'latestMajor');
  const [, latest, level = ''] =
    /^(latest(?!disable))?(major|minor|feature|patch|disable)$/i.exec(rule) ?? [];
  if (requested ? !bandOf(requested) : rule.toLowerCase() !== 'latestmajor') return undefined;
  if (requested && !latest && /^(?:patch|disable)$/i.test(level) && installed.includes(requested))
    return requested;
  // How many of major, minor and band must match the requested ones.
  const same = ['major', 'minor', 'feature', 'patch'].indexOf(level.toLowerCase());
  const isStable = field(sdk, 'allowPrerelease') === false && !requested?.includes('-');
  const start = (version: string, parts = 3) => bandOf(version)?.slice(0, parts).join('.');
  const ordered = orderVersions([...new Set([...installed, ...(requested ? [requested] : [])])], 'generic');
  const fitting = ordered
    .slice(requested ? ordered.indexOf(requested) : 0)
    .filter((version) => installed.includes(version) && !(isStable && version.includes('-')))
    .filter((version) => same >= 0 && (!requested || start(version, same) === start(requested, same)));
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
export const beamRelease: VersionFromFiles = async (found) => {
  const { files } = found.machine;
  for (const root of ['..', '/usr/lib/erlang', '/usr/local/lib/erlang']) {
    const releases = beside(found, `${root}/releases`);
    const numbers = (await files.names(releases)).filter((name) => /^\d+$/.test(name));
    const newest = numbers.sort((a, b) => Number(a) - Number(b)).at(-1) ?? '';
    const text = await files.text(files.paths.join(releases, newest, 'OTP_VERSION'));
    if (text) return /^\d\S*/.exec(text)?.[0];
  }
  return undefined;
};

/** Gems that are part of Ruby or were installed for it, from the names of their specifications. */
export function gemVersion(gem: string): VersionFromFiles {
  return async ({ machine: { files }, path, realPath }) => {
    const { dirname, join } = files.paths;
    const own = [path, realPath].map((each) => join(dirname(dirname(each)), 'lib', 'ruby', 'gems'));
    const versions: string[] = [];
    for (const library of new Set([...own, '/var/lib/gems', '/usr/share/rubygems-integration']))
      for (const abi of await files.names(library))
        for (const inner of ['specifications', join('specifications', 'default')])
          for (const name of await files.names(join(library, abi, inner))) {
            const rest = name.startsWith(`${gem}-`) ? name.slice(gem.length + 1) : '';
            versions.push(...(/^(\d[\w.]*?)\.gemspec$/.exec(rest)?.slice(1) ?? []));
          }
    return newestOf(versions);
  };
}

/** RubyGems' own version, from the library of the Ruby beside it. */
export const rubygemsLibrary: VersionFromFiles = async (found) => {
  const { files } = found.machine;
  const { dirname, join } = files.paths;
  const library = beside(found, '../lib/ruby');
  const folders = [...(await files.names(library)).toReversed().map((name) => join(library, name)), library];
  if (dirname(found.realPath) === '/usr/bin') folders.push('/usr/lib/ruby/vendor_ruby');
  for (const folder of folders) {
    const text = (await files.text(join(folder, 'rubygems.rb'))) ?? '';
    const version = /^[ \t]*VERSION = "([^"\n]+)"/m.exec(text)?.[1];
    if (version) return version;
  }
  return undefined;
};

/** `CFBundleShortVersionString` of the macOS application that the executable belongs to. */
export const macApplication: VersionFromFiles = async ({ machine, path }) => {
  const contents = machine.platform === 'darwin' && /^(.*\.app\/Contents)\//.exec(path)?.[1];
  const text = (contents && (await machine.files.text(`${contents}/Info.plist`))) || '';
  return /<key>CFBundleShortVersionString<\/key>\s*<string>([^<]+)<\/string>/.exec(text)?.[1];
};

/** Chromium's family on Windows: a folder named after the version is beside the executable. */
export const versionedSibling: VersionFromFiles = async (found) => {
  if (found.machine.platform !== 'win32') return undefined;
  const names = await found.machine.files.names(beside(found, '.'));
  return newestOf(names.filter((name) => /^\d+\.\d+\.\d+\.\d+$/.test(name)));
};

/** Google Cloud's record of a program that its command line installed. */
export function googleComponent(id: string): VersionFromFiles {
  return async (found) => {
    if (found.realPath !== beside(found, `../bin/${id}`)) return undefined;
    const record = await found.machine.files.json(beside(found, `../.install/${id}.snapshot.json`));
    const components: unknown[] = Array.isArray(record?.components) ? record.components : [];
    const component = components.find((each) => field(each, 'id') === id);
    return textField(recordOf(component).version, 'version_string');
  };
}
