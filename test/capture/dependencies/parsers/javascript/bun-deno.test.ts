import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutJsonExtras } from '../../../../../packages/capture/src/dependencies/text/json.ts';
import { collectFiles } from '../../collect-files.ts';

const lock = `{
  // a comment, with a comma,
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "a": "^1.0.0", }, },
    "packages/member": { "name": "member", },
  },
  "packages": {
    "a": ["a@1.2.0", "", { "dependencies": { "b": "1", } }, "sha512-x"],
    "@s/c": ["@s/c@2.0.0", "", {}, "sha512-x"],
    "a/b": ["b@1.0.0", "", {}, "sha512-x"],
    "b": ["b@2.0.0", "", {}, "sha512-x",],
    "alias": ["real@3.0.0", "", {}, "sha512-x"],
    "forked": ["forked@git+ssh://git@host.invalid/o/r.git#0123abc", {}, "0123abc"],
    "hub": ["hub@github:o/hub#4567def", {}, "o-hub-4567def"],
    "member": ["member@workspace:packages/member", { "bin": "x,}" }],
    "local": ["local@file:./local", {}], /* last */
  },
}
`;

describe('bun.lock', () => {
  it('governs its members, and reports damage where it is', async () => {
    const manifest = '{"dependencies":{"x":"1"}}';
    const files = { 'packages/member/package.json': manifest, 'other/package.json': manifest };
    const { dependencies } = await collectFiles({ 'bun.lock': lock, ...files });
    expect(Object.keys(dependencies)).toEqual(['bun.lock', 'other/package.json']);
    const { warnings } = await collectFiles({ 'bun.lock': lock.replace('"b@1.0.0"', 'b@1.0.0') });
    expect(warnings).toEqual([expect.objectContaining({ line: 11, column: 13 })]);
  });

  it('is JSON once made plain, and JSON stays what it is', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(withoutJsonExtras(json)).toBe(json);
      }),
    );
  });
});

describe('bun.lockb', () => {
  it('is reported as unread with the command that helps, and the manifest stands in for it', async () => {
    const { dependencies, warnings } = await collectFiles({
      'bun.lockb': Buffer.from([0x23, 0, 1, 2, 0xff]),
      'package.json': '{"dependencies":{"x":"1"}}',
    });
    expect(Object.keys(dependencies)).toEqual(['package.json']);
    expect(warnings).toEqual([
      expect.objectContaining({
        file: 'bun.lockb',
        message: expect.stringContaining('bun install --save-text-lockfile'),
      }),
    ]);
  });
});

describe('deno.lock', () => {
  it('reports truncation', async () => {
    const { warnings } = await collectFiles({ 'deno.lock': '{"version":"5",\n"npm":{' });
    expect(warnings).toEqual([expect.objectContaining({ line: 2 })]);
  });
});
