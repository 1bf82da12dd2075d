import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../collect-files.ts';

const compose = (more: string) => `services:
  db:
    image: postgres:16.2
${more}
  cache:
    image: redis:7.2
`;
const images = { postgres: '16.2', redis: '7.2' };

describe('YAML that other readers accept', () => {
  it.each([
    ['a list closed below its key', '    command: [\n      "a",\n    ]'],
    ['items and brackets that begin further to the left', '    command: [\n"a",\n"b", {\nc: 1\n}\n]'],
    ['a quoted text that goes on further to the left', '    command: "a\n  b"'],
    [
      'two hundred such lists',
      Array.from({ length: 200 }, (_, n) => `    x-${n}: [\n      a\n    ]`).join('\n'),
    ],
    ['such a list beside a block of text', '    a: |\n      }\n      x\n    b: [\n      1\n    ]'],
    ['tags of types', '    mem_limit: !!int 5\n    x: !!set {a, b}\n    y: !reset []'],
  ])('reads %s', async (_, more) => {
    expect(await packagesOf('compose.yaml', compose(more))).toEqual(images);
  });

  it('names the first line in question where a bracket is never closed', async () => {
    const { warnings } = await collectFiles({ 'compose.yaml': compose('    command: [\n"a",') });
    expect(warnings).toEqual([expect.objectContaining({ file: 'compose.yaml', line: 5 })]);
  });
});
