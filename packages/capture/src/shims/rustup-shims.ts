// rustup: `cargo`, `rustc` and the others on `PATH` are rustup itself; the toolchain is chosen by files.

import { rustToolchain } from '../declared/tool-lists.ts';
import { absent, displayName, firstProgram, type ShimContext, type ShimManager } from './shim.ts';

export const rustupManager: ShimManager = {
  name: 'rustup',
  async recognises({ machine: { env, files, homeDir } }, { name, path, realPath }) {
    const { basename, dirname, join } = files.paths;
    if (name === 'rustup') return false;
    if (/^rustup(?:-init)?(?:\.exe)?$/.test(basename(realPath))) return true;
    const folder = join(env.CARGO_HOME || join(homeDir, '.cargo'), 'bin');
    if (dirname(path) !== folder) return false;
    // Where links are not possible, each proxy is a copy of rustup with the same size.
    const rustup = await files.status(join(folder, siblingName(path, 'rustup')));
    return rustup !== undefined && rustup.sizeBytes === (await files.status(path))?.sizeBytes;
  },
  async resolve(context, { name, path }) {
    const { env, files, homeDir } = context.machine;
    const { join } = files.paths;
    const home = env.RUSTUP_HOME || join(homeDir, '.rustup');
    const root = join(home, 'toolchains');
    const settings = (await files.text(join(home, 'settings.toml'))) ?? '';
    const choice = await chosenToolchain(context, settings);
    if (!choice) return absent('no toolchain is chosen');
    const { toolchain, selectedBy } = choice;
    if (choice.isFolder)
      return { kind: 'unknown', reason: `${selectedBy} names a folder instead of a toolchain` };
    const installed = await files.names(root);
    const folder =
      [toolchain, `${toolchain}-${settingOf(settings, 'default_host_triple')}`].find((each) =>
        installed.includes(each),
      ) ??
      installed.find(
        (each) => each.startsWith(`${toolchain}-`) && /^[a-z0-9_]+-/.test(each.slice(toolchain.length + 1)),
      );
    if (!folder) return absent(`toolchain ${toolchain} (${selectedBy}) is not installed`);
    const program = join(root, folder, 'bin', siblingName(path, name));
    return (
      (await firstProgram(context, [program], selectedBy, root)) ??
      absent(`toolchain ${toolchain} (${selectedBy}) has no ${name}`)
    );
  },
};

function siblingName(path: string, name: string): string {
  return path.toLowerCase().endsWith('.exe') ? `${name}.exe` : name;
}

interface Choice {
  readonly toolchain: string;
  readonly selectedBy: string;
  /** A custom toolchain, not one of rustup's. */
  readonly isFolder?: boolean;
}

/** rustup's order: the variable, then folder by folder upward an override or a toolchain file, then the default. */
async function chosenToolchain(context: ShimContext, settings: string): Promise<Choice | undefined> {
  const { env, files } = context.machine;
  if (env.RUSTUP_TOOLCHAIN) return { toolchain: env.RUSTUP_TOOLCHAIN, selectedBy: 'RUSTUP_TOOLCHAIN' };
  const overrides = overridesOf(settings);
  for (const folder of files.upward(context.folder)) {
    const override = overrides.get(folder);
    if (override) return { toolchain: override, selectedBy: 'rustup override' };
    for (const fileName of ['rust-toolchain', 'rust-toolchain.toml']) {
      const file = files.paths.join(folder, fileName);
      const text = await files.text(file);
      const declared = text === undefined ? undefined : rustToolchain(text);
      const toolchain = declared?.path || declared?.channel;
      if (toolchain)
        return { toolchain, isFolder: Boolean(declared?.path), selectedBy: displayName(context, file) };
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
  const lines = [...section.matchAll(/^["'](.+?)["']\s*=\s*["']([^"']+)["']/gm)];
  return new Map(
    lines.map(([, folder = '', toolchain = '']) => [folder.replaceAll('\\\\', '\\'), toolchain]),
  );
}
