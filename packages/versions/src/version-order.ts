// The order in which several versions of one name are written. It does not say how far versions are apart.

import type { VersionScheme } from '@envsnap/shared/catalogue/ecosystems';
import { compare as comparePep440, parse as parsePep440 } from '@renovatebot/pep440';
import { longestVersion } from './version-parts.ts';

/** Numbers first, then a rank for releases, pre- and post-releases, then the rest. */
interface VersionKey {
  readonly text: string;
  /** Undefined when the text does not begin with a number: such texts (URLs, ranges) come last. */
  readonly release: readonly string[] | undefined;
  readonly suffix: readonly string[];
  readonly rank: number;
}

const releasePattern = /^[vV=]?(\d{1,100}(?:\.\d{1,100}){0,20})/;
const digits = /^\d+$/;

function versionKey(text: string): VersionKey {
  const release = releasePattern.exec(text);
  if (!release || text.length > longestVersion) return { text, release: undefined, suffix: [], rank: 0 };
  let rest = text.slice(release[0].length);
  const build = rest.indexOf('+');
  if (build !== -1) rest = rest.slice(0, build);
  if (/^[.-]?(?:final|ga|release)$/i.test(rest)) rest = '';
  return {
    text,
    release: (release[1] as string).split('.'),
    suffix: rest === '' ? [] : rest.replace(/^[-._]/, '').split('.'),
    rank: rest === '' ? 0 : -1,
  };
}

function compareNumbers(a: string, b: string): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  return left.length - right.length || compareText(left, right);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareIdentifiers(a: string, b: string): number {
  const numericA = digits.test(a);
  const numericB = digits.test(b);
  if (numericA && numericB) return compareNumbers(a, b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return compareText(a, b);
}

function compareLists(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const order = compare(a[index] as string, b[index] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareKeys(a: VersionKey, b: VersionKey): number {
  if (!a.release || !b.release) {
    if (a.release) return -1;
    if (b.release) return 1;
    return compareText(a.text, b.text);
  }
  return (
    compareLists(a.release, b.release, compareNumbers) ||
    a.rank - b.rank ||
    compareLists(a.suffix, b.suffix, compareIdentifiers) ||
    compareText(a.text, b.text)
  );
}

function orderPythonVersions(versions: readonly string[]): string[] {
  const isKnown = (version: string) => version.length <= longestVersion && parsePep440(version) !== null;
  const [known, others] = [versions.filter(isKnown), versions.filter((version) => !isKnown(version))];
  known.sort((a, b) => comparePep440(a, b) || compareText(a, b));
  return [...known, ...orderPlainVersions(others)];
}

function orderPlainVersions(versions: readonly string[]): string[] {
  return versions
    .map(versionKey)
    .sort(compareKeys)
    .map((key) => key.text);
}

/**
 * Versions from old to new; texts that are not versions (a URL, a range) come last. A total order: one result for each set. All
 * schemes but Python's share the order of semantic versioning, for any count of numbers.
 */
export function orderVersions(versions: readonly string[], scheme: VersionScheme): string[] {
  return scheme === 'pep440' ? orderPythonVersions(versions) : orderPlainVersions(versions);
}
