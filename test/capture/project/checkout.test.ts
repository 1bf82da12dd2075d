// How a work tree differs from its commit, made with the real git and Git LFS, and the resulting comparison.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { readAbove } from '../../../packages/capture/src/project/collect-project.ts';
import { collectGit } from '../../../packages/capture/src/project/git.ts';
import { readOutputs } from '../../../packages/capture/src/project/outputs.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import {
  type ComparisonRules,
  compareEnvironments,
} from '../../../packages/compare/src/compare-environments.ts';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import { comparisonToDocument } from '../../../packages/compare/src/formats/json.ts';
import { checkoutFindings } from '../../../packages/compare/src/model/compare-checkout.ts';
import { git } from '../../support/git.ts';

/** It is removed with the file's temporary folder. */
async function emptyFolder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'checkout-')));
}

async function collect(folder: string) {
  return collectGit(openMachine(createSystem({ homeDir: '/nowhere' })), folder);
}

let first: Promise<string> | undefined;

async function makePair(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'));
  const origin = join(folder, 'origin');
  await mkdir(join(origin, 'src'), { recursive: true });
  git(origin, 'init', '-q', '-b', 'trunk');
  for (const name of ['src/index.js', 'run.sh', 'a b.txt', 'café.txt'])
    await writeFile(join(origin, name), `one of ${name}\ntwo\n`);
  await symlink('run.sh', join(origin, 'link'));
  git(origin, 'add', '.');
  git(origin, 'commit', '-q', '-m', 'first');
  git(folder, 'clone', '-q', 'origin', 'clone');
  const clone = join(folder, 'clone');
  git(clone, 'remote', 'set-url', 'origin', '../origin');
  for (const each of [origin, clone]) await mkdir(join(each, '.git/info'), { recursive: true });
  return folder;
}

/** A repository with a commit, and a clone of it, copied from originals that are made once. */
async function pair(): Promise<{ origin: string; clone: string }> {
  const folder = await emptyFolder();
  first ??= makePair();
  await cp(await first, folder, { recursive: true, verbatimSymlinks: true });
  return { origin: join(folder, 'origin'), clone: join(folder, 'clone') };
}

async function compared(a: string, b: string, rules: ComparisonRules = {}) {
  const [left, right] = await Promise.all([collect(a), collect(b)]);
  const side = ({ git: state, checkout }: typeof left) => ({
    machineName: 'm',
    metadata: { git: state, checkout },
  });
  return compareEnvironments(side(left), side(right), rules);
}

async function advised(folder: string): Promise<Record<string, string | null>> {
  const findings = checkoutFindings({
    machineName: 'm',
    metadata: { checkout: (await collect(folder)).checkout },
  });
  return Object.fromEntries(findings.map(({ key, advice }) => [key, advice]));
}

describe('a checkout', () => {
  test('is the same in two healthy clones', async () => {
    const { origin, clone } = await pair();
    const report = await compared(origin, clone);
    expect(report.differences).toEqual([]);
    expect((await collect(clone)).checkout).toEqual({
      changed: { count: 0, files: {} },
      ignored: { count: 0, files: {} },
      tags: false,
      untracked: 0,
    });
  });

  const changes: readonly (readonly [
    kind: string,
    path: string,
    verdict: string,
    change: (clone: string) => unknown,
  ])[] = [
    ['content', 'src/index.js', 'tolerated', (f) => writeFile(join(f, 'src/index.js'), 'other\n')],
    [
      'content',
      'src/index.js',
      'tolerated',
      (f) => writeFile(join(f, 'src/index.js'), 'staged\n').then(() => git(f, 'add', '.')),
    ],
    ['line ends', 'run.sh', 'failed', (f) => writeFile(join(f, 'run.sh'), 'one of run.sh\r\ntwo\r\n')],
    ['executable bit', 'run.sh', 'failed', (f) => chmod(join(f, 'run.sh'), 0o755)],
    ['missing', 'src/index.js', 'failed', (f) => unlink(join(f, 'src/index.js'))],
    [
      'not a link',
      'link',
      'failed',
      (f) => unlink(join(f, 'link')).then(() => writeFile(join(f, 'link'), '')),
    ],
    [
      'name in another Unicode form',
      'café.txt',
      'failed',
      (f) => rename(join(f, 'café.txt'), join(f, 'café.txt'.normalize('NFD'))),
    ],
    [
      'added',
      'new.js',
      'tolerated',
      (f) => writeFile(join(f, 'new.js'), '').then(() => git(f, 'add', 'new.js')),
    ],
    ['missing', 'run.sh', 'failed', (f) => git(f, 'rm', '-q', 'run.sh')],
    ['missing', 'src/', 'failed', (f) => git(f, 'rm', '-q', '-r', 'src')],
    [
      'missing',
      'src/',
      'failed',
      async (f) => {
        // Git keeps the folder because of ignored files in it.
        await writeFile(join(f, '.git/info/exclude'), '*.o\n');
        await writeFile(join(f, 'src/index.o'), '');
        git(f, 'rm', '-q', '-r', 'src');
      },
    ],
    ['executable bit', 'run.sh', 'failed', (f) => git(f, 'update-index', '--chmod=+x', 'run.sh')],
    [
      'not checked out',
      './',
      'failed',
      (f) => Promise.all(['.git/index', 'src'].map((path) => rm(join(f, path), { recursive: true }))),
    ],
    ['not tracked', 'run.sh', 'tolerated', (f) => git(f, 'rm', '-q', '--cached', 'run.sh')],
    ['not tracked', 'src/', 'tolerated', (f) => git(f, 'rm', '-q', '--cached', '-r', 'src')],
  ];
  // One way in which a file or folder comes to be of a kind is enough.
  const isFirst = (place: number) => changes.findIndex(([kind]) => kind === changes[place]?.[0]) === place;
  const chosen = changes.filter((_, place) => isFirst(place));
  test.each(chosen)('with a change of kind “%s” in %s is %s', changedTo);
  test.each(changes.filter((_, place) => !isFirst(place)))(
    'with another change of kind “%s” in %s is %s',
    { tags: 'release' },
    changedTo,
  );

  async function changedTo(...[kind, path, verdict, change]: (typeof changes)[number]): Promise<void> {
    const { origin, clone } = await pair();
    await change(clone);
    expect((await collect(clone)).checkout?.changed).toEqual({ count: 1, files: { [path]: kind } });
    const report = await compared(origin, clone);
    expect(report.verdict).toBe(verdict);
    expect(report.causes[0]).toMatchObject({ section: 'checkout', keys: [`changed/${path}`] });
    expect(report.causes[0]?.what).toContain(path);
    expect(comparisonToDocument(report).diff.checkout).toContainEqual(
      expect.objectContaining({ key: `changed/${path}`, a: 'as committed', b: kind, status: 'changed' }),
    );
    const advice = (await advised(clone))[`changed/${path}`] ?? '';
    if (!advice.startsWith('git ') || advice.startsWith('git update-index')) return;
    execFileSync('sh', ['-c', advice], { cwd: clone, stdio: 'pipe' });
    expect((await collect(clone)).checkout?.changed.count).toBe(0);
  }

  test('names what was moved away, with a command that brings it back', async () => {
    const { clone } = await pair();
    git(clone, 'mv', 'a b.txt', 'moved.txt');
    expect((await collect(clone)).checkout?.changed.files).toEqual({
      'a b.txt': 'missing',
      'moved.txt': 'added',
    });
    const advice = (await advised(clone))['changed/a b.txt'];
    expect(advice).toBe("git restore -- 'a b.txt' || git restore --staged --worktree -- 'a b.txt'");
    execFileSync('sh', ['-c', advice ?? ''], { cwd: clone, stdio: 'pipe' });
    expect((await collect(clone)).checkout?.changed.files).toEqual({ 'moved.txt': 'added' });
  });

  test('advises what keeps staged edits first', { tags: 'release' }, async () => {
    const { clone } = await pair();
    await writeFile(join(clone, 'run.sh'), 'staged\n');
    git(clone, 'add', 'run.sh');
    await rm(join(clone, 'run.sh'));
    const advice = (await advised(clone))['changed/run.sh'] ?? '';
    execFileSync('sh', ['-c', advice], { cwd: clone });
    expect(await readFile(join(clone, 'run.sh'), 'utf8')).toBe('staged\n');
  });

  test('names a conflict by its file alone, though its folder has nothing else', {
    tags: 'release',
  }, async () => {
    const { clone } = await pair();
    const commit = async (text: string) => {
      await writeFile(join(clone, 'src/index.js'), text);
      await writeFile(join(clone, 'src/gone.js'), 'of both');
      git(clone, 'add', '.');
      git(clone, 'commit', '-q', '-m', text);
    };
    git(clone, 'checkout', '-q', '-b', 'topic');
    await commit('theirs');
    git(clone, 'checkout', '-q', 'trunk');
    await commit('ours');
    expect(() => git(clone, 'merge', '-q', 'topic')).toThrow();
    git(clone, 'rm', '-q', 'run.sh');
    expect((await collect(clone)).checkout?.changed.files).toEqual({
      'run.sh': 'missing',
      'src/index.js': 'in conflict',
    });
    git(clone, 'rm', '-q', 'src/gone.js');
    expect((await collect(clone)).checkout?.changed.files).toEqual({
      'run.sh': 'missing',
      'src/gone.js': 'missing',
      'src/index.js': 'in conflict',
    });
  });

  test('counts the files that it does not name', async () => {
    const { origin, clone } = await pair();
    for (let index = 0; index < 60; index += 1) await writeFile(join(origin, `n${index}`), '1');
    git(origin, 'add', '.');
    git(origin, 'commit', '-q', '-m', 'many');
    git(clone, 'pull', '-q');
    for (let index = 0; index < 60; index += 1) await writeFile(join(clone, `n${index}`), '2');
    const { checkout } = await collect(clone);
    expect(checkout?.changed.count).toBe(60);
    expect(Object.keys(checkout?.changed.files ?? {})).toHaveLength(50);
    expect((await compared(origin, clone)).causes[0]?.what).toMatch(/^n0 is changed in B .*, and 59 more$/);
  });

  test('reports another commit as context, of the same branch too', async () => {
    const { origin, clone } = await pair();
    await writeFile(join(origin, 'run.sh'), 'later\n');
    git(origin, 'commit', '-q', '-a', '-m', 'second');
    const report = await compared(origin, clone);
    expect(report.verdict).toBe('tolerated');
    expect(report.causes[0]?.what).toMatch(/^the commit is [0-9a-f]{8} in A, [0-9a-f]{8} in B$/);
    git(clone, 'checkout', '-q', '-b', 'topic');
    const other = await compared(origin, clone);
    expect(other.differences.every(({ context }) => context)).toBe(true);
  });

  test('reads attributes by their patterns: a filter for images says nothing about sources', {
    tags: 'release',
  }, async () => {
    const { clone } = await pair();
    await writeFile(join(clone, '.gitattributes'), '*.png filter=images\n');
    await writeFile(join(clone, 'src/index.js'), 'other\n');
    git(clone, 'add', '.gitattributes');
    const { git: state, checkout, unknown } = await collect(clone);
    expect(unknown).toEqual([]);
    expect(state?.dirty).toBe(true);
    expect(checkout?.changed.files).toEqual({ '.gitattributes': 'added', 'src/index.js': 'content' });
  });

  test('has clean line endings if git normalises them', async () => {
    const { clone } = await pair();
    await writeFile(join(clone, '.git/info/attributes'), '*.sh text\n');
    await writeFile(join(clone, 'run.sh'), 'one of run.sh\r\ntwo\r\n');
    expect((await collect(clone)).checkout?.changed.count).toBe(0);
  });

  test('counts untracked files, and says when the history is cut off or only a part is there', {
    tags: 'release',
  }, async () => {
    const { origin, clone } = await pair();
    await writeFile(join(clone, 'x'), '');
    await writeFile(join(clone, 'src/y'), '');
    // A copy has other times, so git checks the files again.
    git(clone, 'update-index', '-q', '--refresh');
    git(clone, 'sparse-checkout', 'set', '--no-cone', '/src/');
    const shallow = join(await emptyFolder(), 'shallow');
    git(origin, 'clone', '-q', '--depth', '1', `file://${origin}`, shallow);
    expect((await collect(clone)).checkout).toMatchObject({ untracked: 2, sparse: true });
    expect((await collect(shallow)).checkout).toMatchObject({ shallow: true, tags: false });
    git(origin, 'tag', 'v1');
    git(origin, 'pack-refs', '--all');
    expect((await collect(origin)).checkout).toMatchObject({ tags: true });
    expect((await compared(origin, shallow)).verdict).toBe('tolerated');
    const report = await compared(origin, clone);
    expect(report.causes[0]?.what).toBe('only part of the repository is checked out in B');
    expect(report.verdict).toBe('failed');
  });

  test('includes tracked files that ignore rules match', async () => {
    const { origin } = await pair();
    await mkdir(join(origin, 'fixtures/locks'), { recursive: true });
    await writeFile(join(origin, '.gitignore'), 'fixtures/\n*.lock\n');
    const lock = (version: string) => `GEM\n  specs:\n    rack (${version})\n`;
    await writeFile(join(origin, 'fixtures/locks/Gemfile.lock'), lock('3.0.0'));
    git(origin, 'add', '-f', '.gitignore', 'fixtures');
    await writeFile(join(origin, 'fixtures/locks/poetry.lock'), '[[package]]\nname = "a"\nversion = "1"\n');
    const { dependencies } = await collectDependencies(openMachine(createSystem()), {
      folder: origin,
      manifests: false,
      fixtures: true,
    });
    expect(Object.keys(dependencies)).toEqual(['fixtures/locks/Gemfile.lock']);
  });

  test('names files that git ignores, and blames one only if the output names it', {
    tags: 'release',
  }, async () => {
    const { origin, clone } = await pair();
    for (const folder of ['config', 'local/deep', 'node_modules/a', '.venv', 'made'])
      await mkdir(join(origin, folder), { recursive: true });
    const rules = 'config/own.json\n*.pem\nlocal/\nnode_modules/\n.venv/\nmade/\nx.log\n.env\n';
    await writeFile(join(origin, '.git/info/exclude'), rules);
    const ignoredPaths =
      'config/own.json tls.pem .env local/a.txt local/deep/b node_modules/a/c .venv/d made/pyvenv.cfg x.log';
    for (const path of ignoredPaths.split(' ')) await writeFile(join(origin, path), 'hunter2');
    const { checkout } = await collect(origin);
    const described = expect.stringMatching(/^7 bytes, sha256:[0-9a-f]{16}$/);
    expect(checkout?.ignored).toEqual({
      count: 4,
      files: {
        '.env': 'present',
        'config/own.json': described,
        'local/a.txt': described,
        'tls.pem': 'present',
      },
    });
    expect(checkout?.untracked).toBe(0);
    expect((await compared(origin, clone)).verdict).toBe('equal');
    const causeOf = async (a: string, b: string, output: string) => {
      const { causes } = await compared(a, b, { failure: readFailure(output) });
      return causes[0]?.evidence === undefined ? undefined : [causes[0].what, causes[0].advice];
    };
    const lacking = [
      'config/own.json, which git ignores, is missing in B',
      'copy config/own.json from A, or create it, in B',
    ];
    for (const output of [
      "Error: ENOENT: no such file or directory, open '/app/config/own.json'",
      "Error: Cannot find module '../config/own'",
      "ModuleNotFoundError: No module named 'config.own'",
      'error: C:\\app\\config\\own.json: not found',
    ])
      expect(await causeOf(origin, clone, output), output).toEqual(lacking);
    for (const output of [
      "Error: ENOENT: no such file or directory, open '/app/node_modules/x/config/own.json'",
      'error: my-config/own.json: not found',
      'error: config/own.json.gz: not found',
      'Error: cannot find the configuration',
    ])
      expect(await causeOf(origin, clone, output), output).toBeUndefined();
    expect((await causeOf(clone, origin, 'error: config/own.json: unexpected token'))?.[1]).toBe(
      'move config/own.json out of the way in B',
    );
    for (let index = 0; index < 200; index += 1) await writeFile(join(clone, `${index}.pem`), '');
    await writeFile(join(clone, '.git/info/exclude'), '*.pem\n');
    await mkdir(join(clone, 'deep'));
    await writeFile(join(clone, 'deep/last.pem'), '');
    const { ignored } = (await collect(clone)).checkout ?? {};
    expect([ignored?.count, Object.keys(ignored?.files ?? {}).length]).toEqual([201, 200]);
    expect(await causeOf(origin, clone, 'error: config/own.json: not found')).toBeUndefined();
  });

  test('names outputs that are missing or stale, and files above the project', {
    tags: 'release',
  }, async () => {
    const { origin } = await pair();
    await writeFile(join(origin, 'package.json'), '{"main": "./dist/index.js", "types": "src/index.js"}');
    git(origin, 'add', '.');
    git(origin, 'commit', '-q', '-m', 'with a manifest');
    const look = () => readOutputs(openMachine(createSystem({ homeDir: '/nowhere' })), origin);
    expect(await look()).toEqual({ 'dist/index.js': 'not built' });
    await mkdir(join(origin, 'dist'));
    await writeFile(join(origin, 'dist/index.js'), '');
    expect(await look()).toEqual({});
    await utimes(join(origin, 'dist/index.js'), new Date(0), new Date(0));
    expect(await look()).toEqual({ 'dist/index.js': 'older than its sources' });
    await writeFile(join(origin, 'tsconfig.json'), '{"compilerOptions": {"outDir": "./lib/",},} // theirs');
    await writeFile(join(origin, 'pom.xml'), '<build><directory>out/java</directory></build>');
    await mkdir(join(origin, '.cargo'));
    await writeFile(join(origin, '.cargo/config.toml'), '[build]\ntarget-dir = "out/rust"\n');
    await mkdir(join(origin, 'out/rust'), { recursive: true });
    await mkdir(join(origin, 'lib'));
    await writeFile(join(origin, 'lib/a.js'), '');
    await utimes(join(origin, 'lib/a.js'), new Date(0), new Date(0));
    expect(await look()).toEqual({
      'dist/index.js': 'older than its sources',
      lib: 'older than its sources',
      'out/java': 'not built',
    });
    await rm(join(origin, 'lib'), { recursive: true });
    await mkdir(join(origin, 'node_modules/@t/base'), { recursive: true });
    const config = (path: string, text: string) => writeFile(join(origin, path), text);
    await config('tsconfig.json', '{"extends": ["@t/base/tsconfig.json", "./config/emit"]}');
    await config('node_modules/@t/base/tsconfig.json', '{"compilerOptions": {"outDir": "types"}}');
    await mkdir(join(origin, 'config'));
    await config(
      'config/emit.json',
      '{"extends": "../tsconfig.json", "compilerOptions": {"outDir": "../lib"}}',
    );
    expect(await look()).toMatchObject({ lib: 'not built' });
    await config('config/emit.json', '{"compilerOptions": {"outDir": "\\u0024{configDir}/js"}}');
    expect(await look()).toMatchObject({ js: 'not built' });
    await config('config/emit.json', '{"compilerOptions": {"noEmit": true}}');
    expect(Object.keys(await look())).toEqual(['dist/index.js', 'out/java']);
    await config('package.json', '{"workspaces": ["packages/*", "!packages/old"]}');
    for (const name of ['ui', 'old', 'deep/er']) {
      await mkdir(join(origin, `packages/${name}`), { recursive: true });
      await config(`packages/${name}/package.json`, '{"main": "dist/index.js"}');
      await config(`packages/${name}/tsconfig.json`, '{"extends": "@t/base/tsconfig.json"}');
    }
    await config(
      'node_modules/@t/base/tsconfig.json',
      '{"compilerOptions": {"outDir": "\u0024{configDir}/types"}}',
    );
    git(origin, 'add', 'packages');
    expect(Object.keys(await look())).toEqual(['out/java', 'packages/ui/dist/index.js', 'packages/ui/types']);
    const exports = Array.from({ length: 600 }, (_, index) => `./dist/${index}.js`);
    await config('package.json', JSON.stringify({ main: `${'x'.repeat(200)}.js`, exports: { ...exports } }));
    // And the one that pom.xml names.
    expect(Object.keys(await look())).toHaveLength(501);
    const inner = join(origin, 'src');
    await writeFile(join(origin, 'package.json'), '{"type": "module"}');
    const above = await readAbove(openMachine(createSystem({ homeDir: '/nowhere' })), inner);
    expect(above).toEqual({ 'package.json': 'type module' });
    const side = (project: object) => ({
      machineName: 'm',
      metadata: { project: { root: '<checkout>', ...project } },
    });
    const report = compareEnvironments(
      side({}),
      side({ outputs: { 'dist/index.js': 'not built' }, above: { '.npmrc': 'present' } }),
    );
    expect(report.verdict).toBe('failed');
    expect(report.causes.map(({ what }) => what)).toEqual([
      'dist/index.js is not built in B',
      'a folder above the project has .npmrc in B, which the project’s tools pick up',
    ]);
  });

  test('names a changed file that git is set to assume unchanged, although git calls the tree clean', async () => {
    const { origin } = await pair();
    git(origin, 'update-index', '--assume-unchanged', 'src/index.js');
    await writeFile(join(origin, 'src/index.js'), 'changed\n');
    const { git: state, checkout } = await collect(origin);
    expect(git(origin, 'status', '--porcelain')).toBe('');
    expect(state?.dirty).toBe(false);
    expect(checkout?.changed).toEqual({ count: 1, files: { 'src/index.js': 'overlooked' } });
    git(origin, 'update-index', '--no-assume-unchanged', 'src/index.js');
    git(origin, 'update-index', '--skip-worktree', 'src/index.js');
    expect((await collect(origin)).checkout?.changed).toEqual(checkout?.changed);
  });

  test('names submodules that are missing or elsewhere, and counts them', { tags: 'release' }, async () => {
    const { origin } = await pair();
    const inner = (await pair()).origin;
    git(origin, 'submodule', 'add', '-q', inner, 'lib/inner');
    git(origin, 'commit', '-q', '-m', 'with a submodule');
    const clone = join(await emptyFolder(), 'clone');
    git(origin, 'clone', '-q', origin, clone);
    expect((await collect(clone)).checkout?.submodules).toEqual({ 'lib/inner': 'not initialised' });
    const report = await compared(origin, clone);
    expect(report.verdict).toBe('failed');
    expect(report.causes[0]).toMatchObject({
      what: 'the submodule lib/inner is not initialised in B',
      advice: 'run “git submodule update --init --recursive” in B',
    });
    git(clone, 'submodule', 'update', '-q', '--init');
    expect((await collect(clone)).checkout?.submodules).toBeUndefined();
    git(join(clone, 'lib/inner'), 'commit', '-q', '--allow-empty', '-m', 'elsewhere');
    expect((await collect(clone)).checkout?.submodules).toEqual({ 'lib/inner': 'at another commit' });
  });
});

function hasLfs(): boolean {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('Git LFS', () => {
  /** The output of `git lfs clean` for a content; the test below runs git-lfs itself. */
  const pointerOf = (content: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${content.length}\n`;

  async function withPointer() {
    const { origin } = await pair();
    await writeFile(join(origin, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    await writeFile(join(origin, 'model.bin'), pointerOf('weights'));
    git(origin, 'add', '.');
    git(origin, 'commit', '-q', '-m', 'with a pointer');
    const clone = join(await emptyFolder(), 'clone');
    git(origin, 'clone', '-q', origin, clone);
    return { origin, clone };
  }

  test('files that were never fetched count, and fetched ones are clean without a filter being run', async () => {
    const { origin, clone } = await withPointer();
    await writeFile(join(origin, 'model.bin'), 'weights');
    expect((await collect(origin)).checkout?.changed.count).toBe(0);
    expect((await collect(clone)).checkout?.pointers).toEqual({ count: 1, files: ['model.bin'] });
    const report = await compared(origin, clone);
    expect(report.verdict).toBe('failed');
    expect(report.causes[0]).toMatchObject({
      what: 'model.bin is a Git LFS pointer in B: its content was never fetched',
      advice: 'run “git lfs pull” in B',
    });
    await writeFile(join(origin, 'model.bin'), 'other');
    expect((await collect(origin)).checkout?.changed.files).toEqual({ 'model.bin': 'content' });
  });

  test.skipIf(!hasLfs())(
    'agrees with the real git-lfs (skipped where it is not installed)',
    { tags: 'release' },
    async () => {
      const { clone } = await withPointer();
      git(clone, 'lfs', 'install', '--local');
      await writeFile(join(clone, 'data.bin'), 'some data');
      git(clone, 'add', 'data.bin');
      git(clone, 'commit', '-q', '-m', 'data');
      expect(git(clone, 'show', 'HEAD:data.bin')).toBe(pointerOf('some data'));
      const { git: state, checkout } = await collect(clone);
      expect(state?.dirty).toBe(false);
      expect(checkout?.pointers?.files).toEqual(['model.bin']);
    },
  );
});
