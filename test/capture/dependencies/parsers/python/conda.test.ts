import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('environment.yml', () => {
  it('reports an address that names no package file, without it', async () => {
    const { dependencies, warnings } = await collectFiles({
      'environment.yml': 'dependencies:\n  - numpy=1\n  - https://conda.invalid/t/tk-SECRET/ch\n',
    });
    expect({ ...dependencies['environment.yml'] }).toEqual({ numpy: '1' });
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('tk-SECRET');
  });
});

describe('conda-lock.yml', () => {
  it.each(['metadata: {}\npackage:\n', 'metadata: {}\n', ''])(
    'is not recorded without its list: %j',
    async (text) => {
      const { dependencies, warnings } = await collectFiles({ 'conda-lock.yml': text });
      expect(dependencies).toEqual({});
      expect(warnings[0]?.message).toBe('conda-lock.yml is not recorded: it has no list of `package`.');
    },
  );

  it('says for what a package is built', async () => {
    const item = (file: string) =>
      `- name: a\n  version: 2.1.0\n  manager: conda\n  url: https://conda.invalid/linux-64/${file}\n`;
    const lock = (file: string) => packagesOf('conda-lock.yml', `package:\n${item(file)}`);
    expect(await lock('a-2.1.0-cuda120_mkl_py311h1_300.conda')).toEqual({ a: '2.1.0=cuda120' });
    expect(await lock('a-2.1.0-cpu_mkl_py311h1_100.conda')).toEqual({ a: '2.1.0=cpu' });
    expect(await lock('a-2.1.0-py311h1_0.conda')).toEqual({ a: '2.1.0' });
  });
});
