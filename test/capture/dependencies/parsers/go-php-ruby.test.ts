import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../collect-files.ts';

const lock = `GIT
  remote: https://user:pw@host.invalid/o/forked.git
  revision: 0123abc
  branch: main
  specs:
    forked (1.0.0)
      rake (>= 10)

PATH
  remote: .
  specs:
    own (0.1.0)
      rails

PATH
  remote: engines/shop
  specs:
    shop (0.2.0)

GEM
  remote: https://index.invalid/
  specs:
    nokogiri (1.15.4-aarch64-linux)
      racc (~> 1.4)
    nokogiri (1.15.4-x86_64-linux)
      racc (~> 1.4)
    rake (13.0.6)

PLUGIN SOURCE
  remote: https://host.invalid/plugin
  type: git
  specs:
    plugged (3.0)

PLATFORMS
  aarch64-linux

DEPENDENCIES
  rake (= 13.0.6)
  own!

CHECKSUMS
  rake (13.0.6) sha256=abc

RUBY VERSION
   ruby 3.2.2p53

BUNDLED WITH
   2.4.10
`;

describe('Gemfile.lock', () => {
  it.each([
    ['a gem without a version', lock.replace('    rake (13.0.6)\n', '    rake\n'), 27],
    ['conflict markers', `<<<<<<< HEAD\n${lock}`, 1],
    ['other text', 'hello\n', 1],
  ])('reports %s', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'Gemfile.lock': text });
    expect(warnings).toEqual([expect.objectContaining({ line })]);
  });
});

describe('go.mod', () => {
  it.each([
    ['a requirement without a version', 'module m\nrequire a.invalid/b\n', 2],
    ['a block without an end', 'module m\n\nrequire (\n\ta.invalid/b v1.0.0\n', 3],
    ['a replacement without an arrow', 'module m\nreplace a b\n', 2],
    ['text that is not a directive', 'module m\n<html>\n', 2],
  ])('reports %s with its line', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'go.mod': text });
    expect(warnings).toEqual([expect.objectContaining({ file: 'go.mod', line })]);
  });
});

describe('vendor/modules.txt', () => {
  const text = `# a.invalid/b v1.0.0
## explicit; go 1.17
a.invalid/b/sub
# a.invalid/c v1.0.0 => d.invalid/c v1.1.0
a.invalid/c
# a.invalid/c => d.invalid/c v1.1.0
`;

  it('is read beside a go.mod although vendor folders are left out', async () => {
    const { dependencies } = await collectFiles({
      'go.mod': 'module m\n',
      'vendor/modules.txt': text,
      'vendor/a.invalid/b/go.sum': 'x v1.0.0 h1:a=\n',
    });
    expect(Object.keys(dependencies)).toEqual(['go.mod', 'vendor/modules.txt']);
    expect({ ...dependencies['vendor/modules.txt'] }).toEqual({
      'a.invalid/b': 'v1.0.0',
      'a.invalid/c': 'd.invalid/c@v1.1.0',
    });
  });

  it('is left out without a go.mod beside the folder', async () => {
    const { dependencies } = await collectFiles({ 'vendor/modules.txt': text });
    expect(Object.keys(dependencies)).toEqual([]);
  });
});

describe('composer.lock', () => {
  it('knows the commit of a branch that is installed from an archive', async () => {
    const at = (reference: string, type = 'zip', version = '2.x-dev') =>
      packagesOf(
        'composer.lock',
        JSON.stringify({ packages: [{ name: 'a/b', version, dist: { type, url: '../b', reference } }] }),
      );
    expect(await at('0123abc')).toEqual({ 'a/b': '2.x-dev+git.0123abc' });
    expect(await at('4567def')).toEqual({ 'a/b': '2.x-dev+git.4567def' });
    expect(await at('0123abc', 'path')).toEqual({ 'a/b': '2.x-dev' });
    expect(await at('0123abc', 'zip', '2.0.0')).toEqual({ 'a/b': '2.0.0' });
  });

  it('without packages is not a lock file', async () => {
    const { warnings } = await collectFiles({ 'composer.lock': '{}' });
    expect(warnings).toHaveLength(1);
  });
});
