import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

const lock = (packages: object, version = 3) =>
  JSON.stringify({ name: 'app', lockfileVersion: version, packages });

describe('package-lock.json', () => {
  it('lists nested and scoped packages of version 3 with every version', async () => {
    const packages = await packagesOf(
      'package-lock.json',
      lock({
        '': { name: 'app', version: '9.9.9' },
        'node_modules/a': { version: '1.10.0' },
        'node_modules/@scope/b': { version: '2.0.0' },
        'node_modules/@scope/b/node_modules/a': { version: '1.9.0' },
        'node_modules/c/node_modules/a': { version: '1.10.0-rc.1' },
      }),
    );
    expect(packages).toEqual({ a: '1.9.0, 1.10.0-rc.1, 1.10.0', '@scope/b': '2.0.0' });
  });

  it('yields to npm-shrinkwrap.json in the same folder', async () => {
    const { dependencies } = await collectFiles({
      'package-lock.json': lock({ 'node_modules/a': { version: '1.0.0' } }),
      'npm-shrinkwrap.json': lock({ 'node_modules/a': { version: '2.0.0' } }),
    });
    expect(JSON.parse(JSON.stringify(dependencies))).toEqual({ 'npm-shrinkwrap.json': { a: '2.0.0' } });
  });

  it('takes user names, passwords and tokens out of addresses', async () => {
    const packages = await packagesOf(
      'package-lock.json',
      JSON.stringify({
        lockfileVersion: 1,
        dependencies: {
          a: { version: 'https://user:hunter2@host.invalid/a.tgz?token=hunter2' },
          b: { version: 'git+https://hunter2@host.invalid/b.git#abc' },
          c: { version: 'git+ssh://git:hunter2@host.invalid/c.git#abc' },
        },
      }),
    );
    expect(JSON.stringify(packages)).not.toContain('hunter2');
    expect(packages).toEqual({
      a: 'https://host.invalid/a.tgz',
      b: 'git+https://host.invalid/b.git#abc',
      c: 'git+ssh://host.invalid/c.git#abc',
    });
  });

  it('keeps names such as __proto__ and constructor as data', async () => {
    const text =
      '{"lockfileVersion":3,"packages":{"node_modules/__proto__":{"version":"1.0.0"},"node_modules/constructor":{"version":"2.0.0"}}}';
    const { dependencies } = await collectFiles({ 'package-lock.json': text });
    expect(JSON.stringify(dependencies)).toBe(
      '{"package-lock.json":{"__proto__":"1.0.0","constructor":"2.0.0"}}',
    );
  });

  it.each([
    ['an empty file', '', 1, 1],
    ['a truncated file', '{\n  "lockfileVersion": 3,\n  "packages": {', 3, 16],
    ['a missing comma', '{\n  "lockfileVersion": 3\n  "packages": {}\n}', 3, 3],
    ['a trailing comma', '{"packages": {},}', 1, 17],
    ['a bad escape', '{"name": "\\x"}', 1, 11],
    ['a list', '[]', 1, 1],
  ])('reports %s with its position and goes on', async (_, text, line, column) => {
    const { dependencies, warnings } = await collectFiles({
      'package-lock.json': text,
      'go.mod': 'require a.b/c v1.0.0',
    });
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'dependency_file_unreadable',
        file: 'package-lock.json',
        line,
        column,
      }),
    ]);
    expect(Object.keys(dependencies)).toEqual(['go.mod']);
  });

  it('names merge conflicts as such', async () => {
    const text = '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> other\n}';
    const { warnings } = await collectFiles({ 'package-lock.json': text });
    expect(warnings).toEqual([
      expect.objectContaining({ message: expect.stringContaining('merge conflict'), line: 2 }),
    ]);
  });

  it('warns of a package without a version and keeps the others', async () => {
    const { dependencies, warnings } = await collectFiles({
      'package-lock.json': lock({ 'node_modules/a': {}, 'node_modules/b': { version: '1.0.0' } }),
    });
    expect(dependencies['package-lock.json']).toEqual(expect.objectContaining({ b: '1.0.0' }));
    expect(warnings).toEqual([expect.objectContaining({ code: 'dependency_entry_skipped' })]);
  });
});

describe('package.json', () => {
  const manifest = JSON.stringify({
    dependencies: { a: '^1.0.0' },
    devDependencies: { b: 'workspace:*', c: 'npm:real@2' },
    peerDependencies: { a: '>=1' },
  });

  it('is left out beside a lock file of any JavaScript package manager', async () => {
    for (const lockFile of ['yarn.lock', 'package-lock.json']) {
      const { dependencies } = await collectFiles({
        'package.json': manifest,
        [lockFile]: lockFile === 'yarn.lock' ? '# yarn lockfile v1\n' : '{"lockfileVersion":1}',
      });
      expect(Object.keys(dependencies)).toEqual([lockFile]);
    }
  });

  it('is left out for members of a workspace above, and recorded for folders that are none', async () => {
    const { dependencies } = await collectFiles({
      'package-lock.json': lock({ '': {}, 'packages/member': { version: '1.0.0' } }),
      'packages/member/package.json': manifest,
      'outside/stranger/package.json': manifest,
    });
    expect(Object.keys(dependencies)).toEqual(['outside/stranger/package.json', 'package-lock.json']);
  });

  it('is recorded beside a lock file when manifests are asked for', async () => {
    const files = { 'package.json': manifest, 'package-lock.json': '{"lockfileVersion":1}' };
    const { dependencies } = await collectFiles(files, { manifests: true });
    expect(Object.keys(dependencies)).toEqual(['package-lock.json', 'package.json']);
  });

  it('stands in for a lock file that cannot be read', async () => {
    const { dependencies } = await collectFiles({ 'package.json': manifest, 'package-lock.json': '{' });
    expect(Object.keys(dependencies)).toEqual(['package.json']);
  });
});
