// Test reports in the XML of JUnit, as Surefire, Gradle, pytest, Jest, gtest and many others write it. No entity is expanded and
// none is fetched.

import { scanXml } from '../dependencies/text/xml.ts';
import { keepFailures, mostTestCases, type TestCase, type TestReport } from './test-cases.ts';

/** Elements below a test case that give its result. Those of reruns are in addition to an attempt that passed or failed. */
const marks: Readonly<Record<string, 'failed' | 'skipped' | 'flaky' | 'rerun'>> = {
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
  disabled: 'skipped',
  flakyFailure: 'flaky',
  flakyError: 'flaky',
  rerunFailure: 'rerun',
  rerunError: 'rerun',
};

/** Reads a report. Throws if it is not well-formed XML. */
export function parseJunit(text: string): TestReport {
  const cases: TestCase[] = [];
  const failures = keepFailures();
  let open: { -readonly [Key in keyof TestCase]: TestCase[Key] } | undefined;
  let depthOfCase = 0;
  let inFailure = false;
  scanXml(text, {
    open(name, attributes, depth) {
      if (name === 'testcase') {
        const isNotRun = attributes.get('status') === 'notrun';
        open = {
          name: attributes.get('name') ?? '',
          group: attributes.get('classname') ?? '',
          result: isNotRun ? 'skipped' : 'passed',
        };
        depthOfCase = depth;
        return;
      }
      const mark = Object.hasOwn(marks, name) ? marks[name] : undefined;
      if (!open || mark === undefined || depth !== depthOfCase + 1) return;
      if (mark === 'failed' || mark === 'skipped') open.result = mark;
      if (mark === 'flaky') open.flaky = true;
      inFailure = mark !== 'skipped';
      if (inFailure) failures.keep(attributes.get('message'));
    },
    text(said) {
      if (inFailure) failures.keep(said.trim());
    },
    close(name, depth) {
      if (depth <= depthOfCase + 1) inFailure = false;
      if (name !== 'testcase' || !open) return;
      if (open.name !== '' && cases.length < mostTestCases) cases.push(open);
      open = undefined;
    },
  });
  return { cases, failureText: failures.text() };
}
