// Forms of secrets that once left in clear, and ordinary values beside them. The second of each pair was set aside before the
// rules were written.

import { describe, expect, it, test } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';
import { type CorpusRow, plainRows, secretRows } from './secret-corpus.ts';

describe('a secret', () => {
  it.each([
    ['GIT_REMOTE', 'https://x7Kq29vTmPz4@git.example.org/a.git'],
    ['MIRROR', 'https://oauth8831kkq2@pkg.example.org/simple'],
    ['BUS', 'nats://s3cr3tToken@bus.example.org:4222'],
    ['QUEUE_ADDRESS', 'nats://letmein@10.0.0.5'],
    ['LOGIN_LINE', 'registry-cli login -u bob -p hunter2'],
    ['PUBLISH', 'tool --username ci -p Winter24 --quiet'],
    ['SYNC_CMD', 'sync --password hunter2 --all'],
    ['IMPORT_LINE', 'import --passwd=letmein data'],
    ['APP_JVM', '-Xmx1g -Ddb.pw=hunter2'],
    ['EXTRA_JVM', '-Dmail.smtp.pw=winter -Da=b'],
    ['VAULT_UNSEAL', 'abcd-efgh'],
    ['DOOR_ACCESS_CODE', '4711'],
    ['AES_IV', '0011223344556677'],
    ['SESSION_IV', 'abcdefgh12345678'],
    ['WORKERS', 'a,wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEK1,b'],
    ['POOL', 'x;kT9vQ2mZ7pL4wX8bN3cR6yH1sD5fG0jA+eU/iOqPt;y'],
  ])('is hidden: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('secret');
  });
});

describe('an ordinary value', () => {
  it.each([
    ['REQUEST', '01J9ZK4Q2V5T8W1XH3N6RB7CDE'],
    ['BUILD', 'build-01HF7YAT31JZECMB4CE8SZ5MVN'],
    ['REMOTE', 'https://octocat@github.com/a/b'],
    ['PORTS', 'docker run -p 8080:80 -u app x'],
    ['FOLDERS', 'mkdir -p out'],
    ['CIV', 'yes'],
  ])('stays: %s', (name, value) => {
    expect(classifyVariable(name, value).decision).toBe('plain');
  });
});

// The corpus of names and values: what leaves the machine and what does not. The half that was set aside counts alike.

/** 0: the half that the rules were tuned by, 1: the half that was set aside. */
const half = (rows: readonly CorpusRow[], which: 0 | 1): CorpusRow[] =>
  rows.filter((_, index) => index % 2 === which);
const judgedOtherwise = (rows: readonly CorpusRow[], decision: 'plain' | 'secret'): string[] =>
  rows.filter(([name, value]) => classifyVariable(name, value).decision !== decision).map(([name]) => name);

describe('a corpus of 400 secrets and 400 ordinary variables', () => {
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
