// The evidence for an entry that a rule of the failure catalogue finds in the output.

import { commandsOf } from '@envsnap/shared/catalogue/project-tools';
import { familyOf, type Place, runtimeOf } from '../causes/cause.ts';
import type { Evidence } from '../causes/score.ts';
import { factRowOf } from '../environment/kind.ts';
import { isNothingInstalled } from '../model/compare-installed.ts';
import { type Entry, toolOfKey } from '../model/model.ts';
import type { Clue } from './read-failure.ts';
import type { Target } from './rules.ts';
import { stemOf } from './stems.ts';
import { numbersOf, orderOf } from './versions-in-lines.ts';

export function clueFor(entry: Entry, clue: Clue): Evidence | undefined {
  const { rule, words } = clue;
  const threshold = rule.older ? numbersOf(clue.taken) : [];
  const isOldEnough =
    threshold.length === 0 || entry.b === null || orderOf(numbersOf(entry.b), threshold) < 0;
  const { place } = clue;
  // Many settings can cause such a text, so only words with the setting itself are quoted.
  const isIndirect = 'report' in rule && settings.has(entry.section) && !namesEntry(entry, words);
  const isLacking = entry.status === 'removed' && isPlausible(entry);
  if (rule.foreign && !hasForeignLanguage(entry)) return undefined;
  if (isOldEnough && rule.names.some((each) => meets(each, entry)))
    return isFarApart(entry) && !isOfEveryMachine(entry)
      ? { words, kind: 'meant', isLacking, place, isIndirect }
      : { words, kind: 'hinted', isLacking, place, isIndirect: true };
  if (!rule.hints?.some((each) => meets(each, entry))) return undefined;
  // A rule about a tool counts even where the project does not ask for the tool; so does one about a package that B lacks.
  const isTool = entry.section === 'runtimes' && entry.status === 'changed' && isFarApart(entry);
  const isAbsent = entry.section === 'dependencies' && entry.status === 'removed';
  const isWorthAHint = isPlausible(entry) || isTool || isAbsent;
  return isWorthAHint ? { words, kind: 'hinted', place, isIndirect: true } : undefined;
}

/** A digest of a whole store differs between any two machines. */
function isOfEveryMachine({ section, key, b }: Entry): boolean {
  return b !== null && factRowOf(section, key)?.kind === 'digest';
}

/** Whether words contain what differs: its name or its kind (all words of it), or a value. */
function namesEntry(entry: Entry, words: string): boolean {
  const { section, key, name, a, b, list } = entry;
  const line = words.toLowerCase();
  const tool = toolOf(entry) ?? runtimeOf(entry);
  const own = nameOf(key).slice(key.lastIndexOf('.') + 1);
  const kinds = [own.split(section === 'facts' ? /(?=[A-Z])/ : /$/), familyOf(entry)?.split(' ') ?? []];
  const whole = [
    name,
    name && stemOf(name),
    a,
    b,
    ...(list?.removed ?? []),
    ...(tool ? commandsOf(tool) : []),
  ];
  return [...kinds, ...whole.map((each) => [each ?? ''])].some(
    (parts) => parts.length > 0 && parts.every((part) => part.length > 2 && line.includes(stemOfWord(part))),
  );
}

const settings: ReadonlySet<string> = new Set(['facts', 'system', 'env', 'paths']);
const stemOfWord = (word: string) => word.toLowerCase().replace(/(?:ie)?s$/, '');

/** A patch release rarely changes what a text about another version is about. */
export function isFarApart({ section, distance }: Pick<Entry, 'section' | 'distance'>): boolean {
  return section !== 'runtimes' || (distance !== 'patch' && distance !== 'build');
}

function hasForeignLanguage({ a, b }: Entry): boolean {
  return a === null || b === null || ![a, b].every((value) => /^(?:en\b|en_|C\b|POSIX)/.test(value));
}

export function isPlausible(entry: Entry): boolean {
  return (entry.mild === undefined || isNothingInstalled(entry)) && !entry.context;
}

function meets(target: Target, entry: Entry): boolean {
  const colon = target.indexOf(':');
  const kind = target.slice(0, colon);
  const key = target.slice(colon + 1);
  // In lists that differ between healthy machines, only the list's own name is evidence.
  if (kind === 'family') return familyOf(entry) === key && !(entry.list && entry.mild !== undefined);
  if (kind === 'package')
    return (entry.section === 'dependencies' || entry.section === 'installed') && fits(key, entry.name ?? '');
  if (kind === 'tool') return !entry.context && (toolOf(entry) ?? runtimeOf(entry)) === key;
  // A variable that lists folders is compared as a list.
  const section = kind === 'env' && entry.section === 'paths' ? 'paths' : kind;
  return entry.section === section && fits(key, entry.key);
}

function fits(pattern: string, key: string): boolean {
  if (pattern.startsWith('*')) return key.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}

export function nameOf(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

export function toolOf({ section, key }: Place): string | undefined {
  return section === 'runtimes' || section === 'toolchain' ? toolOfKey(key) : undefined;
}
