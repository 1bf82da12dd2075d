// Cached contents of files between captures: no entry may outlive a change.

import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import type { CaptureOptions } from '../../../packages/capture/src/capture-types.ts';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { openFileCache } from '../../../packages/capture/src/system/file-cache.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeFile, type FakeMachine } from '../../support/fake-system.ts';
import { plainOptions } from '../plain-options.ts';

const folder = '/srv/app';
const longAgo = 1_600_000_000_000;
const lock = (zod: string): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/zod': { version: zod } } });
const old = (content: string, modifiedMs = longAgo): FakeFile => ({ content, modifiedMs });
const dpkg = (version: string): string =>
  `Package: libssl3\nStatus: install ok installed\nVersion: ${version}\n`;

const files: NonNullable<FakeMachine['files']> = {
  '/home/dev/.profile': old(''),
  [`${folder}/package-lock.json`]: old(lock('4.6.7')),
  [`${folder}/requirements.txt`]: old('-r more.txt\nrequests==2.32.0\n'),
  [`${folder}/more.txt`]: old('rich==13.0.0\n'),
  [`${folder}/api/requirements.txt`]: old('flask==3.0.0\n???\n'),
  [`${folder}/compose.yaml`]: old('services:\n  db:\n    environment:\n      DB_NAME: shop\n'),
  '/var/lib/dpkg/status': old(dpkg('3.0.1-1')),
  '/etc/ssl/certs/ca-certificates.crt': old('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
};

async function capture(
  changes: NonNullable<FakeMachine['files']> = {},
  options: Partial<CaptureOptions> = {},
  nowMs?: number,
  env: Record<string, string> = {},
) {
  const system = createFakeSystem({
    files: { ...files, ...changes },
    env,
    ...(nowMs !== undefined && { nowMs }),
  });
  const { snapshot } = await captureEnvironment(system, {
    ...plainOptions,
    folder,
    cacheDir: '/home/dev/.cache/envsnap',
    ...options,
  });
  const remembered = Object.fromEntries(
    [...system.written].filter(([path]) => path.includes('/readings/')),
  ) as Record<string, string>;
  return { snapshot, remembered, reads: system.reads };
}

const withoutDuration = (snapshot: unknown): string =>
  JSON.stringify(snapshot).replace(/"durationMs":\d+/, '');

describe('what was read from files', () => {
  test('is not read again while nothing changes, and gives the same bytes', async () => {
    const first = await capture();
    const second = await capture(first.remembered);
    const plain = await capture({}, { cacheDir: '' });
    expect(withoutDuration(second.snapshot)).toBe(withoutDuration(first.snapshot));
    expect(withoutDuration(plain.snapshot)).toBe(withoutDuration(first.snapshot));
    const known = [
      `${folder}/package-lock.json`,
      `${folder}/compose.yaml`,
      '/var/lib/dpkg/status',
      '/etc/ssl/certs/ca-certificates.crt',
    ];
    expect(first.reads).toEqual(expect.arrayContaining(known));
    // Packages that differ from a lock file are read separately.
    expect(second.reads.filter((path) => known.includes(path))).toEqual([]);
    // There is nothing new to store.
    expect(second.remembered).toEqual({});
  });

  test('is read again if it has warnings or depends on other files', async () => {
    const { remembered, snapshot } = await capture();
    const again = await capture({ ...remembered, [`${folder}/more.txt`]: old('rich==14.0.0\n') });
    expect(again.snapshot.dependencies['requirements.txt']).toMatchObject({ rich: '14.0.0' });
    expect(JSON.stringify(snapshot.metadata.capture)).toContain('api/requirements.txt');
    expect(JSON.stringify(again.snapshot.metadata.capture)).toContain('api/requirements.txt');
  });

  test.each<[what: string, changed: FakeFile]>([
    ['its size', old(lock('4.10.7'))],
    ['its time', old(lock('4.1.7'), longAgo + 0.001)],
  ])('is read again when a file changes, even if only %s', async (_what, changed) => {
    const { remembered } = await capture();
    const { snapshot } = await capture({ ...remembered, [`${folder}/package-lock.json`]: changed });
    expect(snapshot.dependencies['package-lock.json']).not.toEqual({ zod: '4.6.7' });
  });

  test('is not cached for a file that changed a moment ago', async () => {
    const { remembered } = await capture({}, {}, longAgo + 2000);
    expect(remembered).toEqual({});
    // The same size within the same tick of the clock.
    const settled = await capture({}, {}, longAgo + 3000);
    expect(Object.keys(settled.remembered)).toHaveLength(1);
  });

  test('is not cached for a file that could not be read', async () => {
    const unreadable = { ...old(''), error: 'EACCES' };
    const sed = (content: string, error?: string): FakeFile => ({
      ...old(content),
      executable: true,
      ...(error !== undefined && { error }),
    });
    const env = { PATH: '/usr/bin' };
    const { remembered } = await capture(
      { [`${folder}/compose.yaml`]: unreadable, '/usr/bin/sed': sed('', 'EACCES') },
      {},
      undefined,
      env,
    );
    const names = JSON.stringify(remembered);
    expect(names).toContain('package-lock.json');
    expect(names).not.toContain('compose.yaml');
    expect(names).not.toContain('/usr/bin/sed');
    const readable = await capture(
      { ...remembered, [`${folder}/compose.yaml`]: old(''), '/usr/bin/sed': sed('GNU sed') },
      {},
      undefined,
      env,
    );
    expect(readable.snapshot.metadata.facts).toMatchObject({ 'program.sed': 'GNU' });
  });

  test('is not used by another build of the program, or for another folder', async () => {
    const { remembered } = await capture();
    const [path = '', text = ''] = Object.entries(remembered)[0] ?? [];
    const entries = text.slice(text.indexOf('\n') + 1).replaceAll('4.6.7', '9.9.9');
    const digest = createHash('sha256').update(entries).digest('hex');
    const lied = { [path]: `${text.split('\n', 1)[0]?.replace(/\S+$/, digest)}\n${entries}` };
    expect((await capture(lied)).snapshot.dependencies['package-lock.json']).toEqual({ zod: '9.9.9' });
    const other = await capture(lied, { programId: 'another' });
    expect(other.snapshot.dependencies['package-lock.json']).toEqual({ zod: '4.6.7' });
    const elsewhere = { [path]: lied[path]?.replace(/^(\S+ \S+ )\S+/, '$1abc') ?? '' };
    expect((await capture(elsewhere)).snapshot.dependencies['package-lock.json']).toEqual({ zod: '4.6.7' });
  });

  test.each<[what: string, damage: (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -20)],
    ['of another shape', (text) => text.replace(/\n.*/s, '\n{"a":1}')],
    ['with values of another kind', (text) => text.replaceAll('"4.6.7"', '[4]').replaceAll('"rich"', '{}')],
    ['empty', () => ''],
  ])('is read again if the cached result is %s', async (_what, damage) => {
    const { remembered, snapshot } = await capture();
    const damaged = Object.fromEntries(
      Object.entries(remembered).map(([path, text]) => [path, damage(text)]),
    );
    expect(withoutDuration((await capture(damaged)).snapshot)).toBe(withoutDuration(snapshot));
  });

  test('is neither kept in, nor taken from, the captured folder', async () => {
    const inside = { cacheDir: `${folder}/.cache/envsnap` };
    expect((await capture({}, inside)).remembered).toEqual({});
  });
});

describe('lock files of every format', () => {
  const root = path.resolve(import.meta.dirname, '../../fixtures/lockfiles');
  const cases = globSync('**/expected.json', { cwd: root }).map((file) => path.dirname(file));

  async function collect(given: NonNullable<FakeMachine['files']>) {
    const system = createFakeSystem({ files: given });
    const fileCache = await openFileCache(system, '/cache', folder, '1');
    const collected = await collectDependencies(openMachine(system, fileCache), { folder, manifests: true });
    await fileCache.save();
    const reads = system.reads.filter((file) => file.startsWith(`${folder}/`)).length;
    return { text: JSON.stringify(collected), written: Object.fromEntries(system.written), reads };
  }

  test('give the same result from the cache', async () => {
    let reads = 0;
    let readsAgain = 0;
    for (const name of cases) {
      const parsed = Object.fromEntries(
        readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.fixture'))
          .map((file) => [
            `${folder}/${file.replaceAll('\\', '/').replace(/\.fixture$/, '')}`,
            readFileSync(path.join(root, name, file)),
          ]),
      );
      const first = await collect(parsed);
      const second = await collect({ ...parsed, ...first.written });
      expect(second.text, name).toBe(first.text);
      reads += first.reads;
      readsAgain += second.reads;
    }
    expect(cases.length).toBeGreaterThan(100);
    expect(readsAgain).toBeLessThan(reads / 3);
  });
});
