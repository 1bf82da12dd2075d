// Runs the examples in the READMEs of the packages that need no server, as one program each, unchanged.
//
// @module-tag release

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fewTools } from '../support/few-tools.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Runs a README's examples in a separate folder inside the workspace, so that its packages are found. */
async function runExamples(name: string): Promise<string> {
  const readme = readFileSync(path.join(root, `packages/${name}/README.md`), 'utf8');
  const program = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
  expect(program).toContain(`@envsnap/${name}`);
  const folder = path.join(root, 'node_modules/.cache', `envsnap-readme-${name}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path.join(folder, 'examples.mjs'), program);
    const args = ['--conditions=envsnap-source', '--no-warnings', 'examples.mjs'];
    const env = { ...process.env, PATH: fewTools() };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    expect(stderr).toBe('');
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the READMEs' examples run and print what they say", () => {
  it('capture', async () => {
    const stdout = await runExamples('capture');
    expect(stdout).toContain(`${process.platform} ${process.arch} `);
    expect(stdout.split('\n')).toContain('failed');
    expect(stdout).toContain('folder_not_found');
  });

  it('compare', async () => {
    const stdout = await runExamples('compare');
    expect(stdout).toContain('failed\nnode 22.11.0 20.9.0\n');
    expect(stdout).toContain('expected >=22');
  });

  it('console', async () => {
    expect(await runExamples('console')).toBe('404 true\n');
  });

  it('versions', async () => {
    expect(await runExamples('versions')).toBe('major\nprerelease\ntrue\n');
  });
});
