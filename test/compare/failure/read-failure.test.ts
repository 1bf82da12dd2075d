import { readFailure } from '@envsnap/compare';
import { failureBounds } from '@envsnap/compare/workspace';
import { describe, expect, it } from 'vitest';

const words = (text: string) => readFailure(text).clues.map((clue) => clue.words);

describe('reading the output of a failure', () => {
  it('finds what rules know, with the words around it', () => {
    const { clues } = readFailure("line one\nlibc.so.6: version `GLIBC_2.38' not found (required by app)\n");
    expect(clues[0]).toMatchObject({ taken: '2.38', words: expect.stringContaining('GLIBC_2.38') });
  });

  it.each([
    ['sh: 1: tsc: not found', 'typescript'],
    ["Error: Cannot find module '@acme/core'", '@acme/core'],
    ["'ng' is not recognized as an internal or external command", 'ng'],
    ['zsh: command not found: mvn', 'maven'],
    ['Missing libraries: ║\n║     libnss3.so', 'nss'],
    ['fatal error: liboath/oath.h: No such file or directory', 'oath'],
    ['C:\\Tools\\cmake.exe: not found', 'cmake'],
  ])('says what is missing: %s', (text, name) => {
    expect([...readFailure(text).missing.keys()]).toContain(name);
  });

  it('takes no word of a sentence and no shell for something missing', () => {
    const { missing } = readFailure('sh: 1: tsc: not found\nThe file of the command was not found\n');
    expect(['sh', 'file', 'command', 'the'].filter((word) => missing.has(word))).toEqual([]);
  });

  it('reads JUnit and coloured text like plain text', () => {
    expect(words('<failure message="&apos;ascii&apos; codec can&apos;t encode"/>')).toHaveLength(1);
    // Two rules know it: one by the file that is watched, one by the disk.
    expect([...new Set(words('\u001b[31mError: watch \u001b[0mENOSPC'))]).toEqual(['Error: watch ENOSPC']);
  });

  it('shows no control characters, no long tokens and no passwords of addresses', () => {
    const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    const [shown = ''] = words(`ECONNREFUSED ::1 \u202e\u0007 https://me:secret@host ${token}`);
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]|secret|ghp_/u);
    expect(shown.length).toBeLessThanOrEqual(120);
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
