// Combines the test cases of a run's reports: one name each, with the result over all attempts.

import type { TestsOfRun } from '../outcome-metadata.ts';

/** One attempt at a test, as a report shows it. */
export interface TestCase {
  readonly name: string;
  /** Its class or suite; empty if the report names none. */
  readonly group: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** It failed before it passed. */
  readonly flaky?: boolean;
}

export interface TestReport {
  readonly cases: readonly TestCase[];
  /** The texts of the failures, truncated at 64 KiB. */
  readonly failureText: string;
}

const mostFailureText = 64 * 1024;

/** Keeps the messages of failures, in order; ignores what is not text. */
export function keepFailures(): { keep(said: unknown): void; text(): string } {
  const texts: string[] = [];
  let room = mostFailureText;
  return {
    keep(said) {
      if (typeof said !== 'string' || said === '' || room <= 0) return;
      texts.push(said.slice(0, room));
      room -= said.length;
    },
    text: () => texts.join('\n'),
  };
}

/** Maximum number of test cases of a run. */
export const mostTestCases = 200_000;

/**
 * The tests of a run. The last attempt counts; a test that passed after it failed was flaky. Tests are identified by name or, if
 * several have the same name, by group and name with a dot between.
 */
export function testsOfRun(cases: readonly TestCase[]): TestsOfRun {
  const tests = new Map<
    string,
    { name: string; group: string; last: TestCase['result']; failedOnce: boolean }
  >();
  const groupsOf = new Map<string, Set<string>>();
  for (const { name, group, result, flaky } of cases) {
    const id = `${group}\0${name}`;
    const known = tests.get(id);
    const failedOnce = (known?.failedOnce ?? false) || result === 'failed' || flaky === true;
    tests.set(id, { name, group, last: result, failedOnce });
    groupsOf.set(name, (groupsOf.get(name) ?? new Set()).add(group));
  }
  const named = [...tests.values()].map(({ name, group, last, failedOnce }) => ({
    name: (groupsOf.get(name)?.size ?? 0) > 1 && group !== '' ? `${group}.${name}` : name,
    last,
    failedOnce,
  }));
  const namesOf = (test: (each: (typeof named)[number]) => boolean) =>
    named.filter(test).map(({ name }) => name);
  return {
    passed: named.filter(({ last, failedOnce }) => last === 'passed' && !failedOnce).length,
    skipped: named.filter(({ last }) => last === 'skipped').length,
    failed: namesOf(({ last }) => last === 'failed'),
    flaky: namesOf(({ last, failedOnce }) => last === 'passed' && failedOnce),
    ran: namesOf(({ last }) => last !== 'skipped'),
  };
}
