// Decides which differences count: parses and applies rules such as `runtimes:minor,dependencies:major,env`.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import type { Spend } from '@envsnap/shared/work-budget';
import { type Distance, distances, reaches } from '@envsnap/versions';
import { differencesOf, type Entry, type EnvironmentComparison } from '../model/model.ts';
import { keyTest, PatternError, refuseUnknownName, sectionNamed } from './ignore-patterns.ts';

export interface FailRule {
  readonly text: string;
  readonly section: SectionName;
  readonly pattern: string | null;
  readonly level: Distance | null;
  readonly lenient?: true;
  readonly tolerates?: (entry: Entry) => boolean;
}

/** Without `--fail-on` and a policy, a difference counts if it can change what the project does. docs/specification.md §12. */
export const defaultFailRules: readonly FailRule[] = sectionNames.map((section) => ({
  text: section,
  section,
  pattern: null,
  level: null,
  lenient: true,
}));

/** Parses comma-separated rules, each `SECTION[:PATTERN][:LEVEL]`. `none` alone: nothing counts; `all` alone: every
 * difference counts, context included. Throws a {@link PatternError} that says what is allowed. */
export function parseFailOn(text: string): FailRule[] {
  const parts = splitOutsideBraces(text).map((part) => part.trim());
  if (parts.length === 1 && parts[0] === 'none') return [];
  if (parts.length === 1 && parts[0] === 'all') {
    return sectionNames.map((section) => ({ text: 'all', section, pattern: '**', level: null }));
  }
  return parts.map(parseRule);
}

function parseRule(text: string): FailRule {
  if (text === '') {
    throw new PatternError(`A fail-on rule is empty. Write for example ${example}, or none.`);
  }
  const [first = '', ...rest] = text.split(':');
  const section = sectionNamed(first, `the fail-on rule "${text}"`);
  const last = rest.at(-1);
  if (last === undefined) return { text, section, pattern: null, level: null };
  const level = levels.find((candidate) => candidate === last);
  if (level) {
    const pattern = rest.slice(0, -1).join(':') || null;
    if (pattern !== null) refuseUnknownName(section, pattern, `the fail-on rule "${text}"`);
    return { text, section, pattern, level };
  }
  const suggestion = last.includes('*') || last.includes('/') ? undefined : nearestName(last, levels);
  if (suggestion && rest.length === 1 && last !== '') {
    throw new PatternError(
      `There is no level "${last}" (in the fail-on rule "${text}"). Did you mean "${suggestion}"? Levels: ${levels.join(', ')}.`,
    );
  }
  const pattern = rest.join(':');
  if (pattern === '')
    throw new PatternError(
      `The fail-on rule "${text}" ends with a colon: write ${section} or ${section}:minor.`,
    );
  refuseUnknownName(section, pattern, `the fail-on rule "${text}"`);
  return { text, section, pattern, level: null };
}

const example = 'runtimes:minor,dependencies:major,env';
const levels = distances.filter((distance) => distance !== 'other');

export function countingEntries(
  comparison: EnvironmentComparison,
  rules: readonly FailRule[],
  spend?: Spend,
): Entry[] {
  const bySection = new Map<SectionName, ((entry: Entry) => boolean)[]>();
  for (const rule of rules) {
    const tests = bySection.get(rule.section) ?? [];
    tests.push(ruleTest(rule, spend));
    bySection.set(rule.section, tests);
  }
  return differencesOf(comparison).filter((entry) => {
    const tests = bySection.get(entry.section) ?? [];
    spend?.(tests.length);
    return tests.some((test) => test(entry));
  });
}

function ruleTest(rule: FailRule, spend: Spend | undefined): (entry: Entry) => boolean {
  const matchesKey =
    rule.pattern === null
      ? (entry: Entry) => !entry.context && !(rule.lenient && entry.mild !== undefined)
      : keyTest(rule.pattern, spend);
  const { level, tolerates } = rule;
  return (entry) =>
    matchesKey(entry) &&
    tolerates?.(entry) !== true &&
    (level === null || entry.distance === null || reaches(entry.distance, level));
}

function splitOutsideBraces(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth <= 0) {
      parts.push(current);
      current = '';
    } else current += character;
  }
  return [...parts, current];
}
