import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../collect-files.ts';

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
