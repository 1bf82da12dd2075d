import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../collect-files.ts';

describe('composer.lock', () => {
  it('reads packages for use and development, branches with their commit', async () => {
    const lock = {
      packages: [
        { name: 'a/b', version: 'v1.2.3', source: { reference: 'ffff' } },
        { name: 'c/d', version: 'dev-main', source: { type: 'git', reference: '0123abc' } },
      ],
      'packages-dev': [{ name: 'e/f', version: '2.0.0' }],
    };
    expect(await packagesOf('composer.lock', JSON.stringify(lock))).toEqual({
      'a/b': 'v1.2.3',
      'c/d': 'dev-main+git.0123abc',
      'e/f': '2.0.0',
    });
  });

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

describe('composer.json', () => {
  it('reads requirements where there is no lock file', async () => {
    const manifest = { require: { php: '^8.1', 'a/b': '^1.0' }, 'require-dev': { 'e/f': '*' } };
    expect(await packagesOf('composer.json', JSON.stringify(manifest))).toEqual({
      php: '^8.1',
      'a/b': '^1.0',
      'e/f': '*',
    });
  });
});
