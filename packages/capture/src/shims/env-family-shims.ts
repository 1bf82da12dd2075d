// rbenv and its relatives (pyenv, nodenv, jenv, goenv …): one layout, one order of choice, other names.

import { orderVersions } from '@envsnap/versions';
import type { ShimAnswer, ShimContext, ShimManager } from './shim.ts';
import { displayName, isPlainVersion } from './shim.ts';

interface EnvFamilyMember {
  readonly name: string;
  /** Variable with the manager's folder; default `~/.NAME`. */
  readonly rootVariable: string;
  readonly versionVariable: string;
  readonly versionFile: string;
  /** Written before a version in some files, e.g. `python-3.11`. */
  readonly prefix: string;
}

const members: readonly EnvFamilyMember[] = [
  member('pyenv', 'PYENV', '.python-version', 'python-'),
  member('rbenv', 'RBENV', '.ruby-version', 'ruby-'),
  member('nodenv', 'NODENV', '.node-version', 'node-'),
  member('jenv', 'JENV', '.java-version', 'java-'),
  member('goenv', 'GOENV', '.go-version', 'go-'),
  member('phpenv', 'PHPENV', '.php-version', 'php-'),
  member('plenv', 'PLENV', '.perl-version', 'perl-'),
  member('luaenv', 'LUAENV', '.lua-version', 'lua-'),
  member('swiftenv', 'SWIFT', '.swift-version', 'swift-'),
];

function member(name: string, variable: string, versionFile: string, prefix: string): EnvFamilyMember {
  const rootVariable = variable === 'SWIFT' ? 'SWIFTENV_ROOT' : `${variable}_ROOT`;
  return { name, rootVariable, versionVariable: `${variable}_VERSION`, versionFile, prefix };
}

/** Managers whose shims stand in `ROOT/shims` and whose versions stand in `ROOT/versions`. */
export const envFamilyManagers: readonly ShimManager[] = members.map((manager) => ({
  name: manager.name,
  recognises({ machine }, { path }) {
    const folder = machine.files.paths.dirname(path);
    if (machine.files.paths.basename(folder) !== 'shims') return false;
    const root = machine.files.paths.dirname(folder);
    const known = rootOf(manager, machine.env, machine.homeDir, machine.files.paths.join);
    // pyenv-virtualenv keeps shims of its own: ROOT/plugins/pyenv-virtualenv/shims.
    return (
      root === known ||
      machine.files.paths.basename(root) === `.${manager.name}` ||
      root.startsWith(`${known}${machine.files.paths.sep}plugins`)
    );
  },
  resolve: (context, { name }) => resolve(manager, context, name),
}));

function rootOf(
  manager: EnvFamilyMember,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
  join: (...parts: string[]) => string,
): string {
  return env[manager.rootVariable]?.replace(/(?<=[^\\/])[\\/]+$/, '') || join(homeDir, `.${manager.name}`);
}

async function resolve(manager: EnvFamilyMember, context: ShimContext, name: string): Promise<ShimAnswer> {
  const { machine } = context;
  const root = rootOf(manager, machine.env, machine.homeDir, machine.files.paths.join);
  const { versions, selectedBy } = await chosenVersions(manager, context, root);
  const missing: string[] = [];
  const notInstalled = () =>
    missing.length > 0 ? `version ${missing.join(', ')} (${selectedBy}) is not installed` : undefined;
  for (const version of versions) {
    if (version === 'system') return nextAfter(notInstalled());
    const folder = await versionFolder(manager, context, root, version);
    if (!folder) {
      missing.push(version);
      continue;
    }
    for (const binFolder of [machine.files.paths.join(folder, 'bin'), folder]) {
      for (const fileName of machine.platform === 'win32' ? [`${name}.exe`] : [name]) {
        const path = machine.files.paths.join(binFolder, fileName);
        if ((await machine.files.status(path))?.executable) return { kind: 'tool', path, selectedBy, root };
      }
    }
  }
  if (await fallsBack(manager, context, root)) return nextAfter(notInstalled());
  const reason = notInstalled() ?? `version ${versions.join(', ')} (${selectedBy}) has no ${name}`;
  return { kind: 'absent', reason };
}

function nextAfter(instead: string | undefined): ShimAnswer {
  return { kind: 'next', ...(instead !== undefined && { instead }) };
}

/**
 * pyenv since 2.0 runs the next program on `PATH` when no chosen version has it; its relatives fail. An older one is recognised
 * by its script, which lacks the fallback.
 */
async function fallsBack(manager: EnvFamilyMember, { machine }: ShimContext, root: string): Promise<boolean> {
  if (manager.name !== 'pyenv') return false;
  const script = await machine.files.text(machine.files.paths.join(root, 'libexec', 'pyenv-which'));
  return script?.includes('"$system"') ?? true;
}

async function chosenVersions(
  manager: EnvFamilyMember,
  context: ShimContext,
  root: string,
): Promise<{ versions: string[]; selectedBy: string }> {
  const { machine } = context;
  const variable = machine.env[manager.versionVariable];
  if (variable)
    return { versions: variable.split(':').filter(isPlainVersion), selectedBy: manager.versionVariable };
  const local = machine.files
    .upward(context.folder)
    .map((folder) => machine.files.paths.join(folder, manager.versionFile));
  for (const file of [...local, machine.files.paths.join(root, 'version')]) {
    const text = await machine.files.text(file);
    const versions = versionLines(manager, text);
    if (versions.length > 0) return { versions, selectedBy: displayName(context, file) };
    // The nearest file decides, also where it names nothing that can be used.
    if (text !== undefined && (manager.name === 'pyenv' || text !== '')) break;
  }
  return { versions: ['system'], selectedBy: 'default' };
}

/** The first word of each line for pyenv, of the file for its relatives. */
function versionLines(manager: EnvFamilyMember, text: string | undefined): string[] {
  const words = (text ?? '')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/)[0] ?? '')
    .filter((version) => version !== '');
  return (manager.name === 'pyenv' ? words : words.slice(0, 1)).filter(isPlainVersion);
}

/** The version's folder by exact name, without the prefix, or (pyenv, goenv) the newest one that begins with it. */
async function versionFolder(
  manager: EnvFamilyMember,
  { machine }: ShimContext,
  root: string,
  version: string,
): Promise<string | undefined> {
  const installed = await machine.files.names(machine.files.paths.join(root, 'versions'));
  const bare = version.startsWith(manager.prefix) ? version.slice(manager.prefix.length) : version;
  const exact = [version, bare].find((each) => installed.includes(each));
  // The others take a version as it is written, and fail where it is not installed.
  const takesBeginnings = manager.name === 'pyenv' || manager.name === 'goenv';
  const fitting = installed
    .filter(() => takesBeginnings)
    .filter((each) => each.startsWith(`${bare}.`) && /^[\d.]+$/.test(each));
  const newest = orderVersions(fitting, 'generic').at(-1);
  const chosen = exact ?? newest;
  return chosen === undefined ? undefined : machine.files.paths.join(root, 'versions', chosen);
}
