// Corepack: shims that download and start a package manager. Read from files only: they are never started.

import { packageManagerOf } from '../declared/package-json.ts';
import type { ShimCandidate, ShimContext, ShimManager } from './shim.ts';
import { displayName, localAppData } from './shim.ts';

const entryPoints: Readonly<Record<string, string>> = {
  pnpm: 'bin/pnpm.cjs',
  yarn: 'bin/yarn.js',
  npm: 'bin/npm-cli.js',
};

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
    const { machine } = context;
    const { name } = candidate;
    const tool = name === 'npx' ? 'npm' : name === 'yarnpkg' ? 'yarn' : name === 'pnpx' ? 'pnpm' : name;
    const choice = await chosenVersion(context, tool, await scriptOf(context, candidate));
    if (choice.version === undefined) return { kind: 'absent', reason: choice.reason };
    const cache = machine.files.paths.join(corepackHome(context), 'v1', tool);
    const installed = await machine.files.names(cache);
    const version = installed.includes(choice.version) ? choice.version : undefined;
    if (!version) {
      return { kind: 'absent', reason: `version ${choice.version} (${choice.reason}) was never downloaded` };
    }
    const folder = machine.files.paths.join(cache, version);
    // Yarn 2 and later is one file; pnpm and npm are packages.
    for (const relative of [entryPoints[tool] ?? '', `${tool}.js`, 'package.json']) {
      const path = machine.files.paths.join(folder, relative);
      if (await machine.files.isFile(path))
        return { kind: 'tool', path, selectedBy: choice.reason, root: cache };
    }
    return { kind: 'absent', reason: `version ${version} (${choice.reason}) is damaged` };
  },
};

/** The script that runs: a link leads to it, or on Windows a command file beside its folder names it. */
async function scriptOf(
  { machine: { files } }: ShimContext,
  { name, realPath }: ShimCandidate,
): Promise<string> {
  if (!(name in entryPoints || /^(?:npx|pnpx|yarnpkg)$/.test(name)) || !/\.cmd$/i.test(realPath))
    return realPath;
  const script = /"%~dp0\\([^"%]+\.js)"/.exec((await files.text(realPath)) ?? '')?.[1];
  return script === undefined ? realPath : files.paths.join(files.paths.dirname(realPath), script);
}

function corepackHome({ machine }: ShimContext): string {
  const { env, homeDir, platform } = machine;
  const { join } = machine.files.paths;
  if (env.COREPACK_HOME) return env.COREPACK_HOME;
  const base = env.XDG_CACHE_HOME ?? (platform === 'win32' ? localAppData(machine) : join(homeDir, '.cache'));
  return join(base, 'node', 'corepack');
}

/** `version` absent: the command would fail, for the reason given; else `reason` names what chose it. */
async function chosenVersion(
  context: ShimContext,
  tool: string,
  realPath: string,
): Promise<{ version?: string; reason: string }> {
  const { machine } = context;
  if (machine.env.COREPACK_ENABLE_PROJECT_SPEC !== '0') {
    for (const folder of machine.files.upward(context.folder)) {
      const file = machine.files.paths.join(folder, 'package.json');
      const manifest = (await machine.files.json(file)) ?? {};
      if (typeof manifest.packageManager !== 'string') continue;
      const asked = packageManagerOf(manifest);
      const where = displayName(context, file);
      if (asked?.tool === tool) return { version: asked.version, reason: `${where} packageManager` };
      if (machine.env.COREPACK_ENABLE_STRICT !== '0')
        return { reason: `${where} asks for ${asked?.tool ?? manifest.packageManager}` };
      break;
    }
  }
  const lastKnownGood = await machine.files.json(
    machine.files.paths.join(corepackHome(context), 'lastKnownGood.json'),
  );
  const known = lastKnownGood?.[tool];
  if (typeof known === 'string') return { version: bare(known), reason: 'last used' };
  const config = await machine.files.json(
    machine.files.paths.join(machine.files.paths.dirname(realPath), '..', 'config.json'),
  );
  const fallback = fallbackVersion(config, tool);
  return fallback ? { version: fallback, reason: 'default' } : { reason: 'no version is chosen' };
}

function fallbackVersion(config: Record<string, unknown> | undefined, tool: string): string | undefined {
  const definitions = config?.definitions as Record<string, { default?: unknown } | undefined> | undefined;
  const version = definitions?.[tool]?.default;
  return typeof version === 'string' ? bare(version) : undefined;
}

/** Without the checksum that follows the `+`. */
function bare(version: string): string {
  return version.split('+')[0] ?? version;
}
