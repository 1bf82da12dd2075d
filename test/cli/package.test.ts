// The published package: everything that the program needs is in it, and nothing else is installed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
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
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      ...(cacheHome && { XDG_CACHE_HOME: cacheHome }),
    },
  });
}

/** A whole file of bytecode that V8 takes for that of the file: it only compares the length of the source. */
function foreignBytecode(file: string): Buffer {
  const foreign = "(() => { process.stdout.write('foreign code'); process.exit(0); })";
  const source = JSON.stringify(foreign.padEnd(readFileSync(file, 'utf8').length));
  // In a process of its own: V8 takes none that was made with other flags, and other tests may have set some here.
  const make = `process.stdout.write(new (require('node:vm').Script)(${source}).createCachedData().toString('base64'))`;
  const made = spawnSync(process.execPath, ['-'], { input: make, encoding: 'utf8' });
  const bytecode = Buffer.from(made.stdout, 'base64');
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(bytecode));
  return Buffer.concat([bytecode, checksum]);
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

  it('keeps bytecode among the caches, and takes none from a folder that may hold a commit', () => {
    const own = mkdtempSync(path.join(tmpdir(), 'envsnap-cache-'));
    const list = ['package/bin/run.js', 'profile', 'list'];
    try {
      const expected = run(process.execPath, list, own);
      expect(expected.status, expected.stderr).toBe(0);
      const [build = ''] = readdirSync(path.join(own, 'envsnap/code'));
      const bytecode = foreignBytecode(path.join(folder, 'package/dist/main.js'));
      const plant = (cacheHome: string) => {
        const kind = path.join(cacheHome, 'envsnap/code', build, 'profile');
        mkdirSync(kind, { recursive: true, mode: 0o700 });
        writeFileSync(path.join(kind, 'main.js.bin'), bytecode);
      };
      // Without the guard such a file runs: what lies among the user's own caches does.
      plant(own);
      expect(run(process.execPath, list, own).stdout).toBe('foreign code');

      const inside = path.join(folder, '.cache');
      plant(inside);
      expect(run(process.execPath, list, inside).stdout).toBe(expected.stdout);

      const repository = path.join(own, 'checkout');
      mkdirSync(path.join(repository, '.git'), { recursive: true });
      plant(path.join(repository, '.cache'));
      expect(run(process.execPath, list, path.join(repository, '.cache')).stdout).toBe(expected.stdout);

      const archive = path.join(own, 'archive');
      plant(path.join(archive, '.cache'));
      const check = (...args: string[]) =>
        run(process.execPath, [...list, ...args], path.join(archive, '.cache')).stdout;
      expect(check()).toBe('foreign code');
      expect(check('--dir', archive)).not.toContain('foreign code');
      expect(check(`--dir=${archive}`)).not.toContain('foreign code');
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('asks for no other package, and holds the manifest and the licences of what is bundled', () => {
    const description = JSON.parse(readFileSync(path.join(folder, 'package/package.json'), 'utf8'));
    expect(description.dependencies ?? {}).toEqual({});
    const dist = readdirSync(path.join(folder, 'package/dist'));
    expect(dist).toContain('oclif.manifest.json');
    expect(dist).not.toContain('types');
    expect(dist).not.toContain('code');
    expect(dist).not.toContain('metafile.json');
    const licences = readFileSync(path.join(folder, 'package/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@oclif/core', 'ky', 'zod']) expect(licences).toContain(`${name} `);
  });
});
