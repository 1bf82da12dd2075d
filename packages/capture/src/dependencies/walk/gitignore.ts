// The rules of .gitignore files as git applies them, matched in linear time. https://git-scm.com/docs/gitignore

import { posix } from 'node:path';
import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';
import type { Spend } from '@envsnap/shared/work-budget';
import { endsRepositoryAbove, repositoryAt } from '../../project/git/repository.ts';
import { tooMuchToRead } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { decodeText } from '../text/decode-text.ts';

/** A line of a rules file. The last one that matches a path decides. */
interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Tests the path below the folder of the rules file or, if the pattern has no slash, only the last name. */
  readonly test: (text: string) => boolean;
  readonly byName: boolean;
}

/** The rules of a file and of the files above it, outer folders first. */
export interface GitignoreRules {
  readonly count: number;
  /** Patterns in the last file that are too long to be used. */
  readonly skippedPatterns: number;
  /** Whether a path (relative to the base, folders with `/` at the end) or a folder above it is left out. */
  ignores(path: string): boolean;
  /** The result of the last rule that matches a path. */
  decide(path: string, isFolder: boolean): boolean;
}

/** Largest rules file that is read, in bytes. */
const maxRulesBytes = 1024 * 1024;
/** Maximum number of rules for one path. */
const maxRules = 100_000;
/** Steps that a line costs, and that testing a rule on a path costs, apart from the characters of both. */
const [lineSteps, ruleSteps] = [150, 10];

export const noRules: GitignoreRules = {
  count: 0,
  skippedPatterns: 0,
  ignores: () => false,
  decide: () => false,
};

/**
 * Adds the rules file in `folder` (relative to the base, empty for the base) to the rules of outer folders. A file
 * that is absent or unreadable adds nothing. Throws `TooMuchWorkError`; so do the rules.
 */
export async function readRules(
  machine: CapturedMachine,
  outer: GitignoreRules,
  folder: string,
  file: string,
): Promise<GitignoreRules> {
  const { spend } = machine;
  const status = await machine.status(file).catch(() => undefined);
  if (status?.kind !== 'file') return { ...outer, skippedPatterns: 0 };
  if (status.sizeBytes > maxRulesBytes) throw tooMuchToRead();
  const { text } = decodeText(await machine.readFile(file).catch(() => new Uint8Array()));
  const lines = text.split(/\r?\n/);
  spend(lines.length * lineSteps + text.length);
  const short = lines.filter((line) => line.length <= maxPatternLength);
  const rules = short.map((line) => readRule(line, spend)).filter((rule) => rule !== undefined);
  if (outer.count + rules.length > maxRules) throw tooMuchToRead();
  const skippedPatterns = lines.length - short.length;
  if (rules.length === 0) return { ...outer, skippedPatterns };
  const prefix = folder === '' ? '' : `${folder}/`;
  const folders = new Map<string, boolean>();
  const decide = (path: string, isFolder: boolean): boolean => {
    if (!path.startsWith(prefix)) return outer.decide(path, isFolder);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const rest = path.slice(prefix.length);
    const last = rules.findLast(({ foldersOnly, byName, test }) => {
      spend(ruleSteps);
      return (isFolder || !foldersOnly) && test(byName ? name : rest);
    });
    return last ? !last.negated : outer.decide(path, isFolder);
  };
  const isInIgnored = (path: string): boolean => {
    const slash = path.lastIndexOf('/');
    return slash > 0 && folderIgnored(path.slice(0, slash));
  };
  const folderIgnored = (path: string): boolean => {
    if (!path.startsWith(prefix)) return outer.ignores(`${path}/`);
    const ignored = folders.get(path) ?? (isInIgnored(path) || decide(path, true));
    folders.set(path, ignored);
    return ignored;
  };
  return {
    count: outer.count + rules.length,
    skippedPatterns,
    decide,
    ignores: (path) =>
      path.endsWith('/') ? folderIgnored(path.slice(0, -1)) : isInIgnored(path) || decide(path, false),
  };
}

function readRule(line: string, spend: Spend): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  // Trailing spaces belong to the pattern only after a backslash.
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  const negated = line.startsWith('!');
  const written = line.slice(negated ? 1 : 0, end);
  const foldersOnly = written.endsWith('/');
  const pattern = foldersOnly ? written.slice(0, -1) : written;
  if (pattern === '') return undefined;
  const test = compileGlob(pattern.replace(/^\//, ''), { syntax: 'git', spend });
  return { negated, foldersOnly, byName: !pattern.includes('/'), test };
}

/** Rules in effect in a folder; each level below adds its own. Paths are relative to the base, with `/`. */
export interface IgnoreRules extends GitignoreRules {
  /** Absolute path of the folder that the rules' paths are relative to. */
  readonly base: string;
}

/** The rules of a folder, with those of the rules file in it. */
export async function addRules(
  machine: CapturedMachine,
  { base, ...rules }: IgnoreRules,
  folder: string,
): Promise<IgnoreRules> {
  return { base, ...(await readRules(machine, rules, folder, posix.join(base, folder, '.gitignore'))) };
}

/**
 * Rules in effect in a folder from above: those of `info/exclude` and of every folder between the repository's root
 * and the folder, without its own .gitignore. None without a repository.
 */
export async function rulesAbove(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  const { files } = machine;
  let root: string | undefined;
  // `.git` may lead elsewhere: in a container, a worktree or submodule has the same rules as outside.
  for (const above of files.upward(folder))
    if (root === undefined && (await endsRepositoryAbove(files, above))) root = above;
  if (root === undefined) return { base: folder, ...noRules };
  let rules = await rulesOfRepository(machine, root);
  const between = posix.relative(rules.base, folder);
  const segments = between === '' ? [] : between.split('/');
  for (let depth = 0; depth < segments.length; depth += 1)
    rules = await addRules(machine, rules, segments.slice(0, depth).join('/'));
  // If a user captures an ignored folder explicitly, its files are read.
  return between !== '' && rules.ignores(`${between}/`) ? { base: folder, ...noRules } : rules;
}

/** Rules in a repository below the captured folder: the outer repository's rules do not apply there. */
export async function rulesOfRepository(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  const repository = await repositoryAt(machine.files, folder);
  if (repository === undefined) return { base: folder, ...noRules };
  const file = machine.files.paths.join(repository.commonFolder, 'info', 'exclude');
  return { base: folder, ...(await readRules(machine, noRules, '', file)) };
}
