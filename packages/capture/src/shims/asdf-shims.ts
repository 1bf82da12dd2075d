// asdf: shims that name the plugins they stand for; versions from variables and `.tool-versions`.

import { toolVersions } from '../declared/tool-lists.ts';
import type { ShimAnswer, ShimContext, ShimManager } from './shim.ts';
import { displayName, isPlainVersion } from './shim.ts';

/** Where plugins put programs inside a version's folder. */
const programFolders = ['bin', 'go/bin', 'packages/bin', '.npm/bin', 'shims', ''];

export const asdfManager: ShimManager = {
  name: 'asdf',
  recognises({ machine }, { path }) {
    const folder = machine.files.paths.dirname(path);
    return (
      folder === machine.files.paths.join(dataFolder({ machine }), 'shims') ||
      /[\\/]\.asdf[\\/]shims$/.test(folder)
    );
  },
  async resolve(context, { name, path }) {
    const { machine } = context;
    const script = (await machine.files.text(path)) ?? '';
    const plugins = new Set(
      [...script.matchAll(/^# asdf-plugin: (\S+) \S+/gm)].map((match) => match[1] ?? ''),
    );
    const missing: string[] = [];
    for (const plugin of plugins) {
      const chosen = await chosenVersions(context, plugin);
      for (const version of chosen?.versions ?? []) {
        if (version === 'system') return nextAfter(missing);
        const folderName = version.replace(/^ref:/, 'ref-');
        if (!isPlainVersion(folderName) || !isPlainVersion(plugin)) {
          const where = chosen?.selectedBy ?? plugin;
          return { kind: 'unknown', reason: `${where} names a folder instead of a version of ${plugin}` };
        }
        const root = machine.files.paths.join(dataFolder({ machine }), 'installs');
        const folder = machine.files.paths.join(root, plugin, folderName);
        for (const programFolder of programFolders) {
          const program = machine.files.paths.join(folder, programFolder, name);
          if ((await machine.files.status(program))?.executable) {
            return { kind: 'tool', path: program, selectedBy: chosen?.selectedBy ?? plugin, root };
          }
        }
        missing.push(`${plugin} ${version}`);
      }
    }
    return absent(missing);
  },
};

function nextAfter(missing: readonly string[]): ShimAnswer {
  return missing.length > 0
    ? { kind: 'next', instead: `${missing.join(', ')} is not installed` }
    : { kind: 'next' };
}

function absent(missing: readonly string[]): ShimAnswer {
  return {
    kind: 'absent',
    reason:
      missing.length > 0 ? `${missing.join(', ')} is not installed` : 'no version is set for this folder',
  };
}

function dataFolder({ machine }: Pick<ShimContext, 'machine'>): string {
  return machine.env.ASDF_DATA_DIR || machine.files.paths.join(machine.homeDir, '.asdf');
}

interface Choice {
  readonly versions: readonly string[];
  readonly selectedBy: string;
}

async function chosenVersions(context: ShimContext, plugin: string): Promise<Choice | undefined> {
  const { machine } = context;
  const variable = `ASDF_${plugin.toUpperCase().replaceAll('-', '_')}_VERSION`;
  const fromVariable = machine.env[variable];
  if (fromVariable) return { versions: fromVariable.split(/\s+/), selectedBy: variable };
  const fileName = machine.env.ASDF_DEFAULT_TOOL_VERSIONS_FILENAME || '.tool-versions';
  for (const folder of [...machine.files.upward(context.folder), machine.homeDir]) {
    const file = machine.files.paths.join(folder, fileName);
    const versions = toolVersions(await machine.files.text(file)).get(plugin);
    if (versions) return { versions, selectedBy: displayName(context, file) };
    const legacy = await legacyVersion(context, folder, plugin);
    if (legacy) return legacy;
  }
  return undefined;
}

/** Files of other managers that plugins read where the user asks for it; plugins name more, in programs of their own. */
const legacyFiles: Readonly<Record<string, readonly string[]>> = {
  nodejs: ['.nvmrc', '.node-version'],
  ruby: ['.ruby-version'],
  python: ['.python-version'],
  golang: ['.go-version'],
  java: ['.java-version'],
  terraform: ['.terraform-version'],
  php: ['.php-version'],
};

/** `legacy_version_file = yes` in the user's settings lets asdf read those files too. */
async function legacyVersion(
  context: ShimContext,
  folder: string,
  plugin: string,
): Promise<Choice | undefined> {
  const { machine } = context;
  const settings = await machine.files.text(
    machine.env.ASDF_CONFIG_FILE || machine.files.paths.join(machine.homeDir, '.asdfrc'),
  );
  if (!/^[ \t]*legacy_version_file[ \t]*=[ \t]*yes[ \t]*$/m.test(settings ?? '')) return undefined;
  for (const name of legacyFiles[plugin] ?? []) {
    const file = machine.files.paths.join(folder, name);
    const written = (await machine.files.text(file))
      ?.trim()
      .split(/\s+/)[0]
      ?.replace(/^v(?=\d)/, '');
    if (written && isPlainVersion(written))
      return { versions: [written], selectedBy: displayName(context, file) };
  }
  return undefined;
}
