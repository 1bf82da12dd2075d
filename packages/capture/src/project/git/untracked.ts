// Walks a work tree: counts the files that are neither tracked nor ignored, and finds ignored ones.

import { type GitignoreRules, noRules, readRules } from '../../dependencies/walk/gitignore.ts';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { type GitConfig, userFile } from './config.ts';
import type { IgnoredPaths } from './ignored-files.ts';
import { foldersAbove, type IndexEntry } from './index-file.ts';
import { absolutePath, endsRepositoryAbove, type Repository } from './repository.ts';

/** Maximum number of folder entries that are read. */
const maxEntries = 400_000;

const entrySteps = 100;

/** Walks the work tree; an untracked nested repository counts as one entry. */
export async function countUntracked(
  machine: CapturedMachine,
  repository: Repository,
  config: GitConfig,
  entries: readonly IndexEntry[],
): Promise<{ readonly count: number; readonly ignored: IgnoredPaths } | { readonly unknown: string }> {
  const { join } = machine.files.paths;
  const { commonFolder } = repository;
  const tracked = new Set(entries.map((entry) => entry.path.normalize('NFC')));
  const trackedFolders = foldersAbove(tracked);
  const ofUser = userFile(machine, config.get('core.excludesfile'), 'ignore');
  const usual = await readRules(machine, noRules, '', ofUser);
  const rules = await readRules(machine, usual, '', join(commonFolder, 'info', 'exclude'));
  let seen = 0;
  let count = 0;
  const ignored = { files: [] as string[], folders: [] as string[] };
  const pending: { folder: string; rules: GitignoreRules }[] = [{ folder: '', rules }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { folder } = next;
    const absolute = folder === '' ? repository.workTree : absolutePath({ machine, repository }, folder);
    const listed = await machine.readDirectory(absolute).catch(() => undefined);
    if (!listed) return { unknown: `the folder ${folder} cannot be read` };
    seen += listed.length;
    machine.spend(fileSteps + listed.length * entrySteps);
    if (seen > maxEntries) return { unknown: 'the work tree contains too many files' };
    const here = listed.some(({ name }) => name === '.gitignore')
      ? await readRules(machine, next.rules, folder, join(absolute, '.gitignore'))
      : next.rules;
    for (const { name, kind } of listed) {
      if (name === '.git') continue;
      const inside = folder === '' ? name : `${folder}/${name}`;
      const path = inside.normalize('NFC');
      if (tracked.has(path)) continue;
      if (kind !== 'directory') {
        // git ignores sockets, pipes and devices.
        if (kind === 'other') continue;
        if (!here.ignores(path)) count += 1;
        else if (kind === 'file') ignored.files.push(inside);
      } else if (here.ignores(`${path}/`)) ignored.folders.push(inside);
      else {
        // A nested repository that is not tracked is untracked as a whole.
        const isRepository =
          !trackedFolders.has(path) && (await endsRepositoryAbove(machine.files, join(absolute, name)));
        if (isRepository) count += 1;
        else pending.push({ folder: inside, rules: here });
      }
    }
  }
  return { count, ignored };
}
