// The published package: everything that the program needs is in it, and nothing else is installed.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';

const source = path.resolve(import.meta.dirname, '../../packages/cli');
const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(file: string, args: readonly string[], cacheHome?: string) {
  return spawnSync(file, args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: path.join(folder, 'home'),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      ...(cacheHome && { XDG_CACHE_HOME: cacheHome }),
    },
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
      ['doctor', '--json'],
      ['snapshot', 'list'],
    ]) {
      const { status, stdout, stderr } = run(process.execPath, ['package/bin/run.js', ...args]);
      expect(stdout + stderr).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
      expect(status).toBe(0);
    }
  });

  it('keeps bytecode among the caches, and none in a folder that may hold a commit or that others can write to', () => {
    const own = mkdtempSync(path.join(tmpdir(), 'envsnap-cache-'));
    const keepsIn = (cacheHome: string) => {
      const { status, stderr } = run(process.execPath, ['package/bin/run.js', 'profile', 'list'], cacheHome);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const code = path.join(cacheHome, 'envsnap/code');
      return existsSync(code) && readdirSync(code).length > 0;
    };
    try {
      expect(keepsIn(own)).toBe(true);
      expect(keepsIn(path.join(folder, 'unpacked/.cache'))).toBe(false);
      const repository = path.join(own, 'checkout');
      mkdirSync(path.join(repository, '.git'), { recursive: true });
      expect(keepsIn(path.join(repository, '.cache'))).toBe(false);
      const open = path.join(own, 'open');
      mkdirSync(path.join(open, 'envsnap/code'), { recursive: true });
      chmodSync(path.join(open, 'envsnap/code'), 0o777);
      expect(keepsIn(open)).toBe(process.platform === 'win32');
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('compares a Python environment with its requirements, as the sources do', { tags: 'release' }, () => {
    const project = path.join(folder, 'python');
    const site = path.join(project, '.venv/lib/python3.11/site-packages/six-1.15.0.dist-info');
    mkdirSync(site, { recursive: true });
    mkdirSync(path.join(project, '.venv/bin'));
    writeFileSync(path.join(project, '.venv/bin/python'), '');
    writeFileSync(path.join(project, '.venv/pyvenv.cfg'), '');
    writeFileSync(path.join(project, 'requirements.txt'), 'six==1.16.0\n');
    const { stdout } = run(process.execPath, [
      'package/bin/run.js',
      'capture',
      '--dry-run',
      '--json',
      '--dir',
      project,
    ]);
    expect(JSON.parse(stdout).metadata.installed).toEqual({ 'requirements.txt': { six: '1.15.0' } });
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
