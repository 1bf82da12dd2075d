import { describe, expect, it } from 'vitest';
import { collectFiles } from '../../collect-files.ts';

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
