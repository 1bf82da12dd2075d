// Patterns with `*`, `?`, `[…]`, `**` and `{a,b}`, matched in time at most proportional to pattern times text, because patterns
// and names come from untrusted repositories and servers. They are never turned into regular expressions.

import type { Spend } from '../work-budget.ts';

/** Longest pattern that is accepted, in characters. */
export const maxPatternLength = 1024;
/** Maximum number of patterns to which `{a,b}` may expand. */
const maxAlternatives = 1000;

/** A pattern that cannot be used; the message says why, without a full stop. */
export class GlobError extends Error {
  override readonly name = 'GlobError';
}

interface GlobOptions {
  readonly ignoreCase?: boolean;
  /**
   * `paths`: `*` and `?` stay within one part between slashes, a part `**` matches any number of parts (also as the last one),
   * `[…]` and `{a,b}` choose. `git`: the same by gitignore's rules (a `**` at the end needs a part, no braces). `names`: nothing
   * but `*` and `?` is special, and both match a slash too.
   */
  readonly syntax: 'paths' | 'git' | 'names';
  /** Gets the steps of each match: at most the pattern's characters times the text's, for each choice of `{a,b}`. */
  readonly spend?: Spend;
}

export type GlobTest = (text: string) => boolean;

/** Makes a test of one pattern. Throws {@link GlobError} if it is too long or expands to too many. */
export function compileGlob(pattern: string, options: GlobOptions): GlobTest {
  if (pattern.length > maxPatternLength) {
    throw new GlobError(
      `a pattern may have at most ${maxPatternLength} characters; this one has ${pattern.length}`,
    );
  }
  const fold = options.ignoreCase ? toLowerCase : unchanged;
  if (options.syntax === 'names') {
    const matches = compilePart(fold(pattern), options);
    return (text) => matches(fold(text));
  }
  // Most patterns are plain names, for which nothing is split into parts.
  if (!pattern.includes('/') && !/^\*\*|\{/.test(pattern)) {
    const matches = compilePart(fold(pattern), options);
    return (text) => !text.includes('/') && matches(fold(text));
  }
  const written = options.syntax === 'paths' ? expandBraces(pattern) : [pattern];
  options.spend?.(written.length * pattern.length);
  const names = new Set(written.filter(isLiteral).map(fold));
  const tests = written.filter((each) => !isLiteral(each)).map((each) => compilePath(fold(each), options));
  return (text) => {
    const folded = fold(text);
    if (names.has(folded)) return true;
    if (tests.length === 0) return false;
    options.spend?.(tests.length * testSteps + text.length);
    const parts = folded.split('/');
    return tests.some((test) => test(parts));
  };
}

const testSteps = 20;

const isLiteral = (pattern: string) => !/[*?[\\{]/.test(pattern);
const toLowerCase = (text: string) => text.toLowerCase();
const unchanged = (text: string) => text;

/** Matches any number of items: `*` among characters, `**` among parts. */
const wildcard = null;

function compilePath(pattern: string, options: GlobOptions): (parts: readonly string[]) => boolean {
  const tokens = pattern
    .split('/')
    .map((part) => (/^\*\*+$/.test(part) ? wildcard : compilePart(part, options)));
  // If `**` must match something at the end: one more part with any name.
  if (options.syntax === 'git' && tokens.length > 1 && tokens.at(-1) === wildcard) tokens.push(() => true);
  return (parts) => matchSequence(tokens, parts, (test, part) => test(part), options);
}

type CharacterTest = (character: string) => boolean;

/** A pattern without slashes. */
function compilePart(pattern: string, options: GlobOptions): GlobTest {
  const { syntax } = options;
  const characters = [...pattern];
  const tokens: (CharacterTest | string | null)[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    if (character === '*') {
      if (tokens.at(-1) !== wildcard || tokens.length === 0) tokens.push(wildcard);
    } else if (character === '?') tokens.push(() => true);
    else if (syntax !== 'names' && character === '\\') {
      at += 1;
      if (at < characters.length) tokens.push(characters[at] as string);
      // In git, a pattern that ends in the middle of an escape matches nothing.
      else if (syntax === 'git') return () => false;
      else tokens.push('\\');
    } else if (syntax !== 'names' && character === '[') {
      const choice = readChoice(characters, at, options);
      if (choice) {
        tokens.push(choice.test);
        at = choice.end;
      } else if (syntax === 'git') return () => false;
      else tokens.push(character);
    } else tokens.push(character);
  }
  const isText = (token: CharacterTest | string | null) => typeof token === 'string';
  if (tokens.every(isText)) {
    const literal = tokens.join('');
    return (text) => text === literal;
  }
  // `*.log`
  if (tokens[0] === wildcard && tokens.slice(1).every(isText)) {
    const ending = tokens.join('');
    return (text) => text.endsWith(ending);
  }
  return (text) =>
    matchSequence(
      tokens,
      hasPairs.test(text) ? [...text] : text,
      (token, character) => (typeof token === 'string' ? token === character : token(character)),
      options,
    );
}

const hasPairs = /[\uD800-\uDFFF]/;

/**
 * Whether a list of items matches a list of tokens, some of which match any number of items. Backtracking to the last such
 * token is enough, so the work is at most tokens times items.
 */
function matchSequence<Token extends string | ((item: Item) => boolean), Item>(
  tokens: readonly (Token | null)[],
  items: ArrayLike<Item>,
  fits: (token: Token, item: Item) => boolean,
  { spend }: GlobOptions,
): boolean {
  let token = 0;
  let item = 0;
  let steps = 0;
  let lastWildcard = -1;
  let resumeAt = 0;
  while (item < items.length) {
    const current = tokens[token];
    steps += 1;
    if (token < tokens.length && current === wildcard) {
      lastWildcard = token;
      resumeAt = item;
      token += 1;
    } else if (token < tokens.length && fits(current as Token, items[item] as Item)) {
      token += 1;
      item += 1;
    } else if (lastWildcard >= 0) {
      token = lastWildcard + 1;
      resumeAt += 1;
      item = resumeAt;
    } else break;
  }
  spend?.(steps);
  if (item < items.length) return false;
  while (token < tokens.length && tokens[token] === wildcard) token += 1;
  return token === tokens.length;
}

const posixClasses: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^\d$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[A-Fa-f0-9]$/,
};

/** Reads `[abc]`, `[a-z]`, `[!a]`, `[[:alpha:]]` that begins at `start`; undefined if it does not end. */
function readChoice(
  characters: readonly string[],
  start: number,
  { spend }: GlobOptions,
): { test: CharacterTest; end: number } | undefined {
  let at = start + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at += 1;
  const tests: CharacterTest[] = [];
  for (let first = true; at < characters.length; first = false) {
    let from = characters[at] as string;
    if (from === ']' && !first) {
      const test = (character: string) => {
        spend?.(tests.length);
        return tests.some((fits) => fits(character)) !== negated;
      };
      return { end: at, test };
    }
    if (from === '[' && characters[at + 1] === ':') {
      const end = characters.indexOf(']', at + 2);
      const name = characters.slice(at + 2, end - 1).join('');
      const known = end > 0 && characters[end - 1] === ':' ? posixClasses[name] : undefined;
      if (known) {
        tests.push((character) => known.test(character));
        at = end + 1;
        continue;
      }
    }
    if (from === '\\' && at + 1 < characters.length) {
      at += 1;
      from = characters[at] as string;
    }
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length && characters[at + 2] !== ']';
    if (!isRange) {
      tests.push((character) => character === from);
      at += 1;
      continue;
    }
    at += 2;
    if (characters[at] === '\\' && at + 1 < characters.length) at += 1;
    const to = characters[at] as string;
    tests.push((character) => character >= from && character <= to);
    at += 1;
  }
  return undefined;
}

/** `a{b,c}d` → `abd`, `acd`; braces without a comma, and unclosed ones, are text. */
function expandBraces(pattern: string): string[] {
  const open = openingBrace(pattern);
  if (!open) return [pattern];
  const { from, to, options } = open;
  const before = pattern.slice(0, from);
  const after = expandBraces(pattern.slice(to + 1));
  const inner = options.flatMap(expandBraces);
  if (inner.length * after.length > maxAlternatives) {
    throw new GlobError(
      `a pattern may expand to at most ${maxAlternatives} others; this one expands to more`,
    );
  }
  return inner.flatMap((option) => after.map((rest) => before + option + rest));
}

/** The first `{…}` that closes and has its own comma. */
function openingBrace(pattern: string): { from: number; to: number; options: string[] } | undefined {
  const stack: { from: number; commas: number[] }[] = [];
  const closed: { from: number; to: number; commas: number[] }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') stack.push({ from: at, commas: [] });
    else if (character === ',') stack.at(-1)?.commas.push(at);
    else if (character === '}') {
      const group = stack.pop();
      if (group && group.commas.length > 0) closed.push({ ...group, to: at });
    }
  }
  const first = closed.sort((a, b) => a.from - b.from)[0];
  if (!first) return undefined;
  const edges = [first.from, ...first.commas, first.to];
  const options = edges.slice(1).map((edge, index) => pattern.slice((edges[index] as number) + 1, edge));
  return { from: first.from, to: first.to, options };
}
