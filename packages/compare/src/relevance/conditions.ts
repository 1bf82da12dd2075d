// Evaluates the condition under which a difference in a fact counts, as its row in the catalogue names it.

import type { Condition } from '@envsnap/shared/catalogue/facts/fact';
import type { Entry } from '../model/model.ts';
import { isSameLanguage, languageReason } from './language-relevance.ts';
import { differInMildOptions } from './mild-options.ts';
import type { RelevanceContext } from './project-needs.ts';
import { isSameZone } from './time-zone.ts';

/** `words`: the words after the condition's name in the row. */
type Test = (entry: Entry, words: readonly string[], context: RelevanceContext) => string | null;

const healthy = 'healthy machines differ here';
const unless = (holds: boolean | undefined, reason = healthy) => (holds ? null : reason);

const tests: Readonly<Record<Condition['when'], Test>> = {
  'asked for': () => healthy,
  less: ({ a, b }, [than = 'unlimited']) => unless(amountOf(b) < amountOf(a) && amountOf(b) < amountOf(than)),
  'lacks item': ({ list }, items) => unless(list?.removed.some((item) => items.includes(item))),
  'lacks locale in use': lacksLocaleInUse,
  'item with': ({ list }, words) =>
    unless(
      [...(list?.added ?? []), ...(list?.removed ?? [])].some((item) =>
        words.some((word) => item.includes(word)),
      ),
    ),
  'item named': ({ list }, [name]) =>
    unless([...(list?.added ?? []), ...(list?.removed ?? [])].some((item) => item.split(' ', 1)[0] === name)),
  'one distribution': (_entry, _words, { a, b }) => {
    const left = a.system.distribution;
    return unless(left !== undefined && left === b.system.distribution);
  },
  'either is': ({ a, b }, [value]) => unless(a === value || b === value),
  'not both among': ({ a, b }, usual) => unless(!usual.includes(a ?? '') || !usual.includes(b ?? '')),
  'none on one side': ({ a, b }) => unless(isNone(a) !== isNone(b)),
  'some on both sides': ({ a, b }) => unless(!isNone(a) && !isNone(b)),
  'busybox on one side': ({ a, b }, _words, { a: left, b: right }) =>
    unless(left.os === right.os && isBusybox(a) !== isBusybox(b)),
  'other release': ({ a, b, status, distance }, _words, { a: left, b: right }) => {
    if (left.os !== right.os) return 'comes with the operating system';
    const name = (value: string | null) => value?.split(' ', 1)[0];
    return unless(
      left.os === 'linux' && status === 'changed' && name(a) === name(b) && distance === 'major',
      'its content is compared separately',
    );
  },
  older: ({ a, b, status, distance }, [releases], { a: left, b: right, explains }) => {
    if (left.os !== right.os) return 'comes with the operating system';
    // Programs are built on images a few releases old, so only an older C library fails to run them.
    return unless(
      distance === 'major' || status !== 'changed' || (explains && isOlder(b, a, Number(releases))),
      'new enough for programs built on the other side',
    );
  },
  uses: (_entry, tools, { needs }) =>
    unless(!needs.known || tools.some((tool) => needs.tools.has(tool)), 'nothing in the project asks for it'),
  'not sizes alone': ({ a, b }, _words, { explains }) =>
    unless(explains || !differInMildOptions(a, b), 'only memory, jobs or messages differ'),
  'other zone': ({ a, b }) =>
    unless(a === null || b === null || !isSameZone(a, b), 'one time zone under two names'),
  'other language': (entry, _words, context) => languageReason(entry, context),
};

export function unmetReason(
  condition: 'always' | 'never' | Condition,
  entry: Entry,
  context: RelevanceContext,
): string | null {
  if (typeof condition === 'string') return null;
  return tests[condition.when](entry, condition.words, context);
}

/** A number; infinity for `unlimited` and for other texts. */
export function amountOf(value: string | null): number {
  const number = Number(value);
  return value === null || Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/** `none`, an unreadable value, and a digest of nothing, which begins with the number of its parts. */
export function isNone(value: string | null): boolean {
  return value === null || value === 'none' || value === 'damaged' || value === '0' || value.startsWith('0 ');
}

function isBusybox(value: string | null): boolean {
  return value?.toLowerCase().includes('busybox') ?? false;
}

function isOlder(version: string | null, than: string | null, byReleases: number): boolean {
  const numbers = (text: string | null) => (text?.match(/\d+/g) ?? []).map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [otherMajor = 0, otherMinor = 0] = numbers(than);
  return major < otherMajor || (major === otherMajor && otherMinor - minor >= byReleases);
}

const localeVariables = ['LC_ALL', 'LANG', 'LC_CTYPE', 'LC_COLLATE', 'LC_NUMERIC', 'LC_TIME'];

/** If no failure is being explained, only the languages of B count, because people choose their own. */
function lacksLocaleInUse(
  { list }: Entry,
  _words: unknown,
  { a, b, explains }: RelevanceContext,
): string | null {
  const used = (explains ? [a, b] : [b]).flatMap(({ variables }) =>
    localeVariables.map((name) => variables[name] ?? ''),
  );
  const there = b.facts?.['locale.installed'];
  const has = Array.isArray(there) ? there : [];
  return unless(
    list?.removed.some(
      (locale) =>
        used.some((each) => isSameLanguage(each, locale)) &&
        !has.some((each) => isSameLanguage(each, locale)),
    ),
  );
}
