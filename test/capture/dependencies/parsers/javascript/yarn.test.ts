import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('yarn.lock of version 1', () => {
  it('reads quoted keys, several descriptors, quoted field names and a missing last line end', async () => {
    const text = `# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.23.9"
  resolved "https://registry.invalid/core.tgz#aaaa"
  dependencies:
    version "^9.9.9"

lodash@^4.17.0, lodash@^4.17.21:
  "version" "4.17.21"

lodash@3:
  version "3.10.1"

"with-build@1.0.0+build.5":
  version "1.0.0+build.5"

plain@*:
  version "1.2.3"`;
    expect(await packagesOf('yarn.lock', text)).toEqual({
      '@babel/core': '7.23.9',
      lodash: '3.10.1, 4.17.21',
      'with-build': '1.0.0+build.5',
      plain: '1.2.3',
    });
  });

  it('puts aliases under their real name and keeps the commit of packages from git', async () => {
    const text = `"old-lodash@npm:lodash@^3.0.0":
  version "3.10.1"

"same@npm:^2.0.0":
  version "2.0.1"

"bare@npm:@scope/real":
  version "9.0.7"
  resolved "https://registry.yarnpkg.com/@scope/real/-/real-9.0.7.tgz#b14cebc7"

"tagged@npm:latest":
  version "1.0.0"
  resolved "https://registry.yarnpkg.com/tagged/-/tagged-1.0.0.tgz#b14cebc8"

"forked@git+https://host.invalid/o/forked.git":
  version "1.0.0"
  resolved "git+https://host.invalid/o/forked.git#0123abc"

"local@file:./local":
  version "0.5.0"
`;
    expect(await packagesOf('yarn.lock', text)).toEqual({
      lodash: '3.10.1',
      same: '2.0.1',
      '@scope/real': '9.0.7',
      tagged: '1.0.0',
      forked: '1.0.0+git.0123abc',
      local: '0.5.0',
    });
  });

  it('reads files with CRLF line ends and a byte order mark', async () => {
    const text = '\u{feff}# yarn lockfile v1\r\n\r\na@1:\r\n  version "1.0.0"\r\n';
    expect(await packagesOf('yarn.lock', text)).toEqual({ a: '1.0.0' });
  });

  it.each([
    ['an entry without a version', 'a@1:\n  resolved "x"\nb@1:\n  version "1"\n', 1],
    ['a file cut off in an entry', 'a@1:\n  version "1.0.0"\n\nb@1:\n', 4],
    ['text that is not a lock file', 'a@1:\n  version "1.0.0"\nhello world\n', 3],
    ['conflict markers', 'a@1:\n<<<<<<< HEAD\n  version "1"\n', 2],
  ])('reports %s with its line', async (_, text, line) => {
    const { dependencies, warnings } = await collectFiles({ 'yarn.lock': text });
    expect(warnings).toEqual([expect.objectContaining({ file: 'yarn.lock', line })]);
    expect(dependencies).toEqual(Object.create(null));
  });
});

describe('yarn.lock of Berry', () => {
  const text = `__metadata:
  version: 8
  cacheKey: 10c0

"@scope/member@workspace:packages/member":
  version: 0.0.0-use.local
  resolution: "@scope/member@workspace:packages/member"
  languageName: unknown

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."

"alias@npm:real@^1.0.0":
  version: 1.5.0
  resolution: "real@npm:1.5.0"

"typescript@npm:^5.0.0, typescript@npm:^5.1.0":
  version: "5.4.5"
  resolution: "typescript@npm:5.4.5"
  dependencies:
    x: "npm:^1"
  checksum: 10c0/abc

"typescript@patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript>":
  version: 5.4.5
  resolution: "typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=5adc0c"

"forked@https://host.invalid/o/forked.git#commit=0123abc":
  version: 2.0.0
  resolution: "forked@https://host.invalid/o/forked.git#commit=0123abc"

"linked@portal:../linked::locator=app%40workspace%3A.":
  version: 0.0.0-use.local
  resolution: "linked@portal:../linked::locator=app%40workspace%3A."
`;

  it('reads resolutions, patches, aliases and commits, and leaves the workspace out', async () => {
    expect(await packagesOf('yarn.lock', text)).toEqual({
      real: '1.5.0',
      typescript: '5.4.5',
      forked: '2.0.0+git.0123abc',
      linked: 'portal:../linked',
    });
  });

  it('governs the manifests of its members only', async () => {
    const { dependencies } = await collectFiles({
      'yarn.lock': text,
      'package.json': '{"dependencies":{"a":"1"}}',
      'packages/member/package.json': '{"dependencies":{"a":"1"}}',
      'docs/package.json': '{"dependencies":{"a":"1"}}',
    });
    expect(Object.keys(dependencies)).toEqual(['docs/package.json', 'yarn.lock']);
  });
});
