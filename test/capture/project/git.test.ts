// Git state from a repository's files, and the one question that git itself answers.

import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectGit } from '../../../packages/capture/src/project/git.ts';
import { createMachineFiles } from '../../../packages/capture/src/system/machine-files.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

const commit = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';

async function fake(
  files: FakeMachine['files'],
  folder = '/work/app',
  programs: FakeMachine['programs'] = {},
) {
  const system = createFakeSystem({ files: files ?? {}, programs });
  const program = Object.keys(programs)[0];
  return collectGit(system, createMachineFiles(system), folder, async () => program);
}

describe('git state read from files', () => {
  test('is absent outside of a repository', async () => {
    expect(await fake({ '/work/app/readme': '' })).toEqual({ unknown: [], warnings: [] });
  });

  test('finds the branch in a repository above the folder', async () => {
    const files = {
      '/work/.git/HEAD': 'ref: refs/heads/feat/x\n',
      '/work/.git/refs/heads/feat/x': `${commit}\n`,
      '/work/app/a': '',
    };
    expect((await fake(files)).git).toEqual({ commit, branch: 'feat/x' });
  });

  test('finds a packed reference', async () => {
    const packed = `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/other\n${commit} refs/heads/main\n^${'1'.repeat(40)}\n`;
    const files = { '/work/app/.git/HEAD': 'ref: refs/heads/main', '/work/app/.git/packed-refs': packed };
    expect((await fake(files)).git).toEqual({ commit, branch: 'main' });
  });

  test('tells a detached head by its commit alone, and a new repository by its branch alone', async () => {
    expect((await fake({ '/work/app/.git/HEAD': commit })).git).toEqual({ commit });
    expect((await fake({ '/work/app/.git/HEAD': 'ref: refs/heads/main' })).git).toEqual({ branch: 'main' });
  });

  test('follows a worktree to its own head and the shared references', async () => {
    const files = {
      '/work/app/.git': 'gitdir: /repo/.git/worktrees/app\n',
      '/repo/.git/HEAD': 'ref: refs/heads/main',
      '/repo/.git/worktrees/app/HEAD': 'ref: refs/heads/topic',
      '/repo/.git/worktrees/app/commondir': '../..\n',
      '/repo/.git/refs/heads/topic': commit,
    };
    expect((await fake(files)).git).toEqual({ commit, branch: 'topic' });
  });

  test('asks git for the head where references are kept in tables', async () => {
    const files = { '/work/app/.git/HEAD': 'ref: refs/heads/.invalid\n' };
    const git = (args: readonly string[]): string =>
      args.includes('rev-parse') ? `${commit}\n` : args.includes('symbolic-ref') ? 'main\n' : '';
    expect((await fake(files, '/work/app', { '/usr/bin/git': git })).git).toEqual({
      commit,
      branch: 'main',
      dirty: false,
    });
  });

  test('says with a warning that git did not answer', async () => {
    const { git, warnings } = await fake({ '/work/app/.git/HEAD': commit }, '/work/app', {
      '/usr/bin/git': { outcome: 'timeout', exitCode: null },
    });
    expect(git).toEqual({ commit });
    expect(warnings).toMatchObject([{ code: 'git_unreadable' }]);
  });
});

describe('git state of a real repository', () => {
  let folder: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    });
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-git-')));
    git('init', '-q', '-b', 'trunk');
    await writeFile(join(folder, 'a'), '1');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const collect = async () => {
    const system = createSystem();
    const program = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    return (await collectGit(system, createMachineFiles(system), folder, async () => program)).git;
  };

  test('agrees with git, clean and dirty, and touches neither the index nor configured programs', async () => {
    const head = git('rev-parse', 'HEAD').trim();
    const marker = join(folder, '.git', 'monitor-ran');
    git('config', 'core.fsmonitor', `touch ${marker}; false`);
    const index = await stat(join(folder, '.git', 'index'));
    expect(await collect()).toEqual({ commit: head, branch: 'trunk', dirty: false });
    await writeFile(join(folder, 'b'), '2');
    expect(await collect()).toEqual({ commit: head, branch: 'trunk', dirty: true });
    expect((await stat(join(folder, '.git', 'index'))).mtimeMs).toBe(index.mtimeMs);
    await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
