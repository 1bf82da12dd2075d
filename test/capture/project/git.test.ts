// Git state from a repository's files, compared with git's own output.

import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readIndex } from '../../../packages/capture/src/project/git/index-file.ts';
import { collectGit } from '../../../packages/capture/src/project/git.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';
import { git } from '../../support/git.ts';

const commit = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';

async function fake(files: FakeMachine['files'], folder = '/work/app') {
  const system = createFakeSystem({ files: files ?? {} });
  const collected = await collectGit(openMachine(system), folder);
  expect(system.executions).toEqual([]);
  return collected;
}

describe('git state read from files', () => {
  test('is absent outside of a repository', async () => {
    expect(await fake({ '/work/app/readme': '' })).toEqual({ unknown: [] });
  });

  test('is not that of a repository around a worktree whose git folder is missing', async () => {
    const files = { '/work/.git/HEAD': 'ref: refs/heads/main', '/work/app/.git': 'gitdir: /nonexistent\n' };
    expect(await fake(files)).toEqual({ unknown: [] });
  });

  test('finds the branch in a repository above the folder', async () => {
    const files = {
      '/work/.git/HEAD': 'ref: refs/heads/feat/x\n',
      '/work/.git/refs/heads/feat/x': `${commit}\n`,
      '/work/app/a': '',
    };
    expect((await fake(files)).git).toMatchObject({ commit, branch: 'feat/x' });
  });

  test('finds a packed reference', async () => {
    const packed = `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/other\n${commit} refs/heads/main\n^${'1'.repeat(40)}\n`;
    const files = { '/work/app/.git/HEAD': 'ref: refs/heads/main', '/work/app/.git/packed-refs': packed };
    expect((await fake(files)).git).toMatchObject({ commit, branch: 'main' });
  });

  test('reports a detached head by its commit alone, and a new repository by its branch alone', async () => {
    const { git } = await fake({ '/work/app/.git/HEAD': commit });
    expect(git).toEqual({ commit });
    expect((await fake({ '/work/app/.git/HEAD': 'ref: refs/heads/main' })).git).toEqual({
      branch: 'main',
      dirty: false,
    });
  });

  test('follows a worktree to its own head and the shared references', async () => {
    const files = {
      '/work/app/.git': 'gitdir: /repo/.git/worktrees/app\n',
      '/repo/.git/HEAD': 'ref: refs/heads/main',
      '/repo/.git/worktrees/app/HEAD': 'ref: refs/heads/topic',
      '/repo/.git/worktrees/app/commondir': '../..\n',
      '/repo/.git/refs/heads/topic': commit,
    };
    expect((await fake(files)).git).toMatchObject({ commit, branch: 'topic' });
  });

  test('says what it cannot know: references in tables, a damaged head, index or commit', async () => {
    const { git, unknown } = await fake({
      '/work/app/.git/HEAD': 'ref: refs/heads/.invalid\n',
      '/work/app/.git/index': 'DIRC\0\0\0\x09rest',
    });
    expect(git).toEqual({});
    expect(unknown).toEqual([
      {
        section: 'git',
        key: 'commit',
        reason: 'the repository stores its references in the reftable format',
      },
      { section: 'git', key: 'dirty', reason: 'its index has version 9' },
    ]);
    const noCommit = await fake({
      '/work/app/.git/HEAD': commit,
      '/work/app/.git/index': `DIRC\0\0\0\x02${'\0'.repeat(24)}`,
    });
    expect(noCommit.unknown.map((each) => each.reason)).toEqual(['the commit of its head cannot be read']);
    const endless = {
      '/work/app/.git/HEAD': 'ref: refs/heads/a',
      '/work/app/.git/refs/heads/a': 'ref: refs/heads/a',
    };
    expect((await fake(endless)).unknown[0]?.reason).toBe('HEAD is a chain of references that is too long');
  });

  test('finds the staged tree behind extensions of the index that it skips', () => {
    const size = (bytes: number) => String.fromCharCode(0, 0, 0, bytes);
    const extension = (name: string, content: string) => name + size(content.length) + content;
    const indexWith = (...extensions: string[]) =>
      Buffer.from(`DIRC${size(2)}${size(0)}${extensions.join('')}${'\0'.repeat(20)}`, 'latin1');
    const tree = extension('TREE', `\x000 0\n${'\xab'.repeat(20)}`);
    for (const before of [[], ['UNTR'], ['REUC', 'EOIE']]) {
      const skipped = before.map((name) => extension(name, 'content'));
      const { treeId } = readIndex(indexWith(...skipped, tree), 'sha1', () => undefined);
      expect(treeId).toBe('ab'.repeat(20));
    }
    expect(() => readIndex(indexWith(tree, extension('link', '')), 'sha1', () => undefined)).toThrow('split');
  });

  test('survives an index that is cut off at any byte', async () => {
    const path = await newRepository();
    await writeFile(join(path, 'a'), '1');
    git(path, 'add', '.');
    const index = await readFile(join(path, '.git', 'index'));
    for (let length = 0; length < index.length; length += 7) {
      const { git: state, unknown } = await fake({
        '/work/app/.git/HEAD': 'ref: refs/heads/main',
        '/work/app/.git/index': index.subarray(0, length),
        '/work/app/a': '1',
      });
      expect(state?.dirty ?? unknown[0]?.reason).toBeDefined();
    }
  });
});

/** It is removed with the file's temporary folder. */
async function newFolder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'git-')));
}

async function newRepository(): Promise<string> {
  const folder = await newFolder();
  git(folder, 'init', '-q', '-b', 'trunk');
  return folder;
}

async function collect(folder: string) {
  const system = createSystem({ homeDir: '/nowhere' });
  return collectGit(openMachine(system), folder);
}

/** Our result and git's, which runs last because it may write the index. */
async function expectAgreement(folder: string): Promise<void> {
  const { git: ours, unknown } = await collect(folder);
  const [head = '', ...lines] = git(folder, 'status', '--porcelain=v2', '--branch').trimEnd().split('\n');
  const theirs = lines.some((line) => !line.startsWith('# '));
  expect({ dirty: ours?.dirty, unknown }).toEqual({ dirty: theirs, unknown: [] });
  expect(`# branch.oid ${ours?.commit}`).toBe(head);
}

let first: Promise<string> | undefined;

/** A repository with a commit, copied from an original that is made once. */
async function committed(): Promise<string> {
  first ??= commitIn(mkdtemp(join(tmpdir(), 'git-')));
  const folder = await newFolder();
  await cp(await first, folder, { recursive: true });
  git(folder, 'update-index', '-q', '--refresh');
  return folder;
}

async function commitIn(made: Promise<string>, ...options: string[]): Promise<string> {
  const folder = await made;
  git(folder, 'init', '-q', '-b', 'trunk', ...options);
  await mkdir(join(folder, 'src', 'deep'), { recursive: true });
  for (const name of ['a', 'a-b', 'src/x', 'src/deep/y', 'z'])
    await writeFile(join(folder, name), `content of ${name}\n`);
  await writeFile(join(folder, '.gitignore'), '*.log\n/build/\n!keep.log\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

describe('git state of a real repository', () => {
  const changes: readonly (readonly [string, (folder: string) => unknown])[] = [
    ['is left alone', () => undefined],
    ['has a file touched', (f) => utimes(join(f, 'a'), new Date(), new Date())],
    ['has a file changed in place', (f) => writeFile(join(f, 'a'), 'CONTENT of a\n')],
    ['has a file that grew', (f) => writeFile(join(f, 'a'), 'more than before, much more\n')],
    ['has a file removed', (f) => unlink(join(f, 'src', 'x'))],
    ['has a file made executable', (f) => chmod(join(f, 'z'), 0o755)],
    ['has a file replaced by a link', (f) => unlink(join(f, 'z')).then(() => symlink('a', join(f, 'z')))],
    ['has a new file', (f) => writeFile(join(f, 'src', 'deep', 'new'), '')],
    ['has an ignored file', (f) => writeFile(join(f, 'src', 'debug.log'), '')],
    [
      'has an ignored folder',
      (f) => mkdir(join(f, 'build')).then(() => writeFile(join(f, 'build', 'o'), '')),
    ],
    ['has a file that is ignored no more', (f) => writeFile(join(f, 'keep.log'), '')],
    ['has an empty folder', (f) => mkdir(join(f, 'empty'))],
    ['has a staged file', (f) => writeFile(join(f, 'n'), '').then(() => git(f, 'add', 'n'))],
    ['has a staged removal', (f) => git(f, 'rm', '-q', '--cached', 'a')],
    [
      'has something staged and taken back',
      async (f) => {
        await writeFile(join(f, 'a'), 'other\n');
        git(f, 'add', 'a');
        git(f, 'reset', '-q', '--hard');
      },
    ],
    ['has an intended file', (f) => writeFile(join(f, 'n'), '').then(() => git(f, 'add', '-N', 'n'))],
    ['has its objects packed', (f) => git(f, 'gc', '-q', '--prune=now')],
    [
      'has a long history, packed',
      async (f) => {
        for (let round = 0; round < 8; round += 1)
          git(f, 'commit', '-q', '--allow-empty', '-m', `${'the same long message '.repeat(40)}${round}`);
        git(f, 'repack', '-q', '-a', '-d', '-f', '--depth=50');
      },
    ],
    ['has an index of version 4', (f) => git(f, 'update-index', '--index-version', '4')],
    ['has its references packed', (f) => git(f, 'pack-refs', '--all')],
    ['has a detached head', (f) => git(f, 'checkout', '-q', '--detach')],
    ['has a nested repository', (f) => git(f, 'init', '-q', 'nested')],
    [
      'has a folder .git that is no repository, beside ignored files',
      (f) =>
        mkdir(join(f, 'n', '.git'), { recursive: true }).then(() => writeFile(join(f, 'n', 'o.log'), '')),
    ],
    [
      'has lines that end in CR LF, converted',
      async (f) => {
        git(f, 'config', 'core.autocrlf', 'true');
        await writeFile(join(f, 'crlf'), 'one\r\ntwo\r\n');
        git(f, 'add', 'crlf');
        git(f, 'commit', '-q', '-m', 'crlf');
        await utimes(join(f, 'crlf'), new Date(), new Date());
      },
    ],
  ];

  // The changes between are of the same kinds.
  for (const [place, [what, change]] of changes.entries())
    test(`agrees with git when it ${what}`, { tags: place % 4 === 0 ? [] : 'release' }, async () => {
      const folder = await committed();
      await change(folder);
      await expectAgreement(folder);
    });

  test.each(['2', '4'])(
    'reports that an index of version %s is split, whatever was staged since',
    async (version) => {
      const folder = await committed();
      git(folder, 'update-index', '--index-version', version);
      git(folder, 'update-index', '--split-index');
      await writeFile(join(folder, 'a'), 'CONTENT of a\n');
      git(folder, 'add', 'a');
      expect((await collect(folder)).unknown).toEqual([
        { section: 'git', key: 'dirty', reason: 'its index is split' },
      ]);
    },
  );

  test('agrees with git in a repository with SHA-256 names', { tags: 'release' }, async () => {
    const folder = await commitIn(newFolder(), '--object-format=sha256');
    await expectAgreement(folder);
    await writeFile(join(folder, 'a'), 'CONTENT of a\n');
    await expectAgreement(folder);
  });

  test('agrees with git in a worktree and in a submodule', { tags: 'release' }, async () => {
    const folder = await committed();
    const tree = join(folder, 'tree');
    git(folder, 'worktree', 'add', '-q', '-b', 'topic', tree);
    await expectAgreement(tree);
    expect((await collect(tree)).git?.branch).toBe('topic');
    await expectAgreement(folder);
    const outer = await newRepository();
    git(outer, 'submodule', 'add', '-q', folder, 'inner');
    git(outer, 'commit', '-q', '-m', 'with a submodule');
    await expectAgreement(outer);
    await writeFile(join(outer, 'inner', 'a'), 'CONTENT of a\n');
    await expectAgreement(outer);
    await expectAgreement(join(outer, 'inner'));
    git(join(outer, 'inner'), 'commit', '-q', '-a', '-m', 'another');
    await expectAgreement(outer);
  });

  test('starts no filter, monitor or hook of the repository, and says what only a filter could show', async () => {
    const folder = await committed();
    const marker = join(folder, '.git', 'ran');
    await writeFile(join(folder, '.gitattributes'), 'a filter=e\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', 'attributes');
    const config = `[filter "e"]\n\tclean = touch ${marker}; cat\n\tprocess = touch ${marker}\n\trequired\n[core]\n\tfsmonitor = touch ${marker}\n\thooksPath = .\n`;
    await writeFile(join(folder, '.git', 'config'), config, { flag: 'a' });
    const index = await stat(join(folder, '.git', 'index'));
    expect((await collect(folder)).git?.dirty).toBe(false);
    await writeFile(join(folder, 'a'), 'CONTENT of a\n');
    expect(await collect(folder)).toMatchObject({
      git: { branch: 'trunk' },
      unknown: [{ key: 'dirty', reason: 'only a filter of the repository could say whether a changed' }],
    });
    expect((await stat(join(folder, '.git', 'index'))).mtimeMs).toBe(index.mtimeMs);
    await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('does not enter a bare repository that a folder holds', async () => {
    const folder = await committed();
    await mkdir(join(folder, 'bare'));
    git(join(folder, 'bare'), 'init', '-q', '--bare');
    expect((await collect(join(folder, 'bare'))).git).toMatchObject({ branch: 'trunk', dirty: true });
  });
});
