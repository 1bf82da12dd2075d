import { compareEnvironments, readFailure } from '@envsnap/compare';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../../support/test-data.ts';

const { comparedValues, otherValues } = readTestData<{
  comparedValues: [string, string][];
  otherValues: string[];
}>(import.meta);

const side = (files: number, timezone: string, envVars: Record<string, string>) => ({
  machineName: 'm',
  os: 'linux',
  arch: 'x64',
  envVars,
  metadata: { timezone, facts: { 'limits.openFiles': files } },
});
const evidenceOf = (text: string) =>
  new Map(
    compareEnvironments(
      side(65536, 'Europe/Berlin', { SHARED_DIR: '/a', TZ: 'Europe/Berlin' }),
      side(256, 'Asia/Kolkata', { TZ: 'Asia/Kolkata' }),
      { failure: readFailure(text) },
    ).causes.map(({ keys, evidence, hinted }) => [keys[0], evidence ?? (hinted && after)]),
  );

const error = "KeyError: 'SHARED_DIR'";
const limit = 'OSError: [Errno 24] Too many open files';
const [before, after] = ['2024-05-01 10:00', '2024-05-01 13:30'];

/** The form of the three: an error, a limit, two values. */
const formats: Readonly<Record<string, string>> = {
  pytest: `E   ${error}\nE   ${limit}\nE   AssertionError: assert '${before}' == '${after}'\nE     - ${after}\nE     + ${before}`,
  unittest: `${error}\n${limit}\nAssertionError: '${before}' != '${after}'`,
  jest: `  ● suite › a\n    ${error}\n    ${limit}\n    expect(received).toBe(expected)\n    Expected: "${before}"\n    Received: "${after}"\n      at Object.<anonymous> (a.test.js:1:1)`,
  vitest: ` FAIL  a.test.ts > a\n${error}\n${limit}\nAssertionError: expected '${before}' to be '${after}' // Object.is equality\n- Expected\n+ Received\n- ${before}\n+ ${after}`,
  'node --test': `not ok 1 - a\n  error: |-\n    ${error}\n    ${limit}\n  expected: '${before}'\n  actual: '${after}'`,
  'go test': `--- FAIL: TestA (0.00s)\n    a_test.go:1: ${error}\n    a_test.go:2: ${limit}\n    a_test.go:3: got "${before}", want "${after}"`,
  'cargo test': `---- a stdout ----\nthread 'a' panicked at src/a.rs:1: ${error}\n${limit}\nassertion \`left == right\` failed\n  left: "${before}"\n right: "${after}"`,
  maven: `[ERROR] ${error}\n[ERROR] ${limit}\n[ERROR]   ATest.a:1 expected:<${before}> but was:<${after}>`,
  gradle: `ATest > a() FAILED\n    ${error}\n    ${limit}\n    org.opentest4j.AssertionFailedError: expected: <${before}> but was: <${after}>`,
  rspec: `  1) A a\n     Failure/Error: x\n       ${error}\n       ${limit}\n       expected: "${before}"\n            got: "${after}" (using ==)`,
  phpunit: `1) ATest::testA\n${error}\n${limit}\nFailed asserting that two strings are equal.\n--- Expected\n+++ Actual\n@@ @@\n-'${before}'\n+'${after}'`,
  JUnit: `<testsuite><testcase name="a"><failure message="${error.replaceAll("'", '&apos;')}">${limit}\nexpected:&lt;${before}&gt; but was:&lt;${after}&gt;</failure></testcase></testsuite>`,
};
const wrappers: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'with the line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'in colours': (text) => text.replace(/^.*$/gm, '\u001b[31m$&\u001b[39m'),
  'in a log of GitHub Actions': (text) =>
    `2024-05-01T10:11:12.1234567Z ##[group]Run make\n${text.replace(/^/gm, '2024-05-01T10:11:13.1234567Z ')}\n2024-05-01T10:11:14.1234567Z ##[error]Process completed with exit code 1.`,
  'in a log of GitLab': (text) =>
    `section_start:1714558272:step\r\u001b[0K$ make\n${text.replace(/^/gm, '2024-05-01T10:11:12.123456Z 01O ')}\nsection_end:1714558273:step\r\u001b[0K`,
  'in a log of docker compose': (text) => text.replace(/^/gm, 'web-1  | '),
  'in a log of Jenkins': (text) => text.replace(/^/gm, '[2024-05-01T10:11:12.123Z] '),
  'in UTF-16, as PowerShell writes it': (text) => text.replace(/./gs, '$&\0'),
};

describe('the formats of an output', () => {
  for (const [place, wrap] of Object.entries(wrappers)) {
    it.each(Object.entries(formats))(`are read ${place}: %s`, (_, text) => {
      const found = evidenceOf(wrap(text));
      expect(found.get('SHARED_DIR')).toContain('SHARED_DIR');
      expect(found.get('limits.openFiles')).toContain('open files');
      expect(found.get('TZ')).toMatch(/10:00|13:30/);
    });
  }
});

const means = (text: string) => readFailure(text).clues.flatMap(({ rule }) => rule.names);

describe('values that an output compares', () => {
  it.each(comparedValues)('say by how they differ what it comes from: %s', (text, target) => {
    expect(means(text)).toContain(target);
  });

  it.each(otherValues)('say nothing if they are two other values: %s', (text) => {
    expect(means(text)).toEqual([]);
  });
});
