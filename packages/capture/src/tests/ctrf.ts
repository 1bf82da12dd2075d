// Test reports in the Common Test Report Format (ctrf.io): JSON with `results.tests`.

import { keepFailures, mostTestCases, type TestCase, type TestReport } from './test-cases.ts';

/** Reads a report. Throws if it is not JSON, or not of this format. */
export function parseCtrf(text: string): TestReport {
  const document = JSON.parse(text.replace(/^\uFEFF/, '')) as { results?: { tests?: unknown } } | null;
  const tests = document?.results?.tests;
  if (!Array.isArray(tests)) throw new TypeError('it has no results.tests');
  const failures = keepFailures();
  const cases = tests.slice(0, mostTestCases).flatMap((test: unknown): TestCase[] => {
    const { name, status, suite, flaky, message, trace } = (test ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '') return [];
    for (const text of status === 'failed' ? [message, trace] : []) failures.keep(text);
    const result = status === 'passed' || status === 'failed' ? status : 'skipped';
    return [{ name, group: groupOf(suite), result, flaky: flaky === true && result === 'passed' }];
  });
  return { cases, failureText: failures.text() };
}

/** A suite is a name, or a list of nested names. */
function groupOf(suite: unknown): string {
  if (typeof suite === 'string') return suite;
  return Array.isArray(suite) ? suite.filter((each) => typeof each === 'string').join('.') : '';
}
