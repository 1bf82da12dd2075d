import { describe, expect, it } from 'vitest';
import { collectFiles } from '../collect-files.ts';

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
