// The corpus of names and values: what leaves the machine and what does not. The half that was set aside counts alike.

import { describe, expect, test } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';
import { type CorpusRow, plainRows, secretRows } from './secret-corpus.ts';

/** 0: the half that the rules were tuned by, 1: the half that was set aside. */
const half = (rows: readonly CorpusRow[], which: 0 | 1): CorpusRow[] =>
  rows.filter((_, index) => index % 2 === which);
const judgedOtherwise = (rows: readonly CorpusRow[], decision: 'plain' | 'secret'): string[] =>
  rows.filter(([name, value]) => classifyVariable(name, value).decision !== decision).map(([name]) => name);

describe('a corpus of 120 secrets and 130 ordinary variables', () => {
  test('is large enough, and names each case once', () => {
    expect(secretRows.length).toBeGreaterThanOrEqual(120);
    expect(plainRows.length).toBeGreaterThanOrEqual(130);
    const cases = [...secretRows, ...plainRows].map((row) => row.join('\0'));
    expect(new Set(cases).size).toBe(cases.length);
  });

  test.each([0, 1] as const)('lets no secret out, half %i', (which) => {
    expect(judgedOtherwise(half(secretRows, which), 'secret')).toEqual([]);
  });

  test('hides few ordinary values: one of the half that the rules were tuned by, three of the one set aside', () => {
    expect(judgedOtherwise(half(plainRows, 0), 'plain').length).toBeLessThanOrEqual(1);
    expect(judgedOtherwise(half(plainRows, 1), 'plain').length).toBeLessThanOrEqual(3);
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
