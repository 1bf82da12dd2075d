// asdf and mise: versions of many tools from variables and lists of tools.

import { miseFiles, miseTools, type ToolList, toolVersions } from '../declared/tool-lists.ts';
import {
  absent,
  type Choice,
  displayName,
  firstProgram,
  isPlainVersion,
  localAppData,
  namesFolder,
  nextAfter,
  type ShimAnswer,
  type ShimContext,
  type ShimManager,
} from './shim.ts';

const none = 'no version is set for this folder';
/** Folders of a version in which asdf's plugins put programs. */
const asdfFolders = ['bin', 'go/bin', 'packages/bin', '.npm/bin', 'shims', ''];

/** Shims that name their plugins. */
export const asdfManager: ShimManager = {
  name: 'asdf',
  recognises({ machine }, { path }) {
    const { dirname, join } = machine.files.paths;
    return (
      dirname(path) === join(asdfFolder(machine), 'shims') || /[\\/]\.asdf[\\/]shims$/.test(dirname(path))
    );
  },
  async resolve(context, { name, path }) {
    const { files } = context.machine;
    const script = (await files.text(path)) ?? '';
    const root = files.paths.join(asdfFolder(context.machine), 'installs');
    const missing: string[] = [];
    for (const plugin of new Set(
      [...script.matchAll(/^# asdf-plugin: (\S+) \S+/gm)].map(([, each = '']) => each),
    )) {
      const { versions, selectedBy } = (await asdfChoice(context, plugin)) ?? {
        versions: [],
        selectedBy: plugin,
      };
      for (const version of versions) {
        if (version === 'system') return nextAfter(missing.join(', '));
        const folder = version.replace(/^ref:/, 'ref-');
        if (!isPlainVersion(folder) || !isPlainVersion(plugin)) return namesFolder(selectedBy, plugin);
        const programs = asdfFolders.map((inner) => files.paths.join(root, plugin, folder, inner, name));
        const found = await firstProgram(context, programs, selectedBy, root);
        if (found) return found;
        missing.push(`${plugin} ${version}`);
      }
    }
    return absent(missing.length > 0 ? `${missing.join(', ')} is not installed` : none);
  },
};

function asdfFolder({ env, files, homeDir }: ShimContext['machine']): string {
  return env.ASDF_DATA_DIR || files.paths.join(homeDir, '.asdf');
}

async function asdfChoice(context: ShimContext, plugin: string): Promise<Choice | undefined> {
  const { env, files, homeDir } = context.machine;
  const { join } = files.paths;
  const variable = `ASDF_${plugin.toUpperCase().replaceAll('-', '_')}_VERSION`;
  if (env[variable]) return { versions: env[variable].split(/\s+/), selectedBy: variable };
  // The user may allow asdf to read other managers' files.
  const settings = await files.text(env.ASDF_CONFIG_FILE || join(homeDir, '.asdfrc'));
  const isLegacy = /^[ \t]*legacy_version_file[ \t]*=[ \t]*yes[ \t]*$/m.test(settings ?? '');
  for (const folder of [...files.upward(context.folder), homeDir]) {
    const list = join(folder, env.ASDF_DEFAULT_TOOL_VERSIONS_FILENAME || '.tool-versions');
    const versions = toolVersions(await files.text(list)).get(plugin);
    if (versions) return { versions, selectedBy: displayName(context, list) };
    for (const name of isLegacy ? (legacyFiles[plugin] ?? []) : []) {
      const file = join(folder, name);
      const [written = ''] = ((await files.text(file)) ?? '').trim().split(/\s+/);
      const version = written.replace(/^v(?=\d)/, '');
      if (isPlainVersion(version)) return { versions: [version], selectedBy: displayName(context, file) };
    }
  }
  return undefined;
}

/** Version files of other managers that asdf's plugins read; the plugins define more. */
const legacyFiles: Readonly<Record<string, readonly string[]>> = {
  nodejs: ['.nvmrc', '.node-version'],
  ruby: ['.ruby-version'],
  python: ['.python-version'],
  golang: ['.go-version'],
  java: ['.java-version'],
  terraform: ['.terraform-version'],
  php: ['.php-version'],
};

/** Shims that are links to mise itself. */
export const miseManager: ShimManager = {
  name: 'mise',
  recognises: ({ machine: { files } }, { path, realPath }) =>
    /[\\/]mise[\\/]shims$/.test(files.paths.dirname(path)) ||
    /^mise(?:\.exe)?$/.test(files.paths.basename(realPath)),
  async resolve(context, { name }) {
    if (name === 'mise') return { kind: 'next' };
    const { machine } = context;
    const { files } = machine;
    const { join } = files.paths;
    const root = join(miseFolder(machine), 'installs');
    const programsIn = (folder: string) => {
      const program = machine.platform === 'win32' ? `${name}.exe` : name;
      return ['bin', ''].map((inner) => join(folder, inner, program));
    };
    const missing: string[] = [];
    let refused: ShimAnswer | undefined;
    for (const [tool, { versions, selectedBy }] of await miseChoices(context)) {
      const folderName = tool.replaceAll(/[:/]/g, '-');
      const folder = join(root, folderName);
      for (const version of versions) {
        if (version === 'system') continue;
        const installed = version.replace(/^(?:prefix:|ref:)/, '').replace(/^v(?=\d)/, '');
        if (!isPlainVersion(installed) || !isPlainVersion(folderName)) {
          // It may be the tool in question or any other, so the result is unknown.
          refused ??= namesFolder(selectedBy, tool);
        } else if (await files.isFolder(join(folder, installed))) {
          const found = await firstProgram(context, programsIn(join(folder, installed)), selectedBy, root);
          if (found) return found;
        } else {
          // mise installs what is missing, or fails, only for a tool of which another version has the program.
          const others = (await files.names(folder)).flatMap((each) => programsIn(join(folder, each)));
          if (tool === name || (await firstProgram(context, others, '', root)))
            missing.push(`${tool} ${version}`);
        }
      }
    }
    if (refused) return refused;
    // If no tool is chosen, a shim runs the next program with its name.
    return missing.length > 0 ? absent(`${missing.join(', ')} is not installed`) : { kind: 'next' };
  },
};

function miseFolder(machine: ShimContext['machine']): string {
  const { env, files, homeDir, platform } = machine;
  const { join } = files.paths;
  if (env.MISE_DATA_DIR) return env.MISE_DATA_DIR;
  const ofUser = () => env.XDG_DATA_HOME ?? join(homeDir, '.local', 'share');
  return join(platform === 'win32' ? localAppData(machine) : ofUser(), 'mise');
}

const miseAliases = new Map([
  ['nodejs', 'node'],
  ['golang', 'go'],
]);

/** Tool → versions for the captured folder; the nearest file wins, variables over all. */
async function miseChoices(context: ShimContext): Promise<Map<string, Choice>> {
  const { env, files, homeDir } = context.machine;
  const { join } = files.paths;
  const chosen = new Map<string, Choice>();
  const choose = (tool: string, versions: readonly string[], selectedBy: string): void => {
    const bare = tool.replace(/^core:/, '');
    const key = miseAliases.get(bare) ?? bare;
    if (!chosen.has(key)) chosen.set(key, { versions, selectedBy });
  };
  for (const [name, value] of Object.entries(env)) {
    const tool = /^MISE_([A-Z0-9_]+)_VERSION$/.exec(name)?.[1];
    if (tool && value) choose(tool.toLowerCase().replaceAll('_', '-'), value.split(/\s+/), name);
  }
  const settings = env.MISE_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME ?? join(homeDir, '.config'), 'mise');
  for (const file of [
    ...files
      .upward(context.folder)
      .flatMap((at) => [...miseFiles, '.tool-versions'].map((name) => join(at, name))),
    join(settings, 'config.toml'),
    join(homeDir, '.tool-versions'),
  ]) {
    const text = await files.text(file);
    if (text === undefined) continue;
    // A damaged file chooses nothing.
    const tools: ToolList = file.endsWith('.toml')
      ? await miseTools(text).catch(() => new Map())
      : toolVersions(text);
    for (const [tool, versions] of tools) choose(tool, versions, displayName(context, file));
  }
  return chosen;
}
