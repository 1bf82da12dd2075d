// Which packages of a lock file a capture says the project itself asks for.

import { describe, expect, it } from 'vitest';
import { collectFiles, type Files } from './collect-files.ts';

const poetryLock = (...names: string[]) =>
  `${names.map((name) => `[[package]]\nname = "${name}"\nversion = "1.0"\n`).join('\n')}\n[metadata]\nlock-version = "2.1"\n`;

async function directOf(files: Files): Promise<unknown> {
  return (await collectFiles(files)).direct;
}

describe('the packages that a project itself asks for', () => {
  it.each<[string, Files, unknown]>([
    [
      'those of pyproject.toml, however they are spelled',
      {
        'poetry.lock': poetryLock('idna', 'pyyaml', 'requests', 'typing-extensions'),
        'pyproject.toml':
          '[project]\nname = "app"\ndependencies = ["PyYAML>=6", "requests[socks]", "typing_extensions"]\n',
      },
      { 'poetry.lock': ['pyyaml', 'requests', 'typing-extensions'] },
    ],
    [
      'those of composer.json',
      {
        'composer.lock': JSON.stringify({
          packages: ['monolog/monolog', 'psr/log'].map((name) => ({ name, version: '3.0.0' })),
        }),
        'composer.json': '{"require": {"php": "^8", "monolog/monolog": "^3"}}',
      },
      { 'composer.lock': ['monolog/monolog'] },
    ],
    [
      'those of the Gemfile',
      {
        'Gemfile.lock':
          'GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.1.0)\n    sinatra (4.1.0)\n      rack\n',
        Gemfile: "gem 'sinatra'\n",
      },
      { 'Gemfile.lock': ['sinatra'] },
    ],
    [
      'those behind an alias, and those of each package of a workspace',
      {
        'package-lock.json': JSON.stringify({
          lockfileVersion: 3,
          packages: {
            '': {},
            'packages/own': {},
            'node_modules/a': { version: '1.0.0' },
            'node_modules/b': { version: '1.0.0' },
            'node_modules/old': { name: '@scope/real', version: '1.0.0' },
          },
        }),
        'package.json': '{"workspaces": ["packages/*"], "dependencies": {"old": "npm:@scope/real@1"}}',
        'packages/own/package.json': '{"devDependencies": {"b": "1"}}',
        'elsewhere/package.json': '{"dependencies": {"a": "1"}}',
      },
      { 'package-lock.json': ['@scope/real', 'b'] },
    ],
    [
      'none where no manifest says so, and a manifest that is damaged is no warning',
      { 'composer.lock': '{"packages": [{"name": "a/b", "version": "1"}]}', 'composer.json': '{' },
      {},
    ],
    [
      'none where the project asks for all of them, since nothing follows from it',
      { 'poetry.lock': poetryLock('six'), 'pyproject.toml': '[project]\ndependencies = ["six"]\n' },
      {},
    ],
  ])('are %s', async (_, files, expected) => {
    const { direct, warnings } = await collectFiles(files);
    expect(direct).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  it('are not those of a lock file that changed too late, which still speaks for its manifest', async () => {
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

  it('are left out where they are more than a snapshot has room for', async () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `package-${at}`);
    const files = {
      'poetry.lock': poetryLock(...names, 'other'),
      'pyproject.toml': `[project]\ndependencies = ${JSON.stringify(names)}\n`,
    };
    expect(await directOf(files)).toEqual({});
  });
});
