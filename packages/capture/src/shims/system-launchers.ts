// Programs of macOS and Windows that start another program, or offer to install it if it is missing.

import { orderVersions } from '@envsnap/versions';
import type { MachineFiles } from '../system/machine-files.ts';
import { absent, firstProgram, localAppData, type ShimManager } from './shim.ts';

const developerTools = new Set(
  'git python3 pip3 gcc g++ clang clang++ make gmake swift swiftc m4 flex bison ld lldb svn xcodebuild gm4'.split(
    ' ',
  ),
);

/** `/usr/bin/git` and others of macOS. Never started directly: a stub without its tool opens a window. */
export const appleStubManager: ShimManager = {
  name: 'xcode-select',
  recognises: ({ machine }, { name, path }) =>
    machine.platform === 'darwin' &&
    path === `/usr/bin/${name}` &&
    (developerTools.has(name) || name === 'java'),
  async resolve(context, { name }) {
    const { env, files } = context.machine;
    if (name === 'java') {
      const home = env.JAVA_HOME ?? (await newestJavaHome(files));
      const java = home && (await firstProgram(context, [`${home}/bin/java`], 'java_home', home));
      return java || absent('no Java is installed');
    }
    for (const folder of [
      env.DEVELOPER_DIR,
      await files.realPath('/var/db/xcode_select_link'),
      '/Applications/Xcode.app/Contents/Developer',
      '/Library/Developer/CommandLineTools',
    ]) {
      const places = ['usr/bin', 'Toolchains/XcodeDefault.xctoolchain/usr/bin'];
      const programs = folder ? places.map((inner) => `${folder}/${inner}/${name}`) : [];
      const found = await firstProgram(context, programs, 'xcode-select', folder ?? '');
      if (found) return found;
    }
    return absent('the developer tools are not installed');
  },
};

async function newestJavaHome(files: MachineFiles): Promise<string | undefined> {
  const root = '/Library/Java/JavaVirtualMachines';
  const homes = new Map<string, string>();
  for (const name of await files.names(root)) {
    const home = `${root}/${name}/Contents/Home`;
    const version = /^JAVA_VERSION="([^"]+)"/m.exec((await files.text(`${home}/release`)) ?? '')?.[1];
    if (version) homes.set(version, home);
  }
  return homes.get(orderVersions([...homes.keys()], 'generic').at(-1) ?? '');
}

/** Scoop: each `NAME.exe` in `shims` has a `NAME.shim` with its target; each `NAME.cmd` names it in its first line. */
export const scoopManager: ShimManager = {
  name: 'scoop',
  async recognises({ machine: { files, platform } }, { path }) {
    if (platform !== 'win32' || !/[\\/]shims[\\/][^\\/]+\.(?:exe|cmd)$/i.test(path)) return false;
    if (/\.exe$/i.test(path)) return files.isFile(path.replace(/exe$/i, 'shim'));
    return (await files.text(path))?.startsWith('@rem ') ?? false;
  },
  async resolve({ machine: { files } }, { name, path }) {
    const { dirname, join } = files.paths;
    const text = (await files.text(path.replace(/exe$/i, 'shim'))) ?? '';
    const pattern = /\.exe$/i.test(path) ? /^[ \t]*path[ \t]*=[ \t]*"?([^"\r\n]+)/im : /^@rem ([^\r\n]+)/;
    const target = pattern.exec(text)?.[1]?.trim();
    if (target === undefined || target.includes('%'))
      return { kind: 'unknown', reason: `the shim ${name} does not name its program` };
    const root = join(dirname(dirname(path)), 'apps');
    return (await files.isFile(target))
      ? { kind: 'tool', path: target, selectedBy: 'scoop', root }
      : absent('its program is not there');
  },
};

/** The launcher of Python. Which Python it starts is in the registry, so it is started. */
export const pythonLauncher: ShimManager = {
  name: 'py',
  recognises: ({ machine }, { path }) =>
    machine.platform === 'win32' && machine.files.paths.basename(path).toLowerCase() === 'py.exe',
  async resolve({ machine }, { path }) {
    const { join, dirname } = machine.files.paths;
    const { VIRTUAL_ENV, PY_PYTHON } = machine.env;
    if (VIRTUAL_ENV) {
      const own = join(VIRTUAL_ENV, 'Scripts', 'python.exe');
      return { kind: 'tool', path: own, selectedBy: 'VIRTUAL_ENV', root: VIRTUAL_ENV };
    }
    const root = dirname(path);
    if (PY_PYTHON) return { kind: 'tool', path, selectedBy: 'PY_PYTHON', root };
    for (const folder of [localAppData(machine), root]) {
      const file = join(folder, 'py.ini');
      if (/^[ \t]*python[ \t]*=/im.test((await machine.files.text(file)) ?? ''))
        return { kind: 'tool', path, selectedBy: file, root };
    }
    return { kind: 'tool', path, selectedBy: 'default', root };
  },
};
