import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('poetry.lock', () => {
  it('reads packages from an index, from git and from folders, in PEP 440 order', async () => {
    const text = `[[package]]
name = "a"
version = "1.10"
[package.dependencies]
name = "not-a-package"

[[package]]
name = "a"
version = "1.9.post1"

[[package]]
name = "a"
version = "1.10rc1"

[[package]]
name = "forked"
version = "2.0.0"
[package.source]
type = "git"
url = "https://host.invalid/o/r.git"
reference = "main"
resolved_reference = "0123abc"

[[package]]
name = "local"
version = "0.1.0"
[package.source]
type = "directory"
url = "local"

[metadata]
lock-version = "2.0"
`;
    expect(await packagesOf('poetry.lock', text)).toEqual({
      a: '1.9.post1, 1.10rc1, 1.10',
      forked: '2.0.0+git.0123abc',
      local: '0.1.0',
    });
  });
});

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

  it('leaves virtual and editable members out', async () => {
    expect(await packagesOf('uv.lock', text)).toEqual({
      attrs: '23.2.0',
      forked: '1.0+git.0123abc',
      wheel: '3.0',
      dynamic: 'file:../dynamic',
    });
  });

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

describe('pdm.lock, pylock.toml', () => {
  it('read packages with their commits', async () => {
    const pdm = `[metadata]
lock_version = "4.4"
[[package]]
name = "a"
version = "1.0"
[[package]]
name = "forked"
version = "2.0"
git = "https://host.invalid/o/r.git"
revision = "0123abc"
`;
    expect(await packagesOf('pdm.lock', pdm)).toEqual({ a: '1.0', forked: '2.0+git.0123abc' });
    const pylock = `lock-version = "1.0"
created-by = "x"
[[packages]]
name = "a"
version = "1.0"
[[packages]]
name = "local"
directory = { path = "local" }
[[packages]]
name = "forked"
vcs = { type = "git", url = "https://host.invalid/o/r.git", commit-id = "0123abc" }
`;
    const expected = { a: '1.0', local: 'file:local', forked: 'https://host.invalid/o/r.git#0123abc' };
    expect(await packagesOf('pylock.toml', pylock)).toEqual(expected);
    expect(await packagesOf('pylock.dev.toml', pylock)).toEqual(expected);
  });
});

describe('Pipfile.lock', () => {
  it('reads all categories, and packages without a version', async () => {
    const lock = {
      _meta: { hash: { sha256: 'x' } },
      default: {
        a: { version: '==1.0' },
        forked: { git: 'https://u:p@host.invalid/o/r.git', ref: '0123abc' },
        unpinned: {},
        local: { path: '.', editable: true },
      },
      develop: { a: { version: '==1.0' }, b: { version: '==2.0', markers: "python_version >= '3'" } },
      docs: { c: { version: '==3.0' } },
    };
    expect(await packagesOf('Pipfile.lock', JSON.stringify(lock))).toEqual({
      a: '1.0',
      b: '2.0',
      c: '3.0',
      forked: 'git+https://host.invalid/o/r.git#0123abc',
      unpinned: '*',
      local: 'file:.',
    });
  });
});

describe('pyproject.toml and Pipfile', () => {
  it('are recorded without a lock file, with the requirements of every table', async () => {
    const text = `[project]
name = "app"
dependencies = ["a>=1.0", "b[extra]==2.0 ; python_version > '3'"]
[project.optional-dependencies]
fast = ["c"]
[dependency-groups]
test = ["d~=4.0", { include-group = "lint" }]
lint = ["e"]
[tool.poetry.dependencies]
python = "^3.9"
f = "^6.0"
g = { version = "^7.0", extras = ["x"] }
h = [{ version = "1", python = "<3" }, { version = "2", python = ">=3" }]
i = { git = "https://host.invalid/o/i.git", tag = "v1" }
[tool.poetry.group.dev.dependencies]
j = "*"
[tool.pdm.dev-dependencies]
x = ["k==1"]
[tool.uv]
dev-dependencies = ["l==2"]
`;
    expect(await packagesOf('pyproject.toml', text)).toEqual({
      a: '>=1.0',
      b: '2.0',
      c: '*',
      d: '~=4.0',
      e: '*',
      f: '^6.0',
      g: '^7.0',
      h: '1, 2',
      i: 'git+https://host.invalid/o/i.git#v1',
      j: '*',
      k: '1',
      l: '2',
    });
    expect(
      await packagesOf('Pipfile', '[packages]\na = "*"\nb = "==1.0"\n[requires]\npython_version = "3"\n'),
    ).toEqual({
      a: '*',
      b: '1.0',
    });
  });

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
