import { describe, expect, it } from 'vitest';
import { collectFiles } from '../collect-files.ts';

describe('go.mod', () => {
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
