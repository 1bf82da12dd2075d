// The page on security names tests that exist: a promise whose test was moved or removed is nobody's.

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('names tests that are there', () => {
  const [own = '', operators = ''] = readFileSync('docs/security.md', 'utf8').split(
    '## What operators can rely on',
  );
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const files = [
    ...named(own, /`test\/([\w/.-]+)`/g),
    ...named(operators, /`([a-z][\w-]*\/[\w/.-]+\.test\.ts)`/g),
  ];
  expect(files.length).toBeGreaterThan(30);
  const ends = ['', '.test.ts'];
  expect(files.filter((file) => !ends.some((end) => existsSync(`test/${file}${end}`)))).toEqual([]);
});
