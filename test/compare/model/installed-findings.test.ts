import { findDifferences } from '@envsnap/compare';
import { describe, expect, it } from 'vitest';

const dependencies = { 'package-lock.json': { zod: '4.6.7' }, 'web/pnpm-lock.yaml': { vite: '8.0.0' } };
const installed = { machineName: 'a', dependencies };
const bare = (...notInstalled: string[]) => ({ machineName: 'b', dependencies, metadata: { notInstalled } });

const notesOf = (a: typeof installed, b: typeof installed) =>
  findDifferences(a, b)
    .notes.filter(({ code }) => code === 'not_installed')
    .map(({ message }) => message);

describe('where nothing of a lock file is installed', () => {
  it('on one side only, a comparison says what it could not compare, and counts nothing', () => {
    const found = findDifferences(installed, bare('package-lock.json', 'web/pnpm-lock.yaml'));
    expect(found.sections.installed).toEqual([]);
    expect(notesOf(installed, bare('package-lock.json', 'web/pnpm-lock.yaml'))).toEqual([
      'Nothing of package-lock.json is installed in B, so the installed packages could not be compared. Run npm ci there, then compare again.',
      expect.stringMatching(
        /^Nothing of web\/pnpm-lock\.yaml is installed in B, .* Run cd web && pnpm install/,
      ),
    ]);
    expect(notesOf(bare('package-lock.json'), installed)).toEqual([
      expect.stringMatching(/^Nothing of package-lock\.json is installed in A,/),
    ]);
  });

  it('says nothing when it is so on both sides, or the other has no such file', () => {
    expect(notesOf(bare('package-lock.json'), bare('package-lock.json'))).toEqual([]);
    expect(notesOf({ machineName: 'a', dependencies: {} as never }, bare('package-lock.json'))).toEqual([]);
    expect(notesOf(installed, { ...installed, metadata: { notInstalled: 'x' } } as never)).toEqual([]);
  });

  it('gives a command that runs nothing else where the name of a folder would', () => {
    const advised = (folder: string) => {
      const file = `${folder}/package-lock.json`;
      const other = { machineName: 'a', dependencies: { [file]: { zod: '4.6.7' } } };
      return notesOf(other as never, bare(file))[0]?.match(/Run (.*) there/)?.[1];
    };
    expect(advised('a b')).toBe("cd 'a b' && npm ci");
    expect(advised('x; touch y')).toBe("cd 'x; touch y' && npm ci");
    expect(advised("it's $(touch y)")).toBe("cd 'it'\\''s $(touch y)' && npm ci");
    expect(advised('-rf')).toBe('cd ./-rf && npm ci');
  });
});
