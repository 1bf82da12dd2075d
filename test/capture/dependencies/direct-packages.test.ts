// The packages of a lock file that a capture records as direct dependencies.

import { describe, expect, it } from 'vitest';
import { collectFiles } from './collect-files.ts';

const poetryLock = (...names: string[]) =>
  `${names.map((name) => `[[package]]\nname = "${name}"\nversion = "1.0"\n`).join('\n')}\n[metadata]\nlock-version = "2.1"\n`;

describe('the packages that a project itself asks for', () => {
  it('are not those of a lock file that changed too late, which still governs its manifest', async () => {
    const files = {
      'poetry.lock': poetryLock('six', 'idna'),
      'pyproject.toml': '[project]\ndependencies = ["six"]\n',
    };
    const late = await collectFiles(files, { changedBefore: Date.now() - 60_000 });
    expect(late).toMatchObject({ dependencies: {}, direct: {}, sources: {} });
    expect(late.warnings).toMatchObject([
      { file: 'poetry.lock', reason: 'it changed after the command began' },
    ]);
    expect(await collectFiles(files, { changedBefore: Date.now() + 60_000 })).toMatchObject({
      direct: { 'poetry.lock': ['six'] },
      warnings: [],
    });
  });

  it('are left out if a snapshot has no room for them', async () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `package-${at}`);
    const files = {
      'poetry.lock': poetryLock(...names, 'other'),
      'pyproject.toml': `[project]\ndependencies = ${JSON.stringify(names)}\n`,
    };
    expect((await collectFiles(files)).direct).toEqual({});
  });
});
