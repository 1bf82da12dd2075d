// Volta and Corepack: versions of Node.js and its package managers from package.json, else what the user last chose.

import { field, textField } from '@envsnap/shared/plain-object';
import { packageManagerOf, pinnedForVolta } from '../declared/package-json.ts';
import {
  absent,
  displayName,
  firstProgram,
  isPlainVersion,
  localAppData,
  namesFolder,
  type ShimCandidate,
  type ShimContext,
  type ShimManager,
} from './shim.ts';

/** Other programs that come with a package manager. */
const broughtBy: Readonly<Record<string, string>> = { npx: 'npm', pnpx: 'pnpm', yarnpkg: 'yarn' };
const voltaTools = new Set(['node', 'npm', 'npx', 'pnpm', 'yarn', 'yarnpkg']);

/** Shims that are links to `volta-shim`. */
export const voltaManager: ShimManager = {
  name: 'volta',
  recognises({ machine }, { name, path, realPath }) {
    const { basename, dirname, join } = machine.files.paths;
    if (/^volta-shim(?:\.exe)?$/.test(basename(realPath))) return name !== 'volta';
    if (!voltaTools.has(name)) return false;
    if (dirname(path) === join(voltaHome(machine), 'bin')) return true;
    // The installer for Windows puts copies beside the program.
    return machine.platform === 'win32' && machine.files.isFile(join(dirname(path), 'volta-shim.exe'));
  },
  async resolve(context, { name }) {
    const { machine } = context;
    const { join } = machine.files.paths;
    if (!voltaTools.has(name)) return absent('only its JavaScript tools are followed');
    const tool = broughtBy[name] ?? name;
    const choice = await voltaChoice(context);
    if (!choice) return { kind: 'next' };
    const { versions, selectedBy } = choice;
    const root = join(voltaHome(machine), 'tools', 'image');
    // Without a separate version, npm is the one that came with Node.js.
    const asked = [tool, ...(tool === 'npm' ? ['node'] : [])].flatMap((from) => {
      const version = versions[from];
      return version === undefined || version === '' ? [] : [{ from, version }];
    });
    if (asked.some(({ version }) => !isPlainVersion(version))) return namesFolder(selectedBy, tool);
    const [first] = asked;
    if (!first) return absent(`no version of ${tool} is chosen`);
    const inner =
      machine.platform === 'win32' ? [`${tool}.exe`, `${tool}.cmd`, `bin\\${tool}.cmd`] : [`bin/${tool}`];
    const programs = asked.flatMap(({ from, version }) =>
      inner.map((each) => join(root, from, version, each)),
    );
    return (
      (await firstProgram(context, programs, selectedBy, root)) ??
      absent(`version ${first.version} (${selectedBy}) is not installed`)
    );
  },
};

function voltaHome(machine: ShimContext['machine']): string {
  const { env, files, homeDir, platform } = machine;
  const { join } = files.paths;
  return (
    env.VOLTA_HOME || (platform === 'win32' ? join(localAppData(machine), 'Volta') : join(homeDir, '.volta'))
  );
}

async function voltaChoice(context: ShimContext) {
  const { files } = context.machine;
  for (const folder of files.upward(context.folder)) {
    const file = files.paths.join(folder, 'package.json');
    const versions = pinnedForVolta((await files.json(file)) ?? {});
    if (versions) return { versions, selectedBy: `${displayName(context, file)} volta` };
  }
  const file = files.paths.join(voltaHome(context.machine), 'tools', 'user', 'platform.json');
  const platform = await files.json(file);
  if (!platform) return undefined;
  const versions: Record<string, string | undefined> = {
    node: textField(platform.node, 'runtime'),
    npm: textField(platform.node, 'npm'),
    pnpm: textField(platform, 'pnpm'),
    yarn: textField(platform, 'yarn'),
  };
  return { versions, selectedBy: 'default' };
}

const entryPoints: Readonly<Record<string, string>> = {
  pnpm: 'bin/pnpm.cjs',
  yarn: 'bin/yarn.js',
  npm: 'bin/npm-cli.js',
};

/** Shims that download and start a package manager. Read from files only: they are never started. */
export const corepackManager: ShimManager = {
  name: 'corepack',
  async recognises(context, candidate) {
    if (candidate.name === 'corepack') return false;
    const script = await scriptOf(context, candidate);
    return (
      /[\\/]corepack[\\/]dist[\\/]/.test(script) ||
      context.machine.files.paths.basename(script) === 'corepack.js'
    );
  },
  async resolve(context, candidate) {
    const { files } = context.machine;
    const { join } = files.paths;
    const tool = broughtBy[candidate.name] ?? candidate.name;
    const { version, reason } = await corepackChoice(context, tool, await scriptOf(context, candidate));
    if (version === undefined) return absent(reason);
    const cache = join(corepackHome(context.machine), 'v1', tool);
    if (!(await files.names(cache)).includes(version))
      return absent(`version ${version} (${reason}) was never downloaded`);
    // Yarn 2 and later is one file; pnpm and npm are packages.
    for (const relative of [entryPoints[tool] ?? '', `${tool}.js`, 'package.json']) {
      const path = join(cache, version, relative);
      if (await files.isFile(path)) return { kind: 'tool', path, selectedBy: reason, root: cache };
    }
    return absent(`version ${version} (${reason}) is damaged`);
  },
};

/** The script that runs: the target of a link or, on Windows, the one named in a command file beside its folder. */
async function scriptOf(
  { machine: { files } }: ShimContext,
  { name, realPath }: ShimCandidate,
): Promise<string> {
  if (!(name in entryPoints || name in broughtBy) || !/\.cmd$/i.test(realPath)) return realPath;
  const script = /"%~dp0\\([^"%]+\.js)"/.exec((await files.text(realPath)) ?? '')?.[1];
  return script === undefined ? realPath : files.paths.join(files.paths.dirname(realPath), script);
}

function corepackHome(machine: ShimContext['machine']): string {
  const { env, files, homeDir, platform } = machine;
  const { join } = files.paths;
  const cache = () => (platform === 'win32' ? localAppData(machine) : join(homeDir, '.cache'));
  return env.COREPACK_HOME || join(env.XDG_CACHE_HOME ?? cache(), 'node', 'corepack');
}

/** Without `version`, the command would fail for the given `reason`; otherwise `reason` names what chose the version. */
async function corepackChoice(
  context: ShimContext,
  tool: string,
  script: string,
): Promise<{ version?: string; reason: string }> {
  const { env, files } = context.machine;
  const { dirname, join } = files.paths;
  for (const folder of env.COREPACK_ENABLE_PROJECT_SPEC === '0' ? [] : files.upward(context.folder)) {
    const file = join(folder, 'package.json');
    const manifest = (await files.json(file)) ?? {};
    if (typeof manifest.packageManager !== 'string') continue;
    const manager = packageManagerOf(manifest);
    const where = displayName(context, file);
    if (manager?.tool === tool) return { version: manager.version, reason: `${where} packageManager` };
    if (env.COREPACK_ENABLE_STRICT !== '0')
      return { reason: `${where} asks for ${manager?.tool ?? manifest.packageManager}` };
    break;
  }
  // Without the checksum that follows the `+`.
  const versionIn = (record: unknown, key: string) => textField(record, key)?.split('+')[0];
  const lastUsed = versionIn(
    await files.json(join(corepackHome(context.machine), 'lastKnownGood.json')),
    tool,
  );
  if (lastUsed !== undefined) return { version: lastUsed, reason: 'last used' };
  const config = await files.json(join(dirname(script), '..', 'config.json'));
  const fallback = versionIn(field(field(config, 'definitions'), tool), 'default');
  return fallback ? { version: fallback, reason: 'default' } : { reason: 'no version is chosen' };
}
