// What npm, pnpm and Yarn really installed, then damaged as people and copies damage it. Packages come from folders beside the
// project, so that no registry is asked.

import { execFileSync } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectDependencies } from '../../packages/capture/src/dependencies/collect-dependencies.ts';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';

let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-installed-')));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function json(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value));
}

/** A project with a package of its workspace, a packed dependency with a program, and one that only that dependency needs. */
async function makeProject(name: string): Promise<string> {
  const folder = join(base, name);
  await mkdir(join(folder, 'packages/own'), { recursive: true });
  const packed: Record<string, string> = {};
  for (const [dependency, extra] of [
    ['inner', {}],
    ['outer', { bin: { outer: 'index.js' } }],
  ] as const) {
    const source = join(folder, 'sources', dependency);
    await mkdir(source, { recursive: true });
    await json(join(source, 'package.json'), {
      name: dependency,
      version: '1.0.0',
      main: 'index.js',
      ...extra,
    });
    await writeFile(join(source, 'index.js'), '#!/usr/bin/env node\n');
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, stdio: 'ignore' });
    packed[dependency] = `file:${dependency}-1.0.0.tgz`;
  }
  await json(join(folder, 'packages/own/package.json'), { name: 'own', version: '0.0.1' });
  await json(join(folder, 'package.json'), {
    name: 'app',
    version: '1.0.0',
    private: true,
    workspaces: ['packages/*'],
    dependencies: packed,
  });
  return folder;
}

async function readInstalled(folder: string) {
  const machine = openMachine(createSystem());
  const { dependencies } = await collectDependencies(machine, { folder, manifests: false });
  return collectInstalled(machine, folder, dependencies);
}

/** The project copied and changed; what is not as locked then. */
async function damaged(project: string, change: (folder: string) => Promise<unknown>) {
  const folder = join(base, 'damaged');
  await rm(folder, { recursive: true, force: true });
  await cp(project, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await change(folder);
  const { installed } = await readInstalled(folder);
  return { ...installed['package-lock.json'] };
}

describe('what npm installed', () => {
  let project: string;
  beforeAll(async () => {
    project = await makeProject('npm');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
      cwd: project,
      stdio: 'ignore',
    });
  }, 60_000);

  test('is as locked, also in a copy', async () => {
    expect(await damaged(project, async () => undefined)).toEqual({});
  });

  test.each<[string, (folder: string) => Promise<unknown>, Record<string, string>]>([
    ['a link of the workspace gone', (f) => rm(join(f, 'node_modules/own')), { own: '' }],
    [
      'a link that leads nowhere',
      (f) => rm(join(f, 'packages/own'), { recursive: true }),
      { own: 'a link that leads nowhere' },
    ],
    [
      'a folder in its place',
      async (f) => {
        await rm(join(f, 'node_modules/own'));
        await cp(join(f, 'packages/own'), join(f, 'node_modules/own'), { recursive: true });
      },
      { own: 'a folder in place of a link' },
    ],
    [
      'a link to another folder',
      async (f) => {
        await rm(join(f, 'node_modules/own'));
        await cp(join(f, 'packages/own'), join(f, 'elsewhere'), { recursive: true });
        await symlink('../elsewhere', join(f, 'node_modules/own'));
      },
      { own: 'a link to another folder' },
    ],
    ['no programs', (f) => rm(join(f, 'node_modules/.bin'), { recursive: true }), { '.bin': '' }],
    [
      'one program renamed',
      (f) => rename(join(f, 'node_modules/.bin/outer'), join(f, 'node_modules/.bin/other')),
      { '.bin/outer': '' },
    ],
    ['a package gone', (f) => rm(join(f, 'node_modules/inner'), { recursive: true }), { inner: '' }],
    [
      'an edited package',
      async (f) => {
        const file = join(f, 'node_modules/inner/index.js');
        await appendFile(file, '// fixed here\n');
        const later = new Date(Date.now() + 60_000);
        await utimes(file, later, later);
      },
      { inner: '1.0.0, edited' },
    ],
    [
      'a patch that was not applied',
      async (f) => {
        await mkdir(join(f, 'patches'));
        await writeFile(
          join(f, 'patches/inner+1.0.0.patch'),
          'diff --git a/node_modules/inner/index.js b/node_modules/inner/index.js\n--- a/node_modules/inner/index.js\n+++ b/node_modules/inner/index.js\n@@ -1 +1 @@\n-a\n+b\n',
        );
      },
      { inner: '1.0.0 without its patch' },
    ],
  ])('with %s', async (_, change, expected) => {
    expect(await damaged(project, change)).toEqual(expected);
  });

  test('says who asks for a package, and where it lies', async () => {
    const folder = join(base, 'damaged');
    await damaged(project, (f) => rm(join(f, 'node_modules/inner'), { recursive: true }));
    expect((await readInstalled(folder)).drift['package-lock.json']).toEqual({
      direct: ['inner'],
      folders: { inner: 'node_modules/inner' },
      requiredBy: {},
    });
  });
});
