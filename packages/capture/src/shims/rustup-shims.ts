// rustup: `cargo`, `rustc` and the others on `PATH` are rustup itself; the toolchain is chosen by files.

import { rustToolchain } from '../declared/rust-toolchain.ts';
import type { ShimContext, ShimManager } from './shim.ts';
import { displayName } from './shim.ts';

export const rustupManager: ShimManager = {
  name: 'rustup',
  async recognises({ machine }, { name, path, realPath }) {
    if (name === 'rustup') return false;
    if (/^rustup(?:-init)?(?:\.exe)?$/.test(machine.files.paths.basename(realPath))) return true;
    if (machine.files.paths.dirname(path) !== machine.files.paths.join(cargoHome({ machine }), 'bin'))
      return false;
    // Where links are not to be had, each proxy is a copy of rustup of the same size.
    const rustup = await machine.files.status(
      machine.files.paths.join(machine.files.paths.dirname(path), siblingName(path, 'rustup')),
    );
    const self = await machine.files.status(path);
    return rustup !== undefined && self !== undefined && rustup.sizeBytes === self.sizeBytes;
  },
  async resolve(context, { name, path }) {
    const { machine } = context;
    const root = rustupHome(context);
    const settings = (await machine.files.text(machine.files.paths.join(root, 'settings.toml'))) ?? '';
    const choice = await chosenToolchain(context, settings);
    if (!choice) return { kind: 'absent', reason: 'no toolchain is chosen' };
    if (choice.path !== undefined)
      return { kind: 'unknown', reason: `${choice.selectedBy} names a folder instead of a toolchain` };
    const folder = await toolchainFolder(context, root, settings, choice.toolchain);
    if (!folder)
      return {
        kind: 'absent',
        reason: `toolchain ${choice.toolchain} (${choice.selectedBy}) is not installed`,
      };
    const program = machine.files.paths.join(folder, 'bin', siblingName(path, name));
    if (await machine.files.isFile(program))
      return {
        kind: 'tool',
        path: program,
        selectedBy: choice.selectedBy,
        root: machine.files.paths.join(root, 'toolchains'),
      };
    return { kind: 'absent', reason: `toolchain ${choice.toolchain} (${choice.selectedBy}) has no ${name}` };
  },
};

function siblingName(path: string, name: string): string {
  return path.toLowerCase().endsWith('.exe') ? `${name}.exe` : name;
}

function cargoHome({ machine }: Pick<ShimContext, 'machine'>): string {
  return machine.env.CARGO_HOME || machine.files.paths.join(machine.homeDir, '.cargo');
}

function rustupHome({ machine }: ShimContext): string {
  return machine.env.RUSTUP_HOME || machine.files.paths.join(machine.homeDir, '.rustup');
}

interface Choice {
  readonly toolchain: string;
  readonly selectedBy: string;
  /** Folder of a toolchain that is not rustup's own. */
  readonly path?: string;
}

/** rustup's order: the variable, then folder by folder upward an override or a toolchain file, then the default. */
async function chosenToolchain(context: ShimContext, settings: string): Promise<Choice | undefined> {
  const { machine } = context;
  if (machine.env.RUSTUP_TOOLCHAIN)
    return { toolchain: machine.env.RUSTUP_TOOLCHAIN, selectedBy: 'RUSTUP_TOOLCHAIN' };
  const overrides = overridesOf(settings);
  for (const folder of machine.files.upward(context.folder)) {
    const override = overrides.get(folder);
    if (override) return { toolchain: override, selectedBy: 'rustup override' };
    for (const fileName of ['rust-toolchain', 'rust-toolchain.toml']) {
      const file = machine.files.paths.join(folder, fileName);
      const text = await machine.files.text(file);
      const declared = text === undefined ? undefined : rustToolchain(text);
      const selectedBy = displayName(context, file);
      if (declared?.path)
        return {
          toolchain: declared.path,
          path: machine.files.paths.resolve(folder, declared.path),
          selectedBy,
        };
      if (declared?.channel) return { toolchain: declared.channel, selectedBy };
    }
  }
  const fallback = settingOf(settings, 'default_toolchain');
  return fallback ? { toolchain: fallback, selectedBy: 'default' } : undefined;
}

function settingOf(settings: string, key: string): string | undefined {
  const lines = settings.matchAll(/^(\w+)[ \t]*=[ \t]*["']([^"'\n]+)["']/gm);
  return [...lines].find(([, name]) => name === key)?.[2];
}

function overridesOf(settings: string): Map<string, string> {
  const section = settings.split(/^\[overrides\]\s*$/m)[1]?.split(/^\[/m)[0] ?? '';
  const overrides = new Map<string, string>();
  for (const [, folder = '', toolchain = ''] of section.matchAll(/^["'](.+?)["']\s*=\s*["']([^"']+)["']/gm)) {
    overrides.set(folder.replaceAll('\\\\', '\\'), toolchain);
  }
  return overrides;
}

async function toolchainFolder(
  { machine }: ShimContext,
  root: string,
  settings: string,
  toolchain: string,
): Promise<string | undefined> {
  const toolchains = machine.files.paths.join(root, 'toolchains');
  const installed = await machine.files.names(toolchains);
  const host = settingOf(settings, 'default_host_triple');
  const matching =
    installed.find((name) => name === toolchain) ??
    (host ? installed.find((name) => name === `${toolchain}-${host}`) : undefined) ??
    installed.find(
      (name) => name.startsWith(`${toolchain}-`) && /^[a-z0-9_]+-/.test(name.slice(toolchain.length + 1)),
    );
  return matching === undefined ? undefined : machine.files.paths.join(toolchains, matching);
}
