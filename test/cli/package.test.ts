// The published package: everything that the program needs is in it, and nothing else is installed.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';

const source = path.resolve(import.meta.dirname, '../../packages/cli');
const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(file: string, args: readonly string[]) {
  return spawnSync(file, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') },
  });
}

describe('the packed program', () => {
  beforeAll(() => {
    ensureBuilt();
    const packed = run('npm', [
      'pack',
      source,
      '--ignore-scripts',
      '--offline',
      '--pack-destination',
      folder,
    ]);
    expect(packed.status, packed.stderr).toBe(0);
    const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    expect(run('tar', ['xzf', archive]).status).toBe(0);
  });

  it('runs where nothing else is installed', () => {
    for (const args of [
      ['--version'],
      ['--help'],
      ['profile', 'list'],
      ['doctor', '--json'],
      ['snapshot', 'list'],
    ]) {
      const { status, stdout, stderr } = run(process.execPath, ['package/bin/run.js', ...args]);
      expect(stdout + stderr).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
      expect(status).toBe(['doctor', 'snapshot'].includes(args[0] ?? '') ? 2 : 0);
    }
  });

  it('asks for no other package, and holds the manifest and the licences of what is bundled', () => {
    const description = JSON.parse(readFileSync(path.join(folder, 'package/package.json'), 'utf8'));
    expect(description.dependencies ?? {}).toEqual({});
    const dist = readdirSync(path.join(folder, 'package/dist'));
    expect(dist).toContain('oclif.manifest.json');
    expect(dist).not.toContain('types');
    expect(dist).not.toContain('metafile.json');
    const licences = readFileSync(path.join(folder, 'package/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@oclif/core', 'ky', 'zod']) expect(licences).toContain(`${name} `);
  });
});
