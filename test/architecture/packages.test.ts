// One version everywhere: the last one in the changelog, or 0.1.0 before the first release.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import { version as versionOfCapture } from '../../packages/capture/src/version.ts';
import { version as versionOfSdk } from '../../packages/sdk/src/version.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('all packages have the same version: that of the last release in the changelog, if there is one', () => {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const released = /^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog)?.[1] ?? '0.1.0';
  const versions = readdirSync(path.join(root, 'packages')).map((name) => {
    const file = path.join(root, 'packages', name, 'package.json');
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  });
  expect(versions.length).toBeGreaterThan(5);
  expect([...new Set(versions.map((text) => text.split(' ')[1]))]).toEqual([released]);
  expect([versionOfCapture, versionOfSdk]).toEqual([released, released]);
});

// Programs that a checkout starts directly, without an installation that would set modes.

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
