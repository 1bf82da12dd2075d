// The few settings of git that say how to read a work tree. Files are data: nothing that they name is started, and
// other files that they include are not read.

import type { MachineFiles } from '../../system/machine-files.ts';
import { parseGitConfig } from './config-syntax.ts';

/** Settings by `section.name` or `section.subsection.name`; section and name in lower case, the last one wins. */
export type GitConfig = ReadonlyMap<string, string>;

/** Reads config files, later ones over earlier ones; absent ones hold nothing. */
export async function readGitConfig(files: MachineFiles, paths: readonly string[]): Promise<GitConfig> {
  const settings = new Map<string, string>();
  for (const path of paths) {
    const text = await files.text(path);
    for (const { key, value } of parseGitConfig(text ?? '')) settings.set(key, value);
  }
  return settings;
}

/** The user's and the system's config files, in the order in which git reads them. */
export function userConfigFiles(
  files: MachineFiles,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): string[] {
  const { join } = files.paths;
  return ['/etc/gitconfig', join(env.XDG_CONFIG_HOME || join(homeDir, '.config'), 'git', 'config')].concat(
    join(homeDir, '.gitconfig'),
  );
}
