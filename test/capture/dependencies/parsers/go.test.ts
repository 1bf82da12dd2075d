import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../collect-files.ts';

describe('go.mod', () => {
  it('reads blocks, single lines, comments and quotes, and leaves excluded versions out', async () => {
    const text = `module example.invalid/app

require github.com/single/line v1.0.0 // indirect

require (
	github.com/a/b v1.2.3
	"github.com/quoted/c" v0.0.0-20230101000000-0123456789ab // indirect
	github.com/d/e/v2 v2.0.0+incompatible
)

exclude github.com/a/b v1.2.2

exclude (
	github.com/x/y v9.9.9
)

retract [v1.0.0, v1.9.9]
toolchain go1.22.1
tool example.invalid/tool
`;
    expect(await packagesOf('go.mod', text)).toEqual({
      'github.com/single/line': 'v1.0.0',
      'github.com/a/b': 'v1.2.3',
      'github.com/quoted/c': 'v0.0.0-20230101000000-0123456789ab',
      'github.com/d/e/v2': 'v2.0.0+incompatible',
    });
  });

  it('applies replacements: of every version, of one version, by a folder, by another module', async () => {
    const text = `module m
go 1.21
require (
	a.invalid/every v1.0.0
	a.invalid/one v1.0.0
	a.invalid/other v1.0.0
	a.invalid/local v1.0.0
	a.invalid/fork v1.0.0
)
replace a.invalid/every => a.invalid/every v1.5.0
replace (
	a.invalid/one v1.0.0 => a.invalid/one v1.0.1
	a.invalid/other v0.9.0 => a.invalid/other v7.0.0
	a.invalid/local => ../local
	a.invalid/fork => b.invalid/fork v1.0.1
)
`;
    expect(await packagesOf('go.mod', text)).toEqual({
      'a.invalid/every': 'v1.5.0',
      'a.invalid/one': 'v1.0.1',
      'a.invalid/other': 'v1.0.0',
      'a.invalid/local': '../local',
      'a.invalid/fork': 'b.invalid/fork@v1.0.1',
    });
  });

  it.each([
    ['a requirement without a version', 'module m\nrequire a.invalid/b\n', 2],
    ['a block without an end', 'module m\n\nrequire (\n\ta.invalid/b v1.0.0\n', 3],
    ['a replacement without an arrow', 'module m\nreplace a b\n', 2],
    ['text that is not a directive', 'module m\n<html>\n', 2],
  ])('reports %s with its line', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'go.mod': text });
    expect(warnings).toEqual([expect.objectContaining({ file: 'go.mod', line })]);
  });
});

describe('go.sum', () => {
  it('counts a module once and leaves out those of which only go.mod is pinned', async () => {
    const text = `a.invalid/b v1.0.0 h1:aaa=
a.invalid/b v1.0.0/go.mod h1:bbb=
a.invalid/b v1.10.0 h1:aaa=
a.invalid/b v1.9.0 h1:aaa=
a.invalid/only-mod v2.0.0/go.mod h1:ccc=
`;
    expect(await packagesOf('go.sum', text)).toEqual({ 'a.invalid/b': 'v1.0.0, v1.9.0, v1.10.0' });
  });
});

describe('vendor/modules.txt', () => {
  const text = `# a.invalid/b v1.0.0
## explicit; go 1.17
a.invalid/b/sub
# a.invalid/c v1.0.0 => d.invalid/c v1.1.0
a.invalid/c
# a.invalid/c => d.invalid/c v1.1.0
`;

  it('is read beside a go.mod although vendor folders are left out', async () => {
    const { dependencies } = await collectFiles({
      'go.mod': 'module m\n',
      'vendor/modules.txt': text,
      'vendor/a.invalid/b/go.sum': 'x v1.0.0 h1:a=\n',
    });
    expect(Object.keys(dependencies)).toEqual(['go.mod', 'vendor/modules.txt']);
    expect({ ...dependencies['vendor/modules.txt'] }).toEqual({
      'a.invalid/b': 'v1.0.0',
      'a.invalid/c': 'd.invalid/c@v1.1.0',
    });
  });

  it('is left out without a go.mod beside the folder', async () => {
    const { dependencies } = await collectFiles({ 'vendor/modules.txt': text });
    expect(Object.keys(dependencies)).toEqual([]);
  });
});
