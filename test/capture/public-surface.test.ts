// The package exports what its README names, and the README's examples run as they stand there.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as capture from '@envsnap/capture';
import { expect, it } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'packages/capture/README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);

it('exports what its README names, and nothing else', () => {
  const named = [...readme.matchAll(/import \{ (\w+) \} from '@envsnap\/capture'/g)].map(([, name]) => name);
  expect(Object.keys(capture).sort()).toEqual(named.sort());
});

it('does what its README says', async () => {
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'envsnap-capture-readme-'));
  cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'examples.mjs');
  writeFileSync(file, blocks.join('\n'));
  const args = ['--conditions=envsnap-source', '--no-warnings', file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toContain(`${process.platform} ${process.arch} `);
  expect(lines).toContain('failed');
  expect(lines.at(-1)).toBe('folder_not_found');
});
