// Reads the output of what failed (a log, a stack trace, JUnit) for what it says of the environment. Pure; the work is bounded,
// whatever the text.

import { type FailureRule, type Form, longestLine } from './rule.ts';
import { failureRules } from './rules.ts';

/** A place in the output that a rule knows. */
export interface Clue {
  readonly rule: FailureRule;
  /** What the rule takes from the text: a name or a version; empty where it takes none. */
  readonly taken: string;
  /** The words that say it, without control characters, at most {@link longestWords} characters. */
  readonly words: string;
}

/** What the output of a failed command says. Made by {@link readFailure}. */
export interface Failure {
  readonly clues: readonly Clue[];
  /** Words that can be names of variables, each with the text around its first appearance. */
  readonly names: ReadonlyMap<string, string>;
  /** Texts in quotation marks, or with a version behind them, on lines that report an error; likewise. */
  readonly quoted: ReadonlyMap<string, string>;
  /** Lines that report an error, in lower case, each with its words safe to print. */
  readonly errors: ReadonlyMap<string, string>;
  /** True where the text was too long and its middle was left out. */
  readonly cut: boolean;
}

/** Characters that are read from the beginning and from the end of an output; errors stand at its end. */
export const failureBounds = { fromStart: 128 * 1024, fromEnd: 512 * 1024 } as const;
/** Most clues, and most names of each kind. */
const mostClues = 200;
const mostNames = 20_000;
const mostErrors = 500;
/** Longest words of a clue. */
const longestWords = 120;

/**
 * Reads an output. Of a text above 640 Ki characters the middle is left out; of a line all but its beginning.
 * `isCut` says that the caller left something out already.
 */
export function readFailure(text: string, isCut = false): Failure {
  const { fromStart, fromEnd } = failureBounds;
  const isLong = text.length > fromStart + fromEnd;
  const read = plain(isLong ? `${text.slice(0, fromStart)}\n${text.slice(-fromEnd)}` : text);
  const lower = read.toLowerCase();
  const rules = failureRules.filter(({ has }) => has.some((word) => lower.includes(word)));
  const clues = new Map<string, Clue>();
  const names = new Map<string, string>();
  const quoted = new Map<string, string>();
  const errors = new Map<string, string>();
  for (const raw of read.split('\n')) {
    const line = raw.slice(0, longestLine);
    const small = line.toLowerCase();
    for (const rule of rules) {
      const clue = clues.size < mostClues ? clueOf(rule, line, small) : undefined;
      const key = clue && `${failureRules.indexOf(rule)} ${clue.taken}`;
      if (clue && key !== undefined && !clues.has(key)) clues.set(key, clue);
    }
    addNames(line, names);
    if (!reportsError.test(small) || small.trimStart().startsWith('at ')) continue;
    addQuoted(line, quoted);
    if (errors.size < mostErrors) errors.set(small, around(line, 0, line.length));
  }
  return { clues: [...clues.values()], names, quoted, errors, cut: isCut || isLong };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins what is taken out.
const escapes = /\u001b\[[0-9;]{0,20}[A-Za-z]/g;
const entities: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&', '&#39;': "'", '&#34;': '"' },
};

/** Without colours, and with the characters that XML writes as entities. */
function plain(text: string): string {
  return text
    .replace(escapes, '')
    .replace(/&(?:lt|gt|quot|apos|amp|#39|#34);/g, (entity) => entities[entity] ?? '');
}

const forms: Readonly<Record<Form, RegExp>> = {
  date: /\d{4}-\d\d-\d\d|\b\d\d?[/.]\d\d?[/.]\d\d|\b\d\d?:\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d|\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/,
  'file mode':
    /\b(?:0o?|100|0100)?(?:600|640|644|660|664|666|700|750|755|770|775|777)\b|\b(?:320|365|384|416|420|432|436|448|488|493|504|509|511)\b|-rw[-r]/,
  // `30,9s`, and `0[,]90` as JUnit marks what differs; not a list of numbers.
  'decimal comma': /\d\[?,\]?\d{1,2}(?![\d,])|\d\[?,\]?\d{4}/,
  'capitals in a path': /[\w-]\/[\w-]{0,40}[A-Z]|[A-Z][\w-]{0,40}\.[a-z]/,
};

function clueOf(rule: FailureRule, line: string, small: string): Clue | undefined {
  const word = rule.has.find((each) => small.includes(each));
  if (word === undefined) return undefined;
  if (rule.and?.some((words) => !words.some((each) => small.includes(each)))) return undefined;
  if (rule.form && !forms[rule.form].test(rule.form === 'date' ? small : line)) return undefined;
  const at = small.indexOf(word);
  const taken = rule.take === undefined ? '' : nameNextTo(line, rule.take, at, word.length);
  if (taken === undefined) return undefined;
  return { rule, taken, words: around(line, at, word.length + taken.length + 2) };
}

const isOfName = (character: string | undefined) => character !== undefined && /[\w.+@/-]/.test(character);
const isBetween = (character: string | undefined) =>
  character !== undefined && /[\s'"`‘’“”:({[]/.test(character);
/** Longest name that is taken from a text, and most that may stand between it and what the rule knows. */
const longestName = 120;
const mostBetween = 4;

/** The word before or behind a place of a line, without what it is quoted with; undefined where there is none. */
function nameNextTo(line: string, side: 'before' | 'behind', at: number, length: number): string | undefined {
  const step = side === 'behind' ? 1 : -1;
  let place = side === 'behind' ? at + length : at - 1;
  for (let skipped = 0; skipped < mostBetween && isBetween(line[place]); skipped += 1) place += step;
  const start = place;
  while (isOfName(line[place]) && Math.abs(place - start) < longestName) place += step;
  const name = side === 'behind' ? line.slice(start, place) : line.slice(place + 1, start + 1);
  const bare = name.replace(/[.:]$/, '');
  return /[A-Za-z0-9]/.test(bare) ? bare : undefined;
}

const reportsError =
  /error|cannot|can't|could not|unable|fail|not found|no such|missing|undefined|require|expected/;

function addNames(line: string, names: Map<string, string>): void {
  for (const match of line.matchAll(/[A-Za-z_][A-Za-z0-9_]{1,63}/g)) {
    if (names.size >= mostNames) break;
    const [name] = match;
    // In capitals, or as npm spells its settings.
    if (names.has(name) || (/[a-z]/.test(name) && !name.includes('_'))) continue;
    names.set(name, around(line, match.index, name.length));
  }
}

function addQuoted(line: string, quoted: Map<string, string>): void {
  for (const match of line.matchAll(/['"`‘“]([@\w][\w./@-]{1,80})['"`’”]|\b([a-z][\w.-]{1,60})@\d/g)) {
    if (quoted.size >= mostNames) break;
    const name = match[1] ?? match[2] ?? '';
    if (!quoted.has(name)) quoted.set(name, around(line, match.index, match[0].length));
  }
}

/** The words at a place of a line with a little of what stands around them, safe to print. */
function around(line: string, at: number, length: number): string {
  const short = line.length <= longestWords;
  const start = short ? 0 : Math.max(0, Math.min(at - 20, line.length - longestWords));
  const end = short
    ? line.length
    : Math.min(line.length, Math.max(start + longestWords, Math.min(at + length, start + longestWords)));
  return (
    line
      .slice(start, end)
      // A log may hold a token or a password in an address.
      .replace(/[A-Za-z0-9_-]{32,}/g, '…')
      .replace(/:\/\/[^\s/@]{1,100}@/g, '://…@')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}
