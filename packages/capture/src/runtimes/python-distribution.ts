// Versions of programs that are Python packages, from the metadata folders that pip and Debian put beside them.

import { plainPythonName } from '../dependencies/fields.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { VersionFromFiles } from './tool.ts';

/**
 * Finds `NAME-VERSION.dist-info` (or `.egg-info`) where the program's interpreter would: in its environment, and first in the
 * user's packages if it is the system's interpreter.
 */
export function pythonDistribution(...names: readonly string[]): VersionFromFiles {
  const plainNames = new Set(names.map(plainPythonName));
  const versionOf = (folder: string): string | undefined => {
    const [, name = '', version] = /^(.+?)-(\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info$/i.exec(folder) ?? [];
    return plainNames.has(plainPythonName(name)) ? version : undefined;
  };
  return async ({ machine: { files, homeDir }, path, realPath }) => {
    const script = (await files.text(realPath)) ?? '';
    const interpreter = /^#!\s*(\/\S*python[\d.]*)\s*$/m.exec(script.slice(0, 300))?.[1];
    const programs = [path, realPath, ...(interpreter ? [interpreter] : [])];
    for (const folder of await packageFolders(files, homeDir, programs, interpreter)) {
      const version = (await files.names(folder)).map(versionOf).find(Boolean);
      if (version) return version;
    }
    return undefined;
  };
}

async function packageFolders(
  files: MachineFiles,
  homeDir: string,
  programs: readonly string[],
  interpreter: string | undefined,
): Promise<ReadonlySet<string>> {
  const { dirname, join } = files.paths;
  const folders: string[] = [];
  const real = (interpreter?.startsWith('/usr/bin/') && (await files.realPath(interpreter))) || '';
  const minor = /python(3\.\d+)$/.exec(real)?.[1];
  if (minor)
    folders.push(
      `${homeDir}/.local/lib/python${minor}/site-packages`,
      `/usr/local/lib/python${minor}/dist-packages`,
      `/usr/local/lib/python${minor}/site-packages`,
      '/usr/lib/python3/dist-packages',
      `/usr/lib/python${minor}/site-packages`,
    );
  for (const prefix of new Set(programs.map((program) => dirname(dirname(program))))) {
    for (const name of await files.names(join(prefix, 'lib')))
      if (/^python[23](?:\.\d+)?$/.test(name))
        folders.push(...['site-packages', 'dist-packages'].map((kind) => join(prefix, 'lib', name, kind)));
    folders.push(join(prefix, 'Lib', 'site-packages'));
  }
  return new Set(folders);
}
