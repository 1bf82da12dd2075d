// What a checkout starts as it is, without an installation that would set modes.

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test.each(['server', 'cli'])('the program of packages/%s can be run by its name', (name) => {
  const folder = path.join(root, 'packages', name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  expect(Object.keys(bin)).toHaveLength(1);
  for (const file of Object.values(bin)) {
    expect(statSync(path.join(folder, file)).mode & 0o111, file).toBe(0o111);
    expect(readFileSync(path.join(folder, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  }
});
