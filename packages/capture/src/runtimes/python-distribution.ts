// Versions of programs that are Python packages, from the metadata folders that pip and Debian leave beside them.

import { plainPythonName } from '../dependencies/python-name.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { VersionFromFiles } from './tool.ts';

/**
 * Finds `NAME-VERSION.dist-info` (or `.egg-info`) where the program's interpreter would: in its environment,
 * the user's packages first when it is the system's own interpreter.
 */
export function pythonDistribution(...names: readonly string[]): VersionFromFiles {
  const wanted = new Set(names.map(plainPythonName));
  const versionOf = (folder: string): string | undefined => {
    const [, name = '', version] = /^(.+?)-(\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info$/i.exec(folder) ?? [];
    return wanted.has(plainPythonName(name)) ? version : undefined;
  };
  return async ({ machine, path, realPath }) => {
    const script = (await machine.files.text(realPath)) ?? '';
    const interpreter = /^#!\s*(\/\S*python[\d.]*)\s*$/m.exec(script.slice(0, 300))?.[1];
    for (const folder of await packageFolders(
      machine.files,
      machine.homeDir,
      [path, realPath],
      interpreter,
    )) {
      for (const name of await machine.files.names(folder)) {
        const version = versionOf(name);
        if (version) return version;
      }
    }
    return undefined;
  };
}

async function packageFolders(
  files: MachineFiles,
  homeDir: string,
  programs: readonly string[],
  interpreter: string | undefined,
): Promise<string[]> {
  const { paths } = files;
  const programFolders = [...new Set([...programs, ...(interpreter ? [interpreter] : [])])].map(
    paths.dirname,
  );
  const realInterpreter = interpreter ? await files.realPath(interpreter) : undefined;
  const minor = /python(3\.\d+)$/.exec(realInterpreter ?? '')?.[1];
  const folders: string[] = [];
  if (interpreter?.startsWith('/usr/bin/') && minor) {
    folders.push(
      `${homeDir}/.local/lib/python${minor}/site-packages`,
      `/usr/local/lib/python${minor}/dist-packages`,
      `/usr/local/lib/python${minor}/site-packages`,
      '/usr/lib/python3/dist-packages',
      `/usr/lib/python${minor}/site-packages`,
    );
  }
  for (const folder of programFolders) {
    const prefix = paths.dirname(folder);
    const libraries = paths.join(prefix, 'lib');
    for (const name of await files.names(libraries)) {
      if (/^python[23](?:\.\d+)?$/.test(name)) {
        folders.push(
          paths.join(libraries, name, 'site-packages'),
          paths.join(libraries, name, 'dist-packages'),
        );
      }
    }
    folders.push(paths.join(prefix, 'Lib', 'site-packages'));
  }
  return [...new Set(folders)];
}
