// The program's commands in oclif's form. Reads the build's manifest instead of searching the disk.

import type { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { packageDescription, version } from './program.ts';

type Plugin = Config['rootPlugin'];

/** The manifest entry of every command, without its code. */
export interface CommandManifest {
  readonly commands: Record<string, Command.Cached & { readonly relativePath?: readonly string[] }>;
}

/** Imports the file of one command or of several, given relative to the folder of the bundle with `/`. */
export type LoadCommand = (
  file: string,
) => Promise<
  { readonly default: Command.Class } | { readonly serviceCommands: Record<string, Command.Class> }
>;

/** The program's only plugin. `root` is just its name: nothing in it is read. */
export function bundledPlugin(manifest: CommandManifest, load: LoadCommand, root: string): Plugin {
  const { name } = packageDescription;
  const topics = Object.entries(packageDescription.oclif.topics).map(([topic, { description }]) => ({
    name: topic,
    description,
  }));
  const plugin = {
    _base: `${name}@${version}`,
    alias: name,
    commandIDs: Object.keys(manifest.commands),
    commandsDir: undefined,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    moduleType: 'module',
    name,
    options: { root },
    pjson: packageDescription,
    root,
    topics,
    type: 'core',
    valid: true,
    version,
    load: async () => undefined,
    findCommand: (id: string) => loadCommand(id),
    commands: Object.entries(manifest.commands)
      .map(([id, command]) => ({ ...command, pluginAlias: name, load: () => loadCommand(id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  } as unknown as Plugin;

  /** The class of a command, with the fields that oclif sets on classes that it loads itself. */
  async function loadCommand(id: string): Promise<Command.Class> {
    const module = await load((manifest.commands[id]?.relativePath ?? []).join('/'));
    const found = 'default' in module ? module.default : module.serviceCommands[id];
    return Object.assign(found as Command.Class, { id, plugin });
  }
  return plugin;
}
