// Windows: programs that start another one, named by a file beside them or by a setting, since links need special rights there.

import { localAppData, type ShimAnswer, type ShimManager } from './shim.ts';

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
    const isProgram = /\.exe$/i.test(path);
    const text = (await files.text(isProgram ? path.replace(/exe$/i, 'shim') : path)) ?? '';
    const target = (isProgram ? /^[ \t]*path[ \t]*=[ \t]*"?([^"\r\n]+)/im : /^@rem ([^\r\n]+)/).exec(
      text,
    )?.[1];
    const root = join(dirname(dirname(path)), 'apps');
    if (target === undefined || target.includes('%'))
      return { kind: 'unknown', reason: `the shim ${name} does not name its program` };
    return (await files.isFile(target.trim()))
      ? { kind: 'tool', path: target.trim(), selectedBy: 'scoop', root }
      : { kind: 'absent', reason: 'its program is not there' };
  },
};

/** The launcher of Python. Which Python it starts is in the registry, so it is asked itself. */
export const pythonLauncher: ShimManager = {
  name: 'py',
  recognises: ({ machine }, { path }) =>
    machine.platform === 'win32' && machine.files.paths.basename(path).toLowerCase() === 'py.exe',
  async resolve({ machine }, { path }): Promise<ShimAnswer> {
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
