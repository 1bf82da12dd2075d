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
  it('reads gems of every source once for all platforms', async () => {
    const expected = {
      forked: '1.0.0+git.0123abc',
      shop: '0.2.0',
      nokogiri: '1.15.4',
      rake: '13.0.6',
      plugged: '3.0',
    };
    expect(await packagesOf('Gemfile.lock', lock)).toEqual(expected);
    expect(await packagesOf('gemfiles/rails_7.gemfile.lock', lock)).toEqual(expected);
  });

  it.each([
    ['a gem without a version', lock.replace('    rake (13.0.6)\n', '    rake\n'), 27],
    ['conflict markers', `<<<<<<< HEAD\n${lock}`, 1],
    ['other text', 'hello\n', 1],
  ])('reports %s', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'Gemfile.lock': text });
    expect(warnings).toEqual([expect.objectContaining({ line })]);
  });
});

describe('Gemfile', () => {
  it('reads gem lines with their requirements', async () => {
    const text = `source "https://index.invalid"
gem "rails", "~> 7.0", ">= 7.0.4"
  gem 'indented', require: false
gem("called", "1.0")
gem "forked", git: "https://host.invalid/o/r.git", branch: "main"
gem "local", path: "../local"
gem "listed", [">= 1", "< 3"]
# gem "comment"
gem_name = "x"
`;
    expect(await packagesOf('Gemfile', text)).toEqual({
      rails: '~> 7.0,>= 7.0.4',
      indented: '*',
      called: '1.0',
      forked: 'https://host.invalid/o/r.git#main',
      local: 'path:../local',
      listed: '>= 1, < 3',
    });
  });
});
