// Patterns that leave entries out of a comparison: `dependencies:**/@types/*`, `env:CI_*`, `docker`.

import { type SectionName, sectionNames, sectionOf, toAddress } from '@envsnap/shared/address';
import { compileGlob, GlobError, type GlobTest } from '@envsnap/shared/text/glob';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import type { Spend } from '@envsnap/shared/work-budget';
import { type Entry, toolOfKey } from '../model/model.ts';
import { suggestName } from './known-names.ts';

export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export type Named = Pick<Entry, 'section' | 'key' | 'name'>;
export type EntryTest = (entry: Named) => boolean;

/**
 * Compiles a key pattern. `*` and `?` match within a path segment, `**` across slashes, `{a,b}` and `[abc]` match alternatives.
 * Case matters; names that begin with a dot are not special. A dependency matches by `file/package` or the package's name, and a
 * declared version shown as `node (.nvmrc)` by `node` too.
 */
export function keyTest(pattern: string, spend?: Spend): EntryTest {
  const matches = patternTest(pattern, spend);
  return ({ section, key, name }) =>
    matches(key) || matches(name ?? (section === 'toolchain' ? toolOfKey(key) : key));
}

export function patternTest(pattern: string, spend?: Spend): GlobTest {
  try {
    return compileGlob(pattern, { syntax: 'paths', ...(spend && { spend }) });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new PatternError(`The pattern "${pattern.slice(0, 40)}…" cannot be used: ${error.message}.`);
  }
}

/** Compiles many ignore patterns into one test. Each is an address or part of one: `SECTION:PATTERN`,
 * `SECTION.PATTERN`, `SECTION` or `PATTERN`. Throws {@link PatternError}; the tests take their steps from `spend`. */
export function ignoreTest(patterns: readonly string[], spend?: Spend): EntryTest {
  const tests = patterns.map((pattern) => parseIgnorePattern(pattern, spend));
  return (entry) => {
    spend?.(tests.length * patternSteps);
    return tests.some((test) => test(entry));
  };
}

const patternSteps = 4;

function parseIgnorePattern(text: string, spend: Spend | undefined): EntryTest {
  const pattern = text.trim();
  if (pattern === '')
    throw new PatternError('An ignore pattern is empty: write SECTION:PATTERN, for example env:CI_*.');
  const colon = pattern.indexOf(':');
  if (colon < 0) {
    const alone = sectionOf(pattern);
    return alone ? (entry) => entry.section === alone : dottedTest(pattern, spend);
  }
  const section = sectionNamed(pattern.slice(0, colon), `the ignore pattern "${pattern}"`);
  const rest = pattern.slice(colon + 1);
  if (rest === '')
    throw new PatternError(`The ignore pattern "${pattern}" names no key: write ${section}:* for all.`);
  return testWithin(section, rest, pattern, spend);
}

/** `facts.process.umask` names a section and a key, `package.json` only a key. A text that may mean both matches both. */
function dottedTest(pattern: string, spend: Spend | undefined): EntryTest {
  const dot = pattern.indexOf('.');
  const anywhere = keyTest(pattern, spend);
  const address = dot < 0 ? undefined : toAddress(pattern.slice(0, dot), pattern.slice(dot + 1));
  const section = address && sectionOf(address.section);
  if (!address || !section) return anywhere;
  const within = testWithin(section, address.name, pattern, spend);
  return (entry) => within(entry) || anywhere(entry);
}

function testWithin(
  section: SectionName,
  name: string,
  pattern: string,
  spend: Spend | undefined,
): EntryTest {
  refuseUnknownName(section, name, `the ignore pattern "${pattern}"`);
  const test = keyTest(name, spend);
  return (entry) => entry.section === section && test(entry);
}

export function refuseUnknownName(section: SectionName, pattern: string, where: string): void {
  const suggestion = suggestName(section, pattern);
  if (suggestion === undefined) return;
  throw new PatternError(
    `Nothing in ${section} is called "${pattern}" (in ${where}). Did you mean "${suggestion}"?`,
  );
}

export function sectionNamed(text: string, where: string): SectionName {
  const section = sectionOf(text);
  if (section) return section;
  const near = nearestName(text, [...sectionNames]);
  throw new PatternError(
    `There is no section "${text}" (in ${where}). ${near ? `Did you mean "${near}"? ` : ''}Sections: ${sectionNames.join(', ')}.`,
  );
}
