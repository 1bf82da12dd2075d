import { compareEnvironments, readFailure } from '@envsnap/compare';
import { describe, expect, it } from 'vitest';

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

/** How the three are written: an error, a limit, two values. */
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
  it.each([
    ['- timestamp: 1273184274\n+ timestamp: 1273180674', 'family:time zone'],
    ['Expected: 1245774295\nActual  : 1245777895', 'family:time zone'],
    ['  left: "2013-12-03"\n right: "2013-12-04"', 'family:time zone'],
    ['Expected value to equal:\n  "6/17/2017"\nReceived:\n  "6/18/2017"', 'family:time zone'],
    ['-  May 17, 2022  5:29:42 PM\n+  May 17, 2022  8:29:42 PM', 'family:time zone'],
    ["AssertionError: '5:30 AM' != '12:00 AM'", 'family:time zone'],
    ['expected: "20.12 [°C]"\n but was: "20,12 [°C]"', 'env:LC_NUMERIC'],
    ['expected:<5[.]20> but was:<5[,]20>', 'env:LC_NUMERIC'],
    ['Expected: "1 234"\nReceived: "1\u202f234"', 'facts:node.icu'],
    ["expected 'a\\r\\nb' to equal 'a\\nb'", 'family:line ends'],
    ['mode: expected -rw-r--r-- got -rw-rw-r--', 'facts:process.umask'],
    ['  Expected: 420\n  Received: 384', 'facts:process.umask'],
    ["'664' !== '644'", 'facts:process.umask'],
    ['- <red>error</>: no\n+ error: no', 'family:colour'],
    ['- a long line\n- that was broken\n+ a long line that was broken', 'env:COLUMNS'],
    ['got /private/var/x/1, want /var/x/1', 'family:temporary folder'],
    ["['Beta', 'bądź', 'a'] did not equal ['a', 'bądź', 'Beta']", 'family:language'],
    ['expected "Grüße" to equal "Gr??e"', 'family:language'],
    ['Expected: src/Button.tsx\nReceived: src/button.tsx', 'family:case of file names'],
    ['E   - 10:00\nE   + 12:00', 'family:time zone'],
    [
      '2024-06-15T11:54:50.8Z Expected: 1245774295\n2024-06-15T11:54:50.9Z Actual: 1245777895',
      'family:time zone',
    ],
  ])('say by how they differ what it comes from: %s', (text, target) => {
    expect(means(text)).toContain(target);
  });

  it.each([
    'Expected: 3\nReceived: 4',
    "expected 'red' to equal 'blue'",
    '- version 1.2.3 of 2024-05-01\n+ version 1.2.4 of 2024-05-01',
    'Expected: 1245774295\nActual: 1245774299',
    'assert len(x) == 3',
  ])('say nothing where they are two other values: %s', (text) => {
    expect(means(text)).toEqual([]);
  });
});
