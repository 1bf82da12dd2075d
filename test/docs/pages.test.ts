// The guide's table of limits matches what the program enforces.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCodes, limits } from '@envsnap/shared';
import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { expect, it, test } from 'vitest';
import { createSandbox } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';

const { places } = readTestData<{ places: Record<string, string> }>(import.meta);

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/limits.md'), 'utf8');
const rows = [...guide.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, what = '', most = '']) => ({
  what,
  most,
}));

it('holds every limit', () => {
  for (const [name, value] of Object.entries(limits)) {
    // These are part of their operations.
    if (name === 'liveRequests' || name === 'recentDeliveries') continue;
    const place = places[name];
    const written = name.endsWith('Bytes')
      ? value >= 1024 ** 2
        ? `${value / 1024 ** 2} MiB`
        : `${value / 1024} KiB`
      : value.toLocaleString('en-US');
    const row = rows.find((one) => one.what === place);
    expect(` ${row?.most}`, `${name} at "${place}"`).toMatch(new RegExp(`[ ]${written}\\b`));
  }
});

it('names every quota', () => {
  const codes = Object.keys(errorCodes).filter((code) => code.endsWith('_quota_exceeded'));
  expect(codes.filter((code) => !guide.includes(`| \`${code}\` `))).toEqual([]);
});

// The guide of the audit log names exactly the actions that exist.

it('has all actions in its table', () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/audit.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| [^|`]+ \| (`\w+\.\w+`.*) \|$/gm)].map(([, actions = '']) => actions);
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, action]) => action));
  expect(named.sort()).toEqual([...auditActionNames].sort());
});

// The program prints the comparison that the README shows.

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

// The page on security names tests that exist: otherwise a test could be moved or removed and leave a promise unchecked.

it('names tests that exist', () => {
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
