import { readFailure } from '@envsnap/compare';
import { describe, expect, it } from 'vitest';

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
