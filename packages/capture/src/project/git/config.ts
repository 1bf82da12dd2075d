// Git's configuration in effect for a folder, read from files: the system's, the user's, what these include, the repository's.
// The repository's includes are not followed, because a captured folder must not choose which files are read. git-config(1).

import { compileGlob, GlobError } from '@envsnap/shared/text/glob';
import type { CapturedMachine } from '../../system/machine.ts';
import { parseGitConfig } from './config-syntax.ts';
import { findRepository } from './repository.ts';

/** Values by `section.name` or `section.subsection.name` in the order in which git reads them; section and name in lower case. */
type GitSettings = ReadonlyMap<string, readonly string[]>;

const maxIncludes = 32;

export async function readGitSettings(machine: CapturedMachine, folder: string): Promise<GitSettings> {
  const { paths } = machine.files;
  const config = new Map<string, string[]>();
  const repository = await findRepository(machine.files, folder);
  let included = 0;

  const add = async (file: string, followsIncludes: boolean, seen: readonly string[] = []): Promise<void> => {
    const text = paths.isAbsolute(file) ? await machine.files.text(file) : undefined;
    if (text === undefined || seen.includes(file)) return;
    for (const { key, value } of parseGitConfig(text)) {
      const values = config.get(key) ?? [];
      values.push(value);
      config.set(key, values);
      if (!followsIncludes || included >= maxIncludes) continue;
      if (key !== 'include.path' && !(await conditionHolds(key))) continue;
      included += 1;
      const path = value.startsWith('~/') ? paths.join(machine.homeDir, value.slice(2)) : value;
      await add(paths.resolve(paths.dirname(file), path), true, [...seen, file]);
    }
  };
  /** `includeIf.gitdir:~/work/.path`: only conditions on the repository's path are supported. */
  const conditionHolds = async (key: string): Promise<boolean> => {
    const [, ignoresCase, pattern] = /^includeif\.gitdir(\/i)?:(.*)\.path$/s.exec(key) ?? [];
    if (pattern === undefined || repository === undefined) return false;
    const { gitFolder } = repository;
    const real = (await machine.files.realPath(gitFolder)) ?? gitFolder;
    const expanded = pattern.startsWith('~/') ? paths.join(machine.homeDir, pattern.slice(1)) : pattern;
    const rooted = /^(?:\/|[A-Za-z]:)/.test(expanded) ? expanded : `**/${expanded}`;
    const test = globTest(rooted.endsWith('/') ? `${rooted}**` : rooted, ignoresCase !== undefined);
    return [gitFolder, real].some((path) => test(path.replaceAll('\\', '/')));
  };

  for (const file of [...systemFiles(machine), ...globalFiles(machine)]) await add(file, true);
  if (repository !== undefined) {
    await add(paths.join(repository.commonFolder, 'config'), false);
    await add(paths.join(repository.gitFolder, 'config.worktree'), false);
  }
  return config;
}

/** Settings with one value each: the last one wins. */
export type GitConfig = ReadonlyMap<string, string>;

export function lastValues(settings: GitSettings): GitConfig {
  return new Map([...settings].map(([key, values]) => [key, values.at(-1) ?? '']));
}

/** The user's file of attributes or ignore rules: the one that a setting names, else the default. */
export function userFile(
  { env, homeDir, files: { paths } }: CapturedMachine,
  named: string | undefined,
  usual: 'attributes' | 'ignore',
): string {
  const configFolder = env.XDG_CONFIG_HOME || paths.join(homeDir, '.config');
  return named?.replace(/^~(?=[/\\])/, homeDir) ?? paths.join(configFolder, 'git', usual);
}

/** The user's files; a variable may name another file instead, or none if it is empty. */
function globalFiles({ env, homeDir, files: { paths } }: CapturedMachine): string[] {
  if (env.GIT_CONFIG_GLOBAL !== undefined) return [env.GIT_CONFIG_GLOBAL];
  const xdg = env.XDG_CONFIG_HOME || paths.join(homeDir, '.config');
  return [paths.join(xdg, 'git', 'config'), paths.join(homeDir, '.gitconfig')];
}

/** The path of the system's file depends on how git was built; all that exist are read, in a fixed order. */
function systemFiles({ platform, env }: CapturedMachine): string[] {
  if (env.GIT_CONFIG_SYSTEM !== undefined) return [env.GIT_CONFIG_SYSTEM];
  if (env.GIT_CONFIG_NOSYSTEM && env.GIT_CONFIG_NOSYSTEM !== '0') return [];
  if (platform === 'win32') {
    const programs = env.ProgramFiles ?? 'C:\\Program Files';
    return [`${env.ProgramData ?? 'C:\\ProgramData'}\\Git\\config`, `${programs}\\Git\\etc\\gitconfig`];
  }
  if (platform === 'darwin')
    return [
      '/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig',
      '/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig',
      '/opt/homebrew/etc/gitconfig',
      '/usr/local/etc/gitconfig',
      '/etc/gitconfig',
    ];
  return ['/etc/gitconfig'];
}

function globTest(pattern: string, ignoreCase: boolean): (path: string) => boolean {
  try {
    const matches = compileGlob(pattern, { syntax: 'paths', ignoreCase });
    return (path) => matches(path) || matches(`${path}/`);
  } catch (error) {
    if (error instanceof GlobError) return () => false;
    throw error;
  }
}
