// What version control leaves out: .gitignore files of every level and .git/info/exclude.

import { posix } from 'node:path';
import { endsRepositoryAbove, repositoryAt } from '../../project/git/repository.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { type GitignoreRules, noRules, readRules } from './gitignore.ts';

/** Rules that hold in one folder; each level below adds its own. Paths are relative to the base with `/`. */
export interface IgnoreRules extends GitignoreRules {
  /** Absolute path of the folder that the rules' paths are relative to. */
  readonly base: string;
}

/** The rules of a folder with those of a rules file in it added. */
export async function addRules(
  machine: CapturedMachine,
  { base, ...rules }: IgnoreRules,
  folder: string,
): Promise<IgnoreRules> {
  return { base, ...(await readRules(machine, rules, folder, posix.join(base, folder, '.gitignore'))) };
}

/**
 * Rules that hold in a folder from above: of the repository's root (`info/exclude`) and of every folder between it and
 * the given one, whose own .gitignore is not read here. Without a repository: none.
 */
export async function rulesAbove(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  const { files } = machine;
  let root: string | undefined;
  // Wherever `.git` leads: a worktree or submodule that a container mounts alone has the rules that it has outside.
  for (const above of files.upward(folder))
    if (root === undefined && (await endsRepositoryAbove(files, above))) root = above;
  if (root === undefined) return { base: folder, ...noRules };
  let rules = await rulesOfRepository(machine, root);
  const between = posix.relative(rules.base, folder);
  const segments = between === '' ? [] : between.split('/');
  for (let depth = 0; depth < segments.length; depth += 1)
    rules = await addRules(machine, rules, segments.slice(0, depth).join('/'));
  // Whoever names an ignored folder wants it captured.
  return between !== '' && rules.ignores(`${between}/`) ? { base: folder, ...noRules } : rules;
}

/** Rules of a repository below the captured folder: those of the outer one end at its border. */
export async function rulesOfRepository(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  const repository = await repositoryAt(machine.files, folder);
  if (repository === undefined) return { base: folder, ...noRules };
  const file = machine.files.paths.join(repository.commonFolder, 'info', 'exclude');
  return { base: folder, ...(await readRules(machine, noRules, '', file)) };
}
