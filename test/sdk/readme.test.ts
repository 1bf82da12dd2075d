// Runs the examples of the SDK's README against the real service, as one program, unchanged.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { EnvSnap } from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { describeOnSqlite } from '../support/databases.ts';
import { startService } from '../support/service.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'packages/sdk/README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);

it("the README's table has every resource with its methods", () => {
  for (const [name, resource] of Object.entries(new EnvSnap({ baseUrl: 'http://127.0.0.1:1' }))) {
    const row = readme.match(new RegExp(`^\\| .client\\.${name}. .*`, 'm'))?.[0] ?? '';
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource));
    expect([name, ...[...row.matchAll(/ `(\w+)`/g)].map((match) => match[1])]).toEqual([
      name,
      ...methods.filter((method) => method !== 'constructor'),
    ]);
  }
});

describeOnSqlite((openDatabase) => {
  describe("the README's examples", () => {
    it('run in order and print what they say', async () => {
      const service = await startService(openDatabase);
      const program = blocks.join('\n').replaceAll('http://127.0.0.1:4780', service.url);
      expect(program).toContain(service.url);
      const folder = path.join(root, 'node_modules/.cache/envsnap-readme');
      const file = path.join(folder, 'examples.mjs');
      mkdirSync(folder, { recursive: true });
      try {
        writeFileSync(file, program);
        const args = ['--conditions=envsnap-source', '--no-warnings', file];
        const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
        expect(stderr).toBe('');
        expect(stdout).toContain('failed node is 24.1.0 in A, 24.2.0 in B (minor)');
        expect(stdout).toContain('no such snapshot');
        expect(stdout).toContain('10 of 10');
        expect(stdout).toContain('sizes.csv 10 name,size');
        expect(stdout).toContain('the receiver responded with 204');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
