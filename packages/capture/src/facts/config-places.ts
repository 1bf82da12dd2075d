// Where package managers keep their configuration. The nearest to the project is last, so that a later file wins.

import type { MachineFiles } from '../system/machine-files.ts';
import type { FactSources } from './fact-reader.ts';

/** Paths may not exist. Files in the captured folder are only read as data. */
export function configPlaces({ machine, folder, locator }: FactSources) {
  const { env, homeDir, platform } = machine;
  const { paths } = machine.files;
  const { join } = paths;
  const onWindows = platform === 'win32';
  const home = (...parts: string[]): string => join(homeDir, ...parts);
  const appData = env.APPDATA ?? home('AppData', 'Roaming');
  const userConfig = onWindows
    ? appData
    : platform === 'darwin'
      ? home('Library', 'Application Support')
      : env.XDG_CONFIG_HOME || home('.config');
  const above = [...machine.files.upward(folder)].reverse();

  return {
    userConfig,
    home,
    /** The captured folder and those above it, the topmost first. */
    above,
    /** The folder of the nearest `package.json`, after that of its workspace. */
    npm: async (): Promise<string[]> => {
      const node = await locator.locate('node');
      const prefix = node.kind === 'found' ? paths.dirname(paths.dirname(node.realPath)) : undefined;
      const manifest = await machine.files.nearest(folder, 'package.json');
      const project = manifest && paths.dirname(manifest);
      const root = project && (await workspaceRoot(machine.files, project));
      return [
        ...(prefix ? [join(prefix, 'etc', 'npmrc')] : []),
        join(userConfig, 'pnpm', 'rc'),
        env.NPM_CONFIG_USERCONFIG || env.npm_config_userconfig || home('.npmrc'),
        ...[root, project].flatMap((each) => (each && each !== homeDir ? [join(each, '.npmrc')] : [])),
      ];
    },
    pip: (): string[] => [
      ...(onWindows ? [`${env.ProgramData ?? 'C:\\ProgramData'}\\pip\\pip.ini`] : []),
      ...(platform === 'darwin' ? ['/Library/Application Support/pip/pip.conf'] : []),
      ...(platform === 'linux' ? ['/etc/xdg/pip/pip.conf', '/etc/pip.conf'] : []),
      home('.pip', 'pip.conf'),
      ...(platform === 'darwin' ? [home('.config', 'pip', 'pip.conf')] : []),
      join(userConfig, 'pip', onWindows ? 'pip.ini' : 'pip.conf'),
      ...(env.PIP_CONFIG_FILE ? [env.PIP_CONFIG_FILE] : []),
      ...(env.VIRTUAL_ENV ? [env.VIRTUAL_ENV] : ['.venv', 'venv'].map((name) => join(folder, name))).map(
        (environment) => join(environment, onWindows ? 'pip.ini' : 'pip.conf'),
      ),
    ],
  };
}

/** The nearest folder above that is a workspace of npm or pnpm: package managers read its settings for all members. */
async function workspaceRoot(files: MachineFiles, project: string): Promise<string | undefined> {
  for (const above of files.upward(project).slice(1)) {
    const isPnpm = await files.isFile(files.paths.join(above, 'pnpm-workspace.yaml'));
    if (isPnpm || (await files.json(files.paths.join(above, 'package.json')))?.workspaces !== undefined)
      return above;
  }
  return undefined;
}
