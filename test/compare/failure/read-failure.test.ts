import { readFailure } from '@envsnap/compare';
import { failureBounds } from '@envsnap/compare/workspace';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../../support/test-data.ts';

const { missing, wrapped, unset } = readTestData<{
  missing: [string, string][];
  wrapped: string[];
  unset: [string, string[]][];
}>(import.meta);

const words = (text: string) => readFailure(text).clues.map((clue) => clue.words);

describe('reading the output of a failure', () => {
  it('finds what the rules describe, with the words around it', () => {
    const { clues } = readFailure("line one\nlibc.so.6: version `GLIBC_2.38' not found (required by app)\n");
    expect(clues[0]).toMatchObject({ taken: '2.38', words: expect.stringContaining('GLIBC_2.38') });
  });

  it('joins the lines of a box, and no rows of a table', () => {
    const long = 'the error of a failed download is one sentence over several';
    expect(readFailure(`| ${long}\n| lines`).said).toBe(`| ${long} lines`);
    expect(readFailure(`| ${long} |\n| lines | of it |`).said).toContain('\n');
  });

  it.each(missing)('says what is missing: %s', (text, name) => {
    expect([...readFailure(text).missing.keys()]).toContain(name);
  });

  it('does not treat a word of a sentence or a shell as missing', () => {
    const { missing } = readFailure('sh: 1: tsc: not found\nThe file of the command was not found\n');
    expect(['sh', 'file', 'command', 'the'].filter((word) => missing.has(word))).toEqual([]);
  });

  it.each([
    ['go: github.com/acme/auth@v1.4.2: reading https://sum.golang.org/lookup/x: 404 Not Found', 'go'],
    ["node: /lib/libc.so.6: version `GLIBC_2.28' not found (required by node)", 'node'],
    ['Could not find artifact a:b:jar:1 in central (https://repo.maven.apache.org/maven2)', 'maven2'],
  ])('does not treat the program that reports, or a part of an address, as missing: %s', (text, name) => {
    expect([...readFailure(text).missing.keys()]).not.toContain(name);
  });

  it.each(wrapped)('reads a line without what services and terminals write around it: %o', (around) => {
    const line = 'acme: unexpected character';
    const { errors, clues } = readFailure(around.replace('LINE', line));
    expect([errors.map((error) => error.line), clues]).toEqual([[line], []]);
  });

  it.each(unset)('says which variable is not set: %s', (text, names) => {
    const claims = readFailure(text).claims.filter(({ kind }) => kind === 'unset variable');
    expect(claims.map((claim) => JSON.stringify(claim)).join()).toBe(
      names
        .map((name) =>
          JSON.stringify({
            kind: 'unset variable',
            name: name.replace('?', ''),
            isPossible: name.endsWith('?'),
          }),
        )
        .join(),
    );
  });

  it.each(['=========== 1 failed, 40 passed in 75.12s (0:01:15) ===========', '09:12 - the test failed'])(
    'does not treat a heading or a log line with a time as a comparison of dates: %s',
    (line) => expect(words(line)).toEqual([]),
  );

  it('reads JUnit and coloured text like plain text', () => {
    expect(words('<failure message="&apos;ascii&apos; codec can&apos;t encode"/>')).toHaveLength(1);
    // Two rules match it: one for the watched file, one for the disk.
    expect([...new Set(words('\u001b[31mError: watch \u001b[0mENOSPC'))]).toEqual(['Error: watch ENOSPC']);
  });

  it('shows no control characters, no long tokens and no passwords of addresses', () => {
    const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    const [shown = ''] = words(`ECONNREFUSED ::1 \u202e\u0007 https://me:secret@host ${token}`);
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]|secret|ghp_/u);
    expect(shown.length).toBeLessThanOrEqual(120);
  });

  it.each([
    'ERR_PNPM_LOCKFILE_BREAKING_CHANGE Lockfile not compatible',
    'java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty',
  ])('shows the long name of an error: %s', (text) => {
    expect(words(text)).toContain(text);
  });

  it('looks at the beginning and the end of a long text, and says so', () => {
    const filler = 'x'.repeat(failureBounds.fromStart + failureBounds.fromEnd);
    const failure = readFailure(`EMFILE: too many open files\n${filler}\nMAGIC_NAME is not set\n`);
    expect(failure.cut).toBe(true);
    expect(failure.clues).toHaveLength(1);
    expect(failure.names.has('MAGIC_NAME')).toBe(true);
    expect(readFailure('short').cut).toBe(false);
  });

  it('keeps the last lines that report an error, and each version that is asked for', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => `error ${n}: no`).join('\n');
    const { errors, clues } = readFailure(
      `${many}\nlibc: version \`GLIBC_2.34' not found\nlibc: version \`GLIBC_2.32' not found\n`,
    );
    expect(errors.at(-1)?.line).toContain('glibc_2.32');
    expect(errors.length).toBeLessThanOrEqual(500);
    expect(clues.map(({ taken }) => taken)).toEqual(expect.arrayContaining(['2.34', '2.32']));
  });

  it('keeps a bounded number of clues and names, whatever the text', () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `KEY_${n}_X: command-${n}: command not found`);
    const failure = readFailure(lines.join('\n'));
    expect(failure.clues.length).toBeLessThanOrEqual(200);
    expect(failure.names.size).toBeLessThanOrEqual(20_000);
  });
});
