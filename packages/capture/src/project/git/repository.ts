// Finds the repository of a folder and its head, only from files: git is never started for a captured folder.

import type { CapturedMachine } from '../../system/machine.ts';
import type { MachineFiles } from '../../system/machine-files.ts';
import { parseGitConfig } from './config-syntax.ts';

export interface Repository {
  readonly workTree: string;
  /** Contains `HEAD` and `index`; a worktree has its own. */
  readonly gitFolder: string;
  /** Contains the objects and the references that worktrees share. */
  readonly commonFolder: string;
  readonly hash: 'sha1' | 'sha256';
}

/** The content of `HEAD`. `unreadable`: why the commit cannot be determined. */
interface Head {
  /** Full object name; absent before the first commit. */
  readonly commit?: string;
  /** Absent when the head is detached. */
  readonly branch?: string;
  readonly unreadable?: string;
}

/** The repository of the nearest `.git` at or above the folder. A bare repository without `.git` has no work tree. */
export async function findRepository(files: MachineFiles, folder: string): Promise<Repository | undefined> {
  for (const above of files.upward(folder)) {
    if (await endsRepositoryAbove(files, above)) return repositoryAt(files, above);
  }
  return undefined;
}

/**
 * Whether a folder does not belong to a repository above it: it has its own, or a file `.git`, which may lead nowhere in a
 * container. git treats a folder `.git` that is not a repository (empty, or another tool's) like any other folder.
 */
export async function endsRepositoryAbove(files: MachineFiles, folder: string): Promise<boolean> {
  const isRepository = (await repositoryAt(files, folder)) !== undefined;
  return isRepository || files.isFile(files.paths.join(folder, '.git'));
}

/** The repository whose `.git` is in this folder. */
export async function repositoryAt(files: MachineFiles, workTree: string): Promise<Repository | undefined> {
  const { paths } = files;
  const dotGit = paths.join(workTree, '.git');
  const status = await files.status(dotGit);
  if (!status) return undefined;
  let gitFolder = dotGit;
  if (status.kind === 'file') {
    const target = /^gitdir: (.+)$/m.exec((await files.text(dotGit)) ?? '')?.[1]?.trim();
    if (!target) return undefined;
    gitFolder = paths.resolve(workTree, target);
  }
  if (!(await files.isFile(paths.join(gitFolder, 'HEAD')))) return undefined;
  const common = (await files.text(paths.join(gitFolder, 'commondir')))?.trim();
  const commonFolder = common ? paths.resolve(gitFolder, common) : gitFolder;
  const config = (await files.text(paths.join(commonFolder, 'config'))) ?? '';
  const settings = /objectformat/i.test(config) ? parseGitConfig(config) : [];
  const format = settings.findLast(({ key }) => key === 'extensions.objectformat')?.value;
  const hash = format?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
  return { workTree, gitFolder, commonFolder, hash };
}

/** A path of the index below the work tree. */
export function absolutePath(
  { machine, repository }: { readonly machine: CapturedMachine; readonly repository: Repository },
  path: string,
): string {
  const { sep } = machine.files.paths;
  return `${repository.workTree}${sep}${sep === '/' ? path : path.replaceAll('/', sep)}`;
}

const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Maximum depth of references to references, as in git. */
const maxReferences = 5;

/** Reads the head from `HEAD`, loose references and `packed-refs`. */
export async function readHead(files: MachineFiles, repository: Repository): Promise<Head> {
  const { paths } = files;
  const { gitFolder, commonFolder } = repository;
  let text = (await files.text(paths.join(gitFolder, 'HEAD')))?.trim() ?? '';
  let branch: string | undefined;
  for (let remaining = maxReferences; remaining > 0; remaining -= 1) {
    if (objectName.test(text)) return { commit: text, ...(branch !== undefined && { branch }) };
    const reference = /^ref:\s*(refs\/\S+)$/.exec(text)?.[1];
    if (!reference || reference.split('/').includes('..')) return { unreadable: 'HEAD is damaged' };
    if (reference === 'refs/heads/.invalid')
      return { unreadable: 'the repository stores its references in the reftable format' };
    branch ??= reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : undefined;
    const own = (await files.text(paths.join(gitFolder, reference)))?.trim();
    const shared = own || (await files.text(paths.join(commonFolder, reference)))?.trim();
    const found =
      shared || (await packedReference(files, paths.join(commonFolder, 'packed-refs'), reference));
    // A branch without a commit: nothing was committed yet.
    if (found === undefined) return { ...(branch !== undefined && { branch }) };
    text = found;
  }
  return { unreadable: 'HEAD is a chain of references that is too long' };
}

async function packedReference(files: MachineFiles, file: string, reference: string) {
  const lines = ((await files.text(file)) ?? '').split('\n');
  return lines.find((line) => line.trimEnd().endsWith(` ${reference}`))?.split(' ', 1)[0];
}
