// rbenv and its relatives (pyenv, nodenv, jenv, goenv …): the same layout and order of precedence, with other names.

import { orderVersions } from '@envsnap/versions';
import {
  absent,
  type Choice,
  displayName,
  firstProgram,
  isPlainVersion,
  nextAfter,
  type ShimContext,
  type ShimManager,
} from './shim.ts';

/** Managers by what they manage: they read `.NAME-version`, in which some versions begin with `NAME-`. */
const members = {
  python: 'pyenv',
  ruby: 'rbenv',
  node: 'nodenv',
  java: 'jenv',
  go: 'goenv',
  php: 'phpenv',
  perl: 'plenv',
  lua: 'luaenv',
  swift: 'swiftenv',
};

/** Managers with shims in `ROOT/shims` and versions in `ROOT/versions`. */
export const envFamilyManagers: readonly ShimManager[] = Object.entries(members).map(([tool, manager]) => ({
  name: manager,
  recognises({ machine }, { path }) {
    const { basename, dirname, sep } = machine.files.paths;
    if (basename(dirname(path)) !== 'shims') return false;
    const root = dirname(dirname(path));
    const known = rootOf(manager, machine);
    // pyenv-virtualenv has its own shims: ROOT/plugins/pyenv-virtualenv/shims.
    return root === known || basename(root) === `.${manager}` || root.startsWith(`${known}${sep}plugins`);
  },
  async resolve(context, { name }) {
    const { files, platform } = context.machine;
    const { join } = files.paths;
    const root = rootOf(manager, context.machine);
    const { versions, selectedBy } = await chosenVersions(tool, manager, context, root);
    const program = platform === 'win32' ? `${name}.exe` : name;
    const missing: string[] = [];
    const notInstalled = () => (missing.length > 0 ? `version ${missing.join(', ')} (${selectedBy})` : '');
    for (const version of versions) {
      if (version === 'system') return nextAfter(notInstalled());
      const folder = await versionFolder(tool, manager, context, join(root, 'versions'), version);
      const programs = folder === undefined ? [] : [join(folder, 'bin', program), join(folder, program)];
      const found = await firstProgram(context, programs, selectedBy, root);
      if (found) return found;
      if (folder === undefined) missing.push(version);
    }
    // pyenv since 2.0 runs the next program on `PATH` when no chosen version has it; its relatives, and older ones, whose script
    // lacks the fallback, fail.
    const script = await files.text(join(root, 'libexec', 'pyenv-which'));
    if (manager === 'pyenv' && (script?.includes('"$system"') ?? true)) return nextAfter(notInstalled());
    return absent(
      missing.length > 0
        ? `${notInstalled()} is not installed`
        : `version ${versions.join(', ')} (${selectedBy}) has no ${name}`,
    );
  },
}));

function rootOf(manager: string, { env, files, homeDir }: ShimContext['machine']): string {
  const stated = env[`${manager.toUpperCase()}_ROOT`]?.replace(/(?<=[^\\/])[\\/]+$/, '');
  return stated || files.paths.join(homeDir, `.${manager}`);
}

async function chosenVersions(
  tool: string,
  manager: string,
  context: ShimContext,
  root: string,
): Promise<Choice> {
  const { env, files } = context.machine;
  const { join } = files.paths;
  const variable = manager === 'swiftenv' ? 'SWIFT_VERSION' : `${manager.toUpperCase()}_VERSION`;
  if (env[variable])
    return { versions: env[variable].split(':').filter(isPlainVersion), selectedBy: variable };
  const local = files.upward(context.folder).map((folder) => join(folder, `.${tool}-version`));
  for (const file of [...local, join(root, 'version')]) {
    const text = await files.text(file);
    // The first word of each line for pyenv, of the file for its relatives.
    const words = (text ?? '')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().split(/\s+/)[0] ?? '')
      .filter((version) => version !== '');
    const versions = (manager === 'pyenv' ? words : words.slice(0, 1)).filter(isPlainVersion);
    if (versions.length > 0) return { versions, selectedBy: displayName(context, file) };
    // The nearest file decides, even if it names nothing usable.
    if (text !== undefined && (manager === 'pyenv' || text !== '')) break;
  }
  return { versions: ['system'], selectedBy: 'default' };
}

/** The folder with the version's exact name, without the prefix, or (pyenv, goenv) the newest that begins with it. */
async function versionFolder(
  tool: string,
  manager: string,
  { machine: { files } }: ShimContext,
  root: string,
  version: string,
): Promise<string | undefined> {
  const installed = await files.names(root);
  const bare = version.startsWith(`${tool}-`) ? version.slice(tool.length + 1) : version;
  // The others take a version as written, and fail if it is not installed.
  const takesBeginnings = manager === 'pyenv' || manager === 'goenv';
  const fitting = installed.filter((each) => each.startsWith(`${bare}.`) && /^[\d.]+$/.test(each));
  const newest = takesBeginnings ? orderVersions(fitting, 'generic').at(-1) : undefined;
  const chosen = [version, bare].find((each) => installed.includes(each)) ?? newest;
  return chosen === undefined ? undefined : files.paths.join(root, chosen);
}
