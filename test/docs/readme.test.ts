// The comparison that the README shows is what the program prints.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('the README shows what the comparison of its two example files prints', async () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const [, command, output] = /^\$ envsnap (compare .+)\n([\s\S]+?)^```$/m.exec(readme) ?? [];
  const cwd = path.join(root, 'docs/examples/compare');
  const run = await createSandbox().run((command ?? '').split(' '), { cwd });
  expect(run).toMatchObject({ exitCode: 1, stderr: '' });
  expect(unwrapped(output ?? '')).toBe(unwrapped(run.stdout));
});

/** Long lines are broken as on a terminal. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
