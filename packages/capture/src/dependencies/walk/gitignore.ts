// The rules of .gitignore files as git applies them, matched in linear time. https://git-scm.com/docs/gitignore

import { compileGlob, maxPatternLength } from '@envsnap/shared/text/glob';
import type { CapturedMachine } from '../../system/machine.ts';
import { decodeText } from '../text/decode-text.ts';

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
  /** Patterns of the file that was read last that are too long to be applied. */
  readonly skippedPatterns: number;
  /** Whether a path (relative to the base, folders with `/` at the end) or a folder above it is left out. */
  ignores(path: string): boolean;
}

/** Rules files larger than this are not read, in bytes. */
const maxRulesBytes = 1024 * 1024;

/** Leaves nothing out. */
export const noRules = createRules([]);

/**
 * Rules of outer folders with those of a rules file in `folder` (relative to the base, empty for the base) added; an absent or
 * unreadable file holds none.
 */
export async function readRules(
  machine: CapturedMachine,
  outer: GitignoreRules,
  folder: string,
  file: string,
): Promise<GitignoreRules> {
  try {
    const status = await machine.status(file);
    if (status.kind === 'file' && status.sizeBytes <= maxRulesBytes)
      return withLines(outer, folder, decodeText(await machine.readFile(file)).text);
  } catch {
    // None can be read.
  }
  return { ...outer, skippedPatterns: 0 };
}

function withLines(outer: GitignoreRules, folder: string, text: string): GitignoreRules {
  const prefix = folder === '' ? '' : `${folder}/`;
  const lines = text.split(/\r?\n/);
  const short = lines.filter((line) => line.length <= maxPatternLength);
  const added = short.map((line) => readRule(line, prefix)).filter((rule) => rule !== undefined);
  return createRules([...outer.rules, ...added], lines.length - short.length);
}

function createRules(rules: readonly Rule[], skippedPatterns = 0): GitignoreRules {
  if (rules.length === 0) return { rules, skippedPatterns, ignores: () => false };
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
    skippedPatterns,
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
