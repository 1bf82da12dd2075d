// Git's configuration in effect for a folder, read from files: the system's, the user's, what these include, the repository's.
// The repository's own includes are not followed: a captured folder names no file that is read. git-config(1).

import { compileGlob, GlobError } from '@envsnap/shared/text/glob';
import { parseGitConfig } from '../project/git/config-syntax.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';

/** Values by `section.name` or `section.subsection.name` in the order in which git reads them; section and name in lower case. */
export type GitSettings = ReadonlyMap<string, readonly string[]>;

const maxIncludes = 32;

export async function readGitSettings(machine: CapturedMachine, folder: string): Promise<GitSettings> {
  const { paths } = machine.files;
  const config = new Map<string, string[]>();
  const repository = await findGitFolder(machine.files, folder);
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
  /** `includeIf.gitdir:~/work/.path`: only conditions on the repository's place are known here. */
  const conditionHolds = async (key: string): Promise<boolean> => {
    const [, ignoresCase, pattern] = /^includeif\.gitdir(\/i)?:(.*)\.path$/s.exec(key) ?? [];
    if (pattern === undefined || repository === undefined) return false;
    const real = (await machine.files.realPath(repository)) ?? repository;
    const expanded = pattern.startsWith('~/') ? paths.join(machine.homeDir, pattern.slice(1)) : pattern;
    const rooted = /^(?:\/|[A-Za-z]:)/.test(expanded) ? expanded : `**/${expanded}`;
    const test = globTest(rooted.endsWith('/') ? `${rooted}**` : rooted, ignoresCase !== undefined);
    return [repository, real].some((path) => test(path.replaceAll('\\', '/')));
  };

  for (const file of systemFiles(machine)) await add(file, true);
  for (const file of globalFiles(machine)) await add(file, true);
  if (repository !== undefined) {
    const common = (await machine.files.text(paths.join(repository, 'commondir')))?.trim();
    await add(paths.join(common ? paths.resolve(repository, common) : repository, 'config'), false);
    await add(paths.join(repository, 'config.worktree'), false);
  }
  return config;
}

/** The user's own files; a variable may name another one in their place, an empty one none. */
function globalFiles({ env, homeDir, files: { paths } }: CapturedMachine): string[] {
  if (env.GIT_CONFIG_GLOBAL !== undefined) return [env.GIT_CONFIG_GLOBAL];
  const xdg = env.XDG_CONFIG_HOME || paths.join(homeDir, '.config');
  return [paths.join(xdg, 'git', 'config'), paths.join(homeDir, '.gitconfig')];
}

/** The place of the system's file depends on where git was built for; all that exist count, in a fixed order. */
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

/** The `.git` folder that governs a folder; a worktree's or submodule's own. */
async function findGitFolder(files: MachineFiles, folder: string): Promise<string | undefined> {
  const { paths } = files;
  for (const above of files.upward(folder)) {
    const dotGit = paths.join(above, '.git');
    const status = await files.status(dotGit);
    if (status?.kind === 'directory') return dotGit;
    const target = status && /^gitdir: (.+)$/m.exec((await files.text(dotGit)) ?? '')?.[1]?.trim();
    if (target) return paths.resolve(above, target);
  }
  return undefined;
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
