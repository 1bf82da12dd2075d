// mise: shims that are links to mise itself; versions from variables, `mise.toml` files and `.tool-versions`.

import { miseFiles, miseTools, type ToolList, toolVersions } from '../declared/tool-lists.ts';
import type { ShimContext, ShimManager } from './shim.ts';
import { displayName, isPlainVersion, localAppData } from './shim.ts';

const localFiles = [...miseFiles, '.tool-versions'];
const aliases: Readonly<Record<string, string>> = { nodejs: 'node', golang: 'go' };

export const miseManager: ShimManager = {
  name: 'mise',
  recognises: ({ machine }, { path, realPath }) =>
    /[\\/]mise[\\/]shims$/.test(machine.files.paths.dirname(path)) ||
    /^mise(?:\.exe)?$/.test(machine.files.paths.basename(realPath)),
  async resolve(context, { name }) {
    if (name === 'mise') return { kind: 'next' };
    const { machine } = context;
    const missing: string[] = [];
    let refused: string | undefined;
    for (const [tool, choice] of await chosenTools(context)) {
      const folderName = tool.replaceAll(/[:/]/g, '-');
      for (const version of choice.versions) {
        if (version === 'system') continue;
        const installed = version.replace(/^(?:prefix:|ref:)/, '').replace(/^v(?=\d)/, '');
        if (!isPlainVersion(installed) || !isPlainVersion(folderName)) {
          // It may be the tool that is looked for, or any other: nothing under that name can be determined.
          refused ??= `${choice.selectedBy} names a folder instead of a version of ${tool}`;
          continue;
        }
        const root = machine.files.paths.join(dataFolder(context), 'installs');
        const folder = machine.files.paths.join(root, folderName, installed);
        if (!(await machine.files.isFolder(folder))) {
          if (await mayProvide(context, machine.files.paths.join(root, folderName), tool, name))
            missing.push(`${tool} ${version}`);
          continue;
        }
        const fileName = machine.platform === 'win32' ? `${name}.exe` : name;
        for (const programFolder of ['bin', '']) {
          const path = machine.files.paths.join(folder, programFolder, fileName);
          if ((await machine.files.status(path))?.executable)
            return { kind: 'tool', path, selectedBy: choice.selectedBy, root };
        }
      }
    }
    if (refused !== undefined) return { kind: 'unknown', reason: refused };
    const reason =
      missing.length > 0 ? `${missing.join(', ')} is not installed` : 'no version is set for this folder';
    // A shim without a tool chosen lets the next program of that name run.
    return missing.length > 0 ? { kind: 'absent', reason } : { kind: 'next' };
  },
};

/** mise installs what is missing, or fails, only for a tool of which another version has the program. */
async function mayProvide(
  { machine }: ShimContext,
  toolFolder: string,
  tool: string,
  name: string,
): Promise<boolean> {
  if (tool === name) return true;
  const { join } = machine.files.paths;
  for (const version of await machine.files.names(toolFolder)) {
    for (const programFolder of ['bin', ''])
      if ((await machine.files.status(join(toolFolder, version, programFolder, name)))?.executable)
        return true;
  }
  return false;
}

function dataFolder({ machine }: ShimContext): string {
  const { join } = machine.files.paths;
  if (machine.env.MISE_DATA_DIR) return machine.env.MISE_DATA_DIR;
  const base =
    machine.platform === 'win32'
      ? localAppData(machine)
      : (machine.env.XDG_DATA_HOME ?? join(machine.homeDir, '.local', 'share'));
  return join(base, 'mise');
}

interface Choice {
  readonly versions: readonly string[];
  readonly selectedBy: string;
}

/** Tool → versions for the captured folder; the nearest file wins, variables over all. */
async function chosenTools(context: ShimContext): Promise<Map<string, Choice>> {
  const { machine } = context;
  const { join } = machine.files.paths;
  const chosen = new Map<string, Choice>();
  const choose = (tool: string, versions: readonly string[], selectedBy: string): void => {
    const bare = tool.replace(/^core:/, '');
    const key = aliases[bare] ?? bare;
    if (!chosen.has(key)) chosen.set(key, { versions, selectedBy });
  };
  for (const [name, value] of Object.entries(machine.env)) {
    const tool = /^MISE_([A-Z0-9_]+)_VERSION$/.exec(name)?.[1];
    if (tool && value) choose(tool.toLowerCase().replaceAll('_', '-'), value.split(/\s+/), name);
  }
  const globalFolder =
    machine.env.MISE_CONFIG_DIR ??
    join(machine.env.XDG_CONFIG_HOME ?? join(machine.homeDir, '.config'), 'mise');
  const candidates = [
    ...machine.files.upward(context.folder).flatMap((folder) => localFiles.map((name) => join(folder, name))),
    join(globalFolder, 'config.toml'),
    join(machine.homeDir, '.tool-versions'),
  ];
  for (const file of candidates) {
    const text = await machine.files.text(file);
    if (text === undefined) continue;
    // A damaged file chooses nothing.
    const tools: ToolList = file.endsWith('.toml')
      ? await miseTools(text).catch(() => new Map())
      : toolVersions(text);
    for (const [tool, versions] of tools) choose(tool, versions, displayName(context, file));
  }
  return chosen;
}
