// Volta: shims that are links to `volta-shim`; versions from `volta` in package.json, else from the user's platform.

import { textField } from '@envsnap/shared/plain-object';
import { pinnedForVolta } from '../declared/package-json.ts';
import type { ShimContext, ShimManager } from './shim.ts';
import { displayName, isPlainVersion, localAppData } from './shim.ts';

const javaScriptTools = new Set(['node', 'npm', 'npx', 'pnpm', 'yarn', 'yarnpkg']);

export const voltaManager: ShimManager = {
  name: 'volta',
  recognises({ machine }, { name, path, realPath }) {
    const { basename, dirname, join } = machine.files.paths;
    if (/^volta-shim(?:\.exe)?$/.test(basename(realPath))) return name !== 'volta';
    if (!javaScriptTools.has(name)) return false;
    if (dirname(path) === join(voltaHome({ machine }), 'bin')) return true;
    // The installer for Windows puts copies beside the program itself.
    return machine.platform === 'win32' && machine.files.isFile(join(dirname(path), 'volta-shim.exe'));
  },
  async resolve(context, { name }) {
    const { machine } = context;
    if (!javaScriptTools.has(name))
      return { kind: 'absent', reason: 'only its JavaScript tools are followed' };
    const tool = name === 'npx' ? 'npm' : name === 'yarnpkg' ? 'yarn' : name;
    const choice = await chosenVersions(context);
    if (!choice) return { kind: 'next' };
    const images = machine.files.paths.join(voltaHome(context), 'tools', 'image');
    const onWindows = machine.platform === 'win32';
    const candidates: string[] = [];
    const version = choice.versions[tool];
    const asked = [version, tool === 'npm' ? choice.versions.node : undefined];
    if (asked.some((each) => each !== undefined && !isPlainVersion(each))) {
      return {
        kind: 'unknown',
        reason: `${choice.selectedBy} names a folder instead of a version of ${tool}`,
      };
    }
    if (version) candidates.push(machine.files.paths.join(images, tool, version));
    // Without a version of its own, npm is the one that came with Node.js.
    if (tool === 'npm' && choice.versions.node)
      candidates.push(machine.files.paths.join(images, 'node', choice.versions.node));
    for (const folder of candidates) {
      const inner = onWindows ? [`${tool}.exe`, `${tool}.cmd`, `bin\\${tool}.cmd`] : [`bin/${tool}`];
      for (const relative of inner) {
        const path = machine.files.paths.join(folder, relative);
        if (await machine.files.isFile(path))
          return { kind: 'tool', path, selectedBy: choice.selectedBy, root: images };
      }
    }
    if (candidates.length === 0) return { kind: 'absent', reason: `no version of ${tool} is chosen` };
    return {
      kind: 'absent',
      reason: `version ${version ?? choice.versions.node} (${choice.selectedBy}) is not installed`,
    };
  },
};

function voltaHome({ machine }: Pick<ShimContext, 'machine'>): string {
  if (machine.env.VOLTA_HOME) return machine.env.VOLTA_HOME;
  return machine.platform === 'win32'
    ? machine.files.paths.join(localAppData(machine), 'Volta')
    : machine.files.paths.join(machine.homeDir, '.volta');
}

interface Choice {
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly selectedBy: string;
}

async function chosenVersions(context: ShimContext): Promise<Choice | undefined> {
  const { machine } = context;
  for (const folder of machine.files.upward(context.folder)) {
    const file = machine.files.paths.join(folder, 'package.json');
    const versions = pinnedForVolta((await machine.files.json(file)) ?? {});
    if (versions) return { versions, selectedBy: `${displayName(context, file)} volta` };
  }
  const platform = await machine.files.json(
    machine.files.paths.join(voltaHome(context), 'tools', 'user', 'platform.json'),
  );
  if (!platform) return undefined;
  return {
    versions: {
      node: textField(platform.node, 'runtime'),
      npm: textField(platform.node, 'npm'),
      pnpm: textField(platform, 'pnpm'),
      yarn: textField(platform, 'yarn'),
    },
    selectedBy: 'default',
  };
}
