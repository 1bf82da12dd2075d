// State of the git repository that holds the captured folder, read from its files where they tell.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { MachineFiles } from '../system/machine-files.ts';
import type { System } from '../system/system.ts';
import type { CaptureWarning } from '../warning.ts';

export interface GitState {
  /** Full object name; absent before the first commit. */
  readonly commit?: string;
  /** Absent when the head is detached. */
  readonly branch?: string;
  /** Changed or untracked files; absent where git could not be asked. */
  readonly dirty?: boolean;
}

export interface CollectedGit {
  readonly git?: GitState;
  readonly unknown: readonly UnknownEntry[];
  readonly warnings: readonly CaptureWarning[];
}

/** `gitProgram`: the real git; without it only what files tell is known. */
export async function collectGit(
  system: System,
  files: MachineFiles,
  folder: string,
  gitProgram: () => Promise<string | undefined>,
): Promise<CollectedGit> {
  const repository = await findRepository(files, folder);
  if (!repository) return { unknown: [], warnings: [] };
  const program = await gitProgram();
  const [head, dirty] = await Promise.all([
    readHead(system, files, repository, folder, program),
    program === undefined ? undefined : askDirty(system, folder, program),
  ]);
  const warnings: CaptureWarning[] =
    program !== undefined && dirty === undefined
      ? [
          {
            code: 'git_unreadable',
            message: 'git did not tell whether files are changed; the snapshot does not say it.',
          },
        ]
      : [];
  const unknown: UnknownEntry[] =
    dirty === undefined
      ? [
          {
            section: 'git',
            key: 'dirty',
            reason: program === undefined ? 'there is no git' : 'git did not tell',
          },
        ]
      : [];
  return { git: { ...head, ...(dirty !== undefined && { dirty }) }, unknown, warnings };
}

interface Repository {
  /** Holds `HEAD`; a worktree has its own. */
  readonly gitFolder: string;
  /** Holds the references that worktrees share. */
  readonly commonFolder: string;
}

async function findRepository(files: MachineFiles, folder: string): Promise<Repository | undefined> {
  const { paths } = files;
  for (const above of files.upward(folder)) {
    const dotGit = paths.join(above, '.git');
    const status = await files.status(dotGit);
    if (!status) continue;
    let gitFolder = dotGit;
    if (status.kind === 'file') {
      const target = /^gitdir: (.+)$/m.exec((await files.text(dotGit)) ?? '')?.[1]?.trim();
      if (!target) continue;
      gitFolder = paths.resolve(above, target);
    }
    if (!(await files.isFile(paths.join(gitFolder, 'HEAD')))) continue;
    const common = (await files.text(paths.join(gitFolder, 'commondir')))?.trim();
    return { gitFolder, commonFolder: common ? paths.resolve(gitFolder, common) : gitFolder };
  }
  return undefined;
}

const objectName = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

async function readHead(
  system: System,
  files: MachineFiles,
  { gitFolder, commonFolder }: Repository,
  folder: string,
  program: string | undefined,
): Promise<Pick<GitState, 'commit' | 'branch'>> {
  const { paths } = files;
  const head = (await files.text(paths.join(gitFolder, 'HEAD')))?.trim() ?? '';
  if (objectName.test(head)) return { commit: head };
  const reference = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (!reference || reference.split('/').includes('..')) return {};
  if (reference === 'refs/heads/.invalid') return askHead(system, folder, program);
  const branch = reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : undefined;
  for (const root of [gitFolder, commonFolder]) {
    const loose = (await files.text(paths.join(root, ...reference.split('/'))))?.trim();
    if (loose && objectName.test(loose)) return { commit: loose, ...(branch && { branch }) };
  }
  const packed = (await files.text(paths.join(commonFolder, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((each) => each.endsWith(` ${reference}`));
  const commit = line?.split(' ', 1)[0];
  return { ...(commit && objectName.test(commit) && { commit }), ...(branch && { branch }) };
}

/** Repositories with the reference table format keep no reference in a readable file. */
async function askHead(
  system: System,
  folder: string,
  program: string | undefined,
): Promise<Pick<GitState, 'commit' | 'branch'>> {
  if (program === undefined) return {};
  const ask = async (...args: string[]): Promise<string | undefined> => {
    const asked = await runGit(system, folder, program, args);
    return asked.exitCode === 0 ? asked.stdout.trim() : undefined;
  };
  const [commit, branch] = await Promise.all([
    ask('rev-parse', '--verify', 'HEAD'),
    ask('symbolic-ref', '--short', 'HEAD'),
  ]);
  return { ...(commit && objectName.test(commit) && { commit }), ...(branch && { branch }) };
}

async function askDirty(system: System, folder: string, program: string): Promise<boolean | undefined> {
  const asked = await runGit(system, folder, program, ['status', '--porcelain', '--untracked-files=normal']);
  // Enough changed files to pass the output limit are an answer too.
  if (asked.outcome === 'overflow') return true;
  return asked.exitCode === 0 ? asked.stdout !== '' : undefined;
}

/** Without locks, file-system monitor, hooks, pager and prompt: asking must not change the repository or start programs. */
async function runGit(system: System, folder: string, program: string, args: readonly string[]) {
  const settings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'submodule.recurse=false'];
  return system.execute(
    program,
    ['-C', folder, '--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args],
    {
      env: {
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        GIT_DIR: undefined,
        GIT_WORK_TREE: undefined,
        GIT_INDEX_FILE: undefined,
        GIT_OBJECT_DIRECTORY: undefined,
        GIT_TRACE: undefined,
        GIT_TRACE2: undefined,
        LC_ALL: 'C',
      },
    },
  );
}
