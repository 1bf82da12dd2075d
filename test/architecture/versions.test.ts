// One version everywhere, and the one that the changelog names last.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { version as versionOfCapture } from '../../packages/capture/src/version.ts';
import { version as versionOfSdk } from '../../packages/sdk/src/version.ts';

const root = path.resolve(import.meta.dirname, '../..');

it('all packages have the version of the last release in the changelog', () => {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const released = /^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog)?.[1];
  const versions = readdirSync(path.join(root, 'packages')).map((name) => {
    const file = path.join(root, 'packages', name, 'package.json');
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  });
  expect(versions.length).toBeGreaterThan(5);
  expect([...new Set(versions.map((text) => text.split(' ')[1]))]).toEqual([released]);
  expect([versionOfCapture, versionOfSdk]).toEqual([released, released]);
});
