// Which causes the output of a failed command speaks of, and with which words.

import { toolOfCommand } from '@envsnap/shared/catalogue/project-tools';
import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import { type Cause, type Place, placesOf } from '../causes/cause.ts';
import { familyOf } from '../causes/families.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { amountOf } from '../relevance/conditions.ts';
import type { Clue, Failure } from './read-failure.ts';
import type { Fit, Target } from './rule.ts';

/** A shorter part of a variable's name stands in any line. */
const shortestPart = 5;
const shortestTool = 4;

/** What a cause is named by. */
export interface Evidence {
  /** The words of the output. */
  readonly words: string;
  /** 2 where the output gives its name, 1 where a rule says that the words mean it, 0 where it is often behind such words. */
  readonly strength: 0 | 1 | 2;
}

/** An output that mentions more of the differing variables lists its whole environment, and means none of them. */
const mostMentioned = 4;

/**
 * The causes, the likeliest first, with their evidence and raised by it. The likeliest that the output speaks of comes first;
 * the second is raised behind the two that were first before, so that an output of something else hides none of them.
 */
export function withEvidence(
  causes: readonly Cause[],
  comparison: EnvironmentComparison,
  failure: Failure,
): Cause[] {
  const entries = new Map<string, Entry>();
  for (const section of Object.values(comparison.sections)) {
    for (const entry of section) if (entry.status !== 'same') entries.set(idOf(entry), entry);
  }
  const mentioned = mentionedVariables(entries.values(), failure);
  const raised: (readonly [strength: number, cause: Cause])[] = [];
  const told = causes.map((cause) => {
    const found = placesOf(cause).flatMap((place) => {
      const entry = entries.get(idOf(place));
      return (entry && evidenceOf(entry, failure, mentioned)) ?? [];
    });
    const [evidence] = found.sort((x, y) => y.strength - x.strength);
    if (!evidence) return cause;
    const withWords = { ...cause, evidence: evidence.words };
    raised.push([evidence.strength, withWords]);
    return withWords;
  });
  const ordered = raised.sort(([x], [y]) => y - x).map(([, cause]) => cause);
  return [...new Set([...ordered.slice(0, 1), ...told.slice(0, 2), ...ordered, ...told])];
}

function idOf({ section, key }: Place): string {
  return `${section}\n${key}`;
}

function evidenceOf(
  entry: Entry,
  { clues, quoted, errors }: Failure,
  mentioned: ReadonlyMap<string, string>,
): Evidence | undefined {
  const variable =
    entry.section === 'env' || entry.section === 'paths' ? mentioned.get(entry.key) : undefined;
  if (variable !== undefined) return { words: variable, strength: 1 };
  let best: Evidence | undefined;
  for (const clue of clues) {
    const { rule } = clue;
    const target = fits(rule.fit, entry, clue) && rule.names.find((each) => meets(each, entry, clue));
    if (target) {
      const strength = target.includes('{1}') ? 2 : 1;
      if (strength > (best?.strength ?? 0)) best = { words: clue.words, strength };
    } else if (!best && isPlausible(entry) && rule.hints?.some((each) => meets(each, entry, clue)))
      best = { words: clue.words, strength: 0 };
  }
  const named = entry.name !== undefined && !entry.context ? quoted.get(entry.name) : undefined;
  if (named !== undefined && !best?.strength) return { words: named, strength: 1 };
  return best ?? spokenOf(entry, errors);
}

/** What a line that reports an error says without a rule: a tool, what a list of A has alone, or parts of a variable's name. */
function spokenOf(entry: Entry, errors: ReadonlyMap<string, string>): Evidence | undefined {
  const { section, key, list } = entry;
  const isTool = section === 'runtimes' && key.length >= shortestTool && toolOfCommand(key) === key;
  const lacking = section === 'facts' ? (list?.removed ?? []).map((item) => item.toLowerCase()) : [];
  const parts =
    section === 'env' && isPlausible(entry)
      ? key.split(/[_:]/).filter((part) => part.length >= shortestPart)
      : [];
  const small = parts.map((part) => part.toLowerCase());
  // COMPOSER_MEMORY_LIMIT is meant by memory in composer.
  const isMeant = (line: string) =>
    (isTool && hasWord(line, key)) ||
    lacking.some((item) => hasWord(line, item)) ||
    small.filter((part) => line.includes(part)).length >= 2;
  for (const [line, words] of errors)
    if (isMeant(line)) return { words, strength: lacking.length > 0 ? 1 : 0 };
  return undefined;
}

/** Whether a word stands in a line with no letter or digit beside it. */
function hasWord(line: string, word: string): boolean {
  const isOfWord = (character: string | undefined) => character !== undefined && /[a-z0-9]/.test(character);
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1))
    if (!isOfWord(line[at - 1]) && !isOfWord(line[at + word.length])) return true;
  return false;
}

/** What healthy machines differ in day by day is raised only by an output that names it. */
function isPlausible({ mild, context }: Entry): boolean {
  return mild === undefined && !context;
}

function meets(target: Target, entry: Entry, { taken }: Clue): boolean {
  const colon = target.indexOf(':');
  const kind = target.slice(0, colon);
  const wanted = target.slice(colon + 1);
  if (kind === 'family') return familyOf(entry) === wanted;
  const key = wanted.replace('{1}', () => taken);
  if (kind === 'tool') return entry.section === 'runtimes' && entry.key === toolOf(key);
  if (kind === 'package') return isPackage(entry, key);
  if (entry.section !== kind) return false;
  return key.endsWith('*') ? entry.key.startsWith(key.slice(0, -1)) : entry.key === key;
}

function toolOf(command: string): string {
  const name = command.slice(command.lastIndexOf('/') + 1);
  return toolOfCommand(name) ?? toolNameOf(name);
}

/** Packages by the name that a program imports: `@scope/name/part`, `lib{name}6`, `PIL` of pillow is not known. */
function isPackage({ section, name, context, status }: Entry, wanted: string): boolean {
  if ((section !== 'dependencies' && section !== 'installed') || name === undefined) return false;
  // What a machine has beside the project matters where something asks for it and does not find it.
  if (context && status !== 'removed') return false;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/-(?=\d)/g, '');
  const [own, asked] = [plain(name), plain(wanted)];
  if (own === asked || asked.startsWith(`${own}/`)) return true;
  // The packages of a distribution carry the version of their library: libssl3, libstdc++6:amd64.
  const library = asked.slice(asked.lastIndexOf('/') + 1);
  return (
    library.startsWith('lib') && own.startsWith(library) && /^(?:$|[\d.:-])/.test(own.slice(library.length))
  );
}

function fits(fit: Fit | undefined, { a, b, status }: Entry, { taken }: Clue): boolean {
  switch (fit) {
    case 'missing':
      return status === 'removed';
    case 'less':
      return amountOf(b) < amountOf(a);
    case 'older': {
      const wanted = numbersOf(taken);
      return b === null || wanted.length === 0 || comesBefore(numbersOf(b), wanted);
    }
    default:
      return true;
  }
}

function numbersOf(text: string): number[] {
  return (text.slice(0, 100).match(/\d+/g) ?? []).map(Number);
}

function comesBefore(a: readonly number[], b: readonly number[]): boolean {
  for (const [place, number] of b.entries()) {
    const own = a[place] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

/** The differing variables whose names stand in the output, each with the words around it. */
function mentionedVariables(entries: Iterable<Entry>, { names }: Failure): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { section, key } of entries) {
    if (section !== 'env' && section !== 'paths') continue;
    const name = key.slice(key.lastIndexOf(':') + 1);
    const words = names.get(name);
    if (words !== undefined && meansVariable(name, words)) found.set(key, words);
  }
  return found.size > mostMentioned ? new Map() : found;
}

/** Names of one word are words of a language too: quotation marks, `$`, `=` or what is said of it show the variable. */
function meansVariable(name: string, words: string): boolean {
  if (name.includes('_')) return true;
  const forms = [
    '$_',
    '{_}',
    "'_'",
    '"_"',
    '_=',
    'env._',
    'variable _',
    '_ must ',
    '_ is not set',
    '_ is unset',
  ];
  return forms.some((form) => words.includes(form.replace('_', () => name)));
}
