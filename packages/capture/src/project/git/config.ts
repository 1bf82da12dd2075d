// The few settings of git that say how a work tree is to be read. Files are data: nothing that they name is started, and
// other files that they include are not read.

import type { MachineFiles } from '../../system/machine-files.ts';

/** Settings by `section.name` or `section.subsection.name`; section and name in lower case, the last one wins. */
export type GitConfig = ReadonlyMap<string, string>;

/** Reads config files, later ones over earlier ones; absent ones hold nothing. */
export async function readGitConfig(files: MachineFiles, paths: readonly string[]): Promise<GitConfig> {
  const settings = new Map<string, string>();
  for (const path of paths) {
    const text = await files.text(path);
    if (text !== undefined) addSettings(settings, text);
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

function addSettings(settings: Map<string, string>, text: string): void {
  let section = '';
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    const [, name, subsection] = /^\[([\w.-]+)(?:\s+"([^"]*)")?\s*\]/.exec(trimmed) ?? [];
    if (name !== undefined) {
      section = name.toLowerCase() + (subsection === undefined ? '' : `.${subsection}`);
      continue;
    }
    const [, key, value = 'true'] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(trimmed) ?? [];
    if (key === undefined || section === '') continue;
    settings.set(`${section}.${key.toLowerCase()}`, unquoted(value));
  }
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return quoted === undefined ? value.replace(/\s*[#;].*$/, '') : quoted.replace(/\\(.)/g, '$1');
}
