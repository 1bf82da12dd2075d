// Files that are found but do not belong to the project, are not dependency files, or are not read.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { ParseProblem } from '../../../packages/capture/src/dependencies/parse-problem.ts';
import { parseToml } from '../../../packages/capture/src/dependencies/text/toml.ts';
import { parseYamlMap } from '../../../packages/capture/src/dependencies/text/yaml.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { formatOfFile } from '../../../packages/shared/src/catalogue/formats.ts';
import { collectFiles, folderWith } from './collect-files.ts';

const lock = (name: string) =>
  JSON.stringify({ lockfileVersion: 3, packages: { [`node_modules/${name}`]: { version: '1.0.0' } } });

describe('fixtures', () => {
  const files = {
    'package-lock.json': lock('a'),
    'test/fixtures/x/package-lock.json': lock('b'),
    'examples/y/go.mod': 'module y\n\nrequire example.com/m v1.0.0\n',
    'templates/Gemfile': 'gem "rails"\n',
    'tests/requirements.txt': 'pytest==8.0\n',
  };

  it('are counted in one line', async () => {
    const { dependencies, warnings } = await collectFiles(files);
    expect(Object.keys(dependencies)).toEqual(['package-lock.json', 'tests/requirements.txt']);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        'fixtures_left_out',
        '3 dependency files below test, fixtures, examples or templates are not recorded ' +
          '(examples/y/go.mod, templates/Gemfile, test/fixtures/x/package-lock.json): --fixtures records them.',
      ],
    ]);
  });

  it('are not the only files that are left out: so are manifests beside a lock file from the 101st on', async () => {
    const members = Array.from({ length: 120 }, (_, place) => `packages/p${place}`);
    const packages = Object.fromEntries(['', ...members].map((folder) => [folder, {}]));
    const { warnings } = await collectFiles({
      'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }),
      ...Object.fromEntries(members.map((folder) => [`${folder}/package.json`, '{}'])),
    });
    expect(warnings.map(({ code }) => code)).toEqual(['manifests_left_out']);
    expect(warnings[0]?.message).toContain('nearest 100 of 120 manifests');
  });

  it('are recorded if they are asked for', async () => {
    const { dependencies, warnings } = await collectFiles(files, { fixtures: true });
    expect(Object.keys(dependencies)).toHaveLength(5);
    expect(warnings).toEqual([]);
  });
});

it.each(['.github/workflows/check-lock.yml', 'lib/templates/Dockerfile.tt'])(
  '%s is no lock file and no Dockerfile',
  (file) => expect(['unknown-lock', 'dockerfile']).not.toContain(formatOfFile(file)?.id),
);

it('an image that a template fills in is not recorded, nor is a word of a program', async () => {
  const { dependencies } = await collectFiles({
    Dockerfile: 'FROM <%= image %>:1\nFROM {{ base }}\nFROM #{base}:#{tag}\nFROM debian:12\n',
    'dockerfile.pm': 'package dockerfile;\nFROM perl:5.38\n',
  });
  expect(dependencies).toEqual({ Dockerfile: { debian: '12' } });
});

describe('files that are not read', () => {
  it('have a digest, whatever their line endings and comment lines', async () => {
    const sourceOf = async (text: string) =>
      (await collectFiles({ 'build.gradle': text })).sources['build.gradle'];
    expect(await sourceOf('a\r\n')).toEqual(await sourceOf('a\n'));
    expect(await sourceOf('a\n')).not.toEqual(await sourceOf('b\n'));
    expect(await sourceOf('// a\nb\n')).toEqual(await sourceOf('b\n'));
  });

  it('are named beside a lock file if they are one', async () => {
    const { warnings } = await collectFiles({ 'bun.lockb': 'x', 'yarn.lock': '# yarn lockfile v1\n' });
    expect(warnings.map(({ file }) => file)).toEqual(['bun.lockb']);
  });
});

it('submodules have the commit of the index', async () => {
  const folder = folderWith({ '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n' });
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
  git('init');
  git('update-index', '--add', '--cacheinfo', `160000,${commit},lib`);
  const { dependencies } = await collectDependencies(openMachine(createSystem()), {
    folder,
    manifests: false,
  });
  expect({ ...dependencies['.gitmodules'] }).toEqual({ lib: commit });
});

// Files with both sides of a merge: the message names the place of the first marker, whatever the parser stumbled over.

function problemOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each([
  ['YAML', parseYamlMap, 'packages:\n  a:\n    version: 1\n'],
  ['TOML', parseToml, '[[package]]\nname = "a"\nversion = "1"\n'],
])('%s names the line and column of a conflict', (_, parse, text) => {
  const merged = `${text}<<<<<<< HEAD\n  b: : 2\n=======\n  b: 3\n>>>>>>> other\n`;
  const problem = problemOf(() => parse(merged));
  expect(problem).toBeInstanceOf(ParseProblem);
  expect(problem).toMatchObject({
    message: 'it has unresolved merge conflict markers',
    line: text.split('\n').length,
    column: 1,
  });
});
