// How two values in a failed assertion differ: only in spaces, only in the order of words, and so on.

import type { Target } from './rules.ts';

export interface Contrast {
  readonly names: readonly Target[];
  readonly hints?: readonly Target[];
}

interface ContrastRow extends Contrast {
  /** Both values without this kind of difference. If they are then equal, nothing else differs. */
  readonly alike: (value: string) => string;
  readonly has?: RegExp;
}

const language = ['family:language', 'env:LC_NUMERIC', 'facts:locale.categories'] as const;
const icu = ['facts:node.icu', 'facts:icu.system', 'env:NODE_ICU_DATA'] as const;
const runtimes = ['runtimes:node', 'runtimes:java', 'runtimes:php'] as const;
const colour = ['family:colour', 'facts:terminal.color'] as const;

/** Kinds of difference, the narrowest first; the first row that applies is used. */
const rows: readonly ContrastRow[] = [
  // Characters that look equal in a diff.
  { alike: (value) => value, names: [], hints: [...colour, ...icu, 'family:line ends'] },
  { alike: (value) => value.replace(/\\r|\r|\^M|␍/g, ''), names: ['family:line ends', 'checkout:changed*'] },
  {
    alike: (value) => value.replace(/[\u00a0\u2009\u202f]|\\u(?:00a0|202f)|\\xa0/g, ' '),
    names: icu,
    hints: [...runtimes, ...language],
  },
  {
    alike: (value) => value.replace(/(?:\\x1b|\\u001b|\\033|\\e|␛)?[0-9;]{1,9}m\b|<\/?[a-z]{0,12}>/g, ''),
    names: colour,
  },
  {
    alike: (value) => value.replace(/[\s│]+/g, ' '),
    has: /\s/,
    names: ['env:COLUMNS', 'facts:terminal.columns'],
  },
  { alike: (value) => value.replaceAll('/private/', '/'), names: ['family:temporary folder'] },
  { alike: (value) => value.replaceAll('\\', '/'), has: /[/\\]/, names: ['os:os'] },
  {
    alike: (value) => value.toLowerCase(),
    has: /[\w-]\/|\.[a-z]/,
    names: ['family:case of file names', 'checkout:*'],
  },
  {
    alike: (value) => value.replace(/(?<=\d)[.,'\s](?=\d)/g, ''),
    has: /\d/,
    names: language,
    hints: [...icu, ...runtimes],
  },
  {
    alike: (value) => value.replace(/(?:[^\x20-\x7e\s]|[?\ufffd]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4})+/gi, '?'),
    names: ['family:language', 'env:PYTHONIOENCODING', 'env:PYTHONUTF8'],
  },
  { alike: modeless, has: /[0d-][rw-][0-7w-]|\d{3}/, names: ['facts:process.umask'] },
  {
    alike: timeless,
    has: /\d:\d\d|\d[/.-]\d|\dT\d{4}|\d [a-z]{3}|[a-z]{3} \d|\b1\d{9}\b/i,
    names: ['family:time zone'],
    hints: ['facts:time.tzdata'],
  },
  {
    alike: (value) => (value.match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(' '),
    has: /[\p{L}\p{N}][^\p{L}\p{N}]{1,9}[\p{L}\p{N}]/u,
    names: ['family:language', 'env:PYTHONHASHSEED'],
  },
];

/** Permissions, as letters or as a number that a umask makes of 0666 or 0777. */
function modeless(value: string): string {
  return value
    .replace(/(?<![\w-])[d-]?(?:[r-][w-][x-]){3}(?!\w)/g, 'mode')
    .replace(
      /\b(?:0o?|100)?[67][0-7][0-7]\b|\b(?:384|416|420|432|436|438|448|488|493|504|509|511)\b/g,
      'mode',
    );
}

/** Dates and times, and seconds since 1970 by whole quarters of an hour. */
function timeless(value: string): string {
  const named = value.replace(days, '');
  return (named === value ? named : named.replace(/\b\d{1,4}\b/g, ''))
    .replace(/\b1\d{9}\b/g, (stamp) =>
      String(Number(stamp) % 900).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
    )
    .replace(
      /\b\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?|\b\d\d?\.\d\d?\.\d{4}\b|\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?/g,
      '',
    )
    .replace(/[+-]\d\d:?\d{0,2}\b|\b(?:UTC|GMT|[ECMPI]S?T|[AP]M|[TZ])\b|(?<=\b)[TZ]|(?<=\d)Z\b/g, '')
    .replace(/\s+/g, ' ');
}
const days =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b/gi;

const longestValue = 2_000;

export function contrastOf(a: string, b: string): Contrast | undefined {
  const [left, right] = [a, b].map((value) =>
    // JUnit marks what differs: `5[,]20`.
    value.slice(0, longestValue).replace(/[[\]]/g, '').trim(),
  ) as [string, string];
  if (left === '' || right === '') return undefined;
  return rows.find(
    ({ alike, has }) => (!has || (has.test(left) && has.test(right))) && alike(left) === alike(right),
  );
}
