// Forms of secrets that once leaked, and ordinary values beside them. The second of each pair was set aside before the rules were
// written.

import { describe, expect, it, test } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';
import { readTestData } from '../../support/test-data.ts';
import { type CorpusRow, plainRows, secretRows } from './secret-corpus.ts';

const { secrets, ordinary } = readTestData<{ secrets: [string, string][]; ordinary: [string, string][] }>(
  import.meta,
);

describe('a secret', () => {
  it.each(secrets)('is hidden: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('secret');
  });
});

describe('an ordinary value', () => {
  it.each(ordinary)('stays: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('plain');
  });
});

// The corpus of names and values: what leaves the machine and what does not. The half that was set aside has the same limits.

/** 0: the half on which the rules were tuned, 1: the half that was set aside. */
const half = (rows: readonly CorpusRow[], which: 0 | 1): CorpusRow[] =>
  rows.filter((_, index) => index % 2 === which);
const judgedOtherwise = (rows: readonly CorpusRow[], decision: 'plain' | 'secret'): string[] =>
  rows.filter(([name, value]) => classifyVariable(name, value).decision !== decision).map(([name]) => name);

describe('a corpus of secrets and ordinary variables', () => {
  test('is large enough, and names each case once', () => {
    expect(secretRows.length).toBeGreaterThanOrEqual(400);
    expect(plainRows.length).toBeGreaterThanOrEqual(400);
    const cases = [...secretRows, ...plainRows].map((row) => row.join('\0'));
    expect(new Set(cases).size).toBe(cases.length);
  });

  test.each([0, 1] as const)('leaves at most 2 in 100 of the secrets readable, half %i', (which) => {
    const rows = half(secretRows, which);
    expect(judgedOtherwise(rows, 'secret').length).toBeLessThanOrEqual(rows.length * 0.02);
  });

  test.each([0, 1] as const)('hides at most 2 in 100 of the ordinary values, half %i', (which) => {
    const rows = half(plainRows, which);
    expect(judgedOtherwise(rows, 'plain').length).toBeLessThanOrEqual(rows.length * 0.02);
  });

  test('says why in words that hold none of the value', () => {
    for (const [name, value] of secretRows) {
      const { reason } = classifyVariable(name, value);
      if (value.length > 5) expect(reason).not.toContain(value);
    }
  });

  test.each([
    ['EMAIL', 'jane@example.org', 'secret'],
    ['OWNER', 'Jane Doe <jane@example.org>', 'secret'],
    ['SMTP_FROM', 'shop@example.org', 'plain'],
    ['GIT_URL', 'git@github.com:o/r.git', 'plain'],
  ] as const)('judges the address in %s=%s', (name, value, decision) => {
    expect(classifyVariable(name, value).decision).toBe(decision);
  });
});
