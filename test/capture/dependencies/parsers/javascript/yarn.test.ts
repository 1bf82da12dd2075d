import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('yarn.lock of version 1', () => {
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
