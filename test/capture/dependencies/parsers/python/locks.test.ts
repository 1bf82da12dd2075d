import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('uv.lock', () => {
  const text = `version = 1
requires-python = ">=3.12"

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }

[[package]]
name = "member"
version = "0.1.0"
source = { editable = "packages/member" }

[[package]]
name = "attrs"
version = "23.2.0"
source = { registry = "https://index.invalid/simple" }

[[package]]
name = "forked"
version = "1.0"
source = { git = "https://host.invalid/o/r.git?rev=main#0123abc" }

[[package]]
name = "wheel"
version = "3.0"
source = { path = "wheel-3.0-py3-none-any.whl" }

[[package]]
name = "dynamic"
source = { directory = "../dynamic" }
`;

  it('governs the manifests of its members only', async () => {
    const manifest = '[project]\ndependencies = ["a"]\n';
    const { dependencies } = await collectFiles({
      'uv.lock': text,
      'pyproject.toml': manifest,
      'packages/member/pyproject.toml': manifest,
      'tools/pyproject.toml': manifest,
    });
    expect(Object.keys(dependencies)).toEqual(['tools/pyproject.toml', 'uv.lock']);
  });
});

describe('pyproject.toml and Pipfile', () => {
  it('are not recorded when they ask for nothing', async () => {
    const { dependencies } = await collectFiles({ 'pyproject.toml': '[tool.black]\nline-length = 100\n' });
    expect(Object.keys(dependencies)).toEqual([]);
  });

  it.each(['poetry.lock', 'uv.lock', 'pdm.lock', 'pylock.toml'])(
    'report a damaged %s with its line',
    async (name) => {
      const { warnings } = await collectFiles({ [name]: '[metadata]\nx = 1\n[[package]\n' });
      expect(warnings).toEqual([expect.objectContaining({ file: name, line: 3 })]);
    },
  );
});

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
