// What version control leaves out: .gitignore files of every level and .git/info/exclude.

import { posix } from 'node:path';
import type { CapturedMachine } from '../../system/machine.ts';
import { decodeText } from '../text/decode-text.ts';
import { addGitignore, type GitignoreRules } from './gitignore.ts';

/** Rules that hold in one folder; each level below adds its own. Paths are relative to the base with `/`. */
export interface IgnoreRules {
  /** Absolute path of the folder that the rules' paths are relative to. */
  readonly base: string;
  readonly matcher: GitignoreRules | undefined;
  /** Patterns that were left out because they are too long. */
  readonly skippedPatterns: number;
}

/** Rules files larger than this are not read, in bytes. */
const maxRulesBytes = 1024 * 1024;

/** Rules of a base folder without any. */
function emptyRules(base: string): IgnoreRules {
  return { base, matcher: undefined, skippedPatterns: 0 };
}

/** Whether the rules leave a path out; folders end in `/`. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  return rules.matcher?.ignores(path) ?? false;
}

/** The rules with those of a rules file in `folder` (relative to the base, empty for the base itself) added. */
function addRules(rules: IgnoreRules, folder: string, text: string): IgnoreRules {
  const added = addGitignore(rules.matcher, folder, text);
  return { base: rules.base, matcher: added.rules, skippedPatterns: added.skippedPatterns };
}

/** Reads a rules file; an absent or unreadable one holds no rules. */
export async function readRules(
  machine: CapturedMachine,
  rules: IgnoreRules,
  folder: string,
  file: string,
): Promise<IgnoreRules> {
  try {
    const status = await machine.status(file);
    if (status.kind !== 'file' || status.sizeBytes > maxRulesBytes) return rules;
    return addRules(rules, folder, decodeText(await machine.readFile(file)).text);
  } catch {
    return rules;
  }
}

/**
 * Rules that hold in a folder from above: of the repository's root (`info/exclude`) and of every folder between it and
 * the given one, whose own .gitignore is not read here. Without a repository: none.
 */
export async function rulesAbove(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  const root = await findRepository(machine, folder);
  if (root === undefined) return emptyRules(folder);
  let rules = await readRules(machine, emptyRules(root), '', await excludeFile(machine, root));
  const between = posix.relative(root, folder);
  const segments = between === '' ? [] : between.split('/');
  for (let depth = 0; depth < segments.length; depth += 1) {
    const level = segments.slice(0, depth).join('/');
    rules = await readRules(machine, rules, level, posix.join(root, level, '.gitignore'));
  }
  // Whoever names an ignored folder wants it captured.
  return between !== '' && isIgnored(rules, `${between}/`) ? emptyRules(folder) : rules;
}

/** Rules of a repository below the captured folder: those of the outer one end at its border. */
export async function rulesOfRepository(machine: CapturedMachine, folder: string): Promise<IgnoreRules> {
  return readRules(machine, emptyRules(folder), '', await excludeFile(machine, folder));
}

/** The nearest folder at or above with a `.git`. */
async function findRepository(machine: CapturedMachine, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = posix.dirname(at)) {
    try {
      await machine.status(posix.join(at, '.git'));
      return at;
    } catch {
      const parent = posix.dirname(at);
      if (parent === at || parent === '.') return undefined;
    }
  }
}

/** `info/exclude` of a repository; in a work tree, `.git` is a file that points elsewhere. */
async function excludeFile(machine: CapturedMachine, root: string): Promise<string> {
  const git = posix.join(root, '.git');
  try {
    if ((await machine.status(git)).kind !== 'file') return posix.join(git, 'info/exclude');
    const target = /^gitdir:\s*(.+)$/m.exec(await machine.readTextFile(git))?.[1]?.trim();
    if (!target) return posix.join(git, 'info/exclude');
    const gitFolder = resolveFrom(root, target);
    const common = (await machine.readTextFile(posix.join(gitFolder, 'commondir'))).trim();
    return posix.join(resolveFrom(gitFolder, common), 'info/exclude');
  } catch {
    return posix.join(git, 'info/exclude');
  }
}

/** A path of git's own files, absolute (with a drive on Windows) or relative to a folder. */
function resolveFrom(folder: string, path: string): string {
  return /^(?:[a-z]:)?\//i.test(path) ? path : posix.join(folder, path);
}
