// The rules of .gitignore files as git applies them, matched in linear time. https://git-scm.com/docs/gitignore

import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';

/** One line of a rules file; the last one that fits a path decides. */
interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Folder of the rules file, relative to the base, with `/` at the end; empty for the base itself. */
  readonly prefix: string;
  /** Tests the path below `prefix`, or the last name only where the pattern has no slash. */
  readonly test: (text: string) => boolean;
  readonly byName: boolean;
}

/** Rules in the order of their files, outer folders first. */
export interface GitignoreRules {
  readonly rules: readonly Rule[];
  /** Whether a path (relative to the base, folders with `/` at the end) or a folder above it is left out. */
  ignores(path: string): boolean;
}

/** Adds the lines of a rules file in `folder` (relative to the base, empty for the base) to rules of outer folders. */
export function addGitignore(
  outer: GitignoreRules | undefined,
  folder: string,
  text: string,
): { rules: GitignoreRules; skippedPatterns: number } {
  const prefix = folder === '' ? '' : `${folder}/`;
  const rules = [...(outer?.rules ?? [])];
  let skippedPatterns = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.length > maxPatternLength) skippedPatterns += 1;
    else {
      const rule = readRule(line, prefix);
      if (rule) rules.push(rule);
    }
  }
  return { rules: createRules(rules), skippedPatterns };
}

function createRules(rules: readonly Rule[]): GitignoreRules {
  const folders = new Map<string, boolean>();
  const decide = (path: string, isFolder: boolean): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let index = rules.length - 1; index >= 0; index -= 1) {
      const { foldersOnly, prefix, byName, test, negated } = rules[index] as Rule;
      if (foldersOnly && !isFolder) continue;
      if (!path.startsWith(prefix) || path.length === prefix.length) continue;
      if (test(byName ? name : path.slice(prefix.length))) return !negated;
    }
    return false;
  };
  const folderIgnored = (path: string): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf('/');
    const ignored = (slash > 0 && folderIgnored(path.slice(0, slash))) || decide(path, true);
    folders.set(path, ignored);
    return ignored;
  };
  return {
    rules,
    ignores(path) {
      if (path.endsWith('/')) return folderIgnored(path.slice(0, -1));
      const slash = path.lastIndexOf('/');
      return (slash > 0 && folderIgnored(path.slice(0, slash))) || decide(path, false);
    },
  };
}

function readRule(line: string, prefix: string): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  let pattern = withoutTrailingBlanks(line);
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const byName = !pattern.includes('/');
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  return { negated, foldersOnly, prefix, byName, test: compileGlob(anchored, { syntax: 'git' }) };
}

/** Trailing blanks count only after a backslash. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}
