// Folders that npm, pnpm and Yarn really installed, then damaged as people and copying damage them. Packages come from a registry
// on this machine.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectDependencies } from '../../packages/capture/src/dependencies/collect-dependencies.ts';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { installedFindings } from '../../packages/compare/src/model/installed-findings.ts';
import { startPackageRegistry } from '../support/package-registry.ts';
import { readTestData } from '../support/test-data.ts';

const { ofNpm } = readTestData<{
  /** `run`: a command for a shell in the project; `drift`: the packages that then differ from the lock file. */
  readonly ofNpm: readonly { readonly it: string; readonly run: string; readonly drift: object }[];
}>(import.meta);
const run = promisify(execFile);
const fromRuntimes = createRequire(new URL('../runtimes/package.json', import.meta.url));
/** The file in the package of a program from a registry's package. */
const programOf = (name: string, file: string) =>
  join(dirname(fromRuntimes.resolve(`${name}/package.json`)), file);

const others = process.arch === 'x64' ? 'arm64' : 'x64';
const ofPlatform = (os: string, cpu: string, libc: string[] = []) => ({
  name: `@native/${os}-${cpu}${libc.map((each) => `-${each}`).join('')}`,
  version: '1.0.0',
  os: [os],
  cpu: [cpu],
  ...(libc.length > 0 && { libc }),
});
const own = ofPlatform(process.platform, process.arch);
const platforms = [own, ofPlatform(process.platform, others), ofPlatform('sunos', process.arch)];
/** Only `outer` needs `inner`; `native` has another name on each platform. */
const packages = [
  { name: 'inner', version: '1.0.0' },
  { name: 'outer', version: '1.0.0', bin: { outer: 'index.js' }, dependencies: { inner: '^1.0.0' } },
  {
    name: 'native',
    version: '1.0.0',
    optionalDependencies: Object.fromEntries(platforms.map(({ name, version }) => [name, version])),
  },
  ...platforms,
  { name: 'checker', version: '1.0.0' },
];

let base: string;
let registry: Awaited<ReturnType<typeof startPackageRegistry>>;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-installed-')));
  await mkdir(join(base, 'registry'));
  registry = await startPackageRegistry(join(base, 'registry'), packages);
});
afterAll(async () => {
  await registry.close();
  await rm(base, { recursive: true, force: true });
});

async function json(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value));
}

interface Manager {
  readonly lockFile: string;
  /** How a workspace package is required. */
  readonly workspace: string;
  readonly command: (url: string) => readonly [program: string, ...args: string[]];
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

// Started as this repository's scripts start it.
const pnpm = (version: string): Manager => ({
  lockFile: 'pnpm-lock.yaml',
  workspace: 'workspace:*',
  command: (url) => [
    ...(['npx', '-y', `pnpm@${version}`, 'install', '--no-frozen-lockfile'] as const),
    `--registry=${url}`,
    `--store-dir=${join(base, `store-${version}`)}`,
  ],
  files: () => ({ 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }),
});

const managers: Readonly<Record<string, Manager>> = {
  npm: {
    lockFile: 'package-lock.json',
    workspace: '0.0.1',
    command: (url) => ['npm', 'install', '--no-audit', '--no-fund', `--registry=${url}`],
  },
  'pnpm 9': pnpm('9'),
  'pnpm 10': pnpm('10'),
  'pnpm 11': pnpm('11'),
  'pnpm 12': pnpm('12'),
  'Yarn 1': {
    lockFile: 'yarn.lock',
    workspace: '0.0.1',
    command: (url) => [
      ...([process.execPath, programOf('yarn', 'bin/yarn.js'), 'install', '--silent'] as const),
      '--no-progress',
      `--registry=${url}`,
      `--cache-folder=${join(base, 'yarn-1')}`,
    ],
  },
  'Yarn 4': {
    lockFile: 'yarn.lock',
    workspace: 'workspace:*',
    command: () => [
      process.execPath,
      programOf('@yarnpkg/cli-dist', 'bin/yarn.js'),
      'install',
      '--no-immutable',
    ],
    files: (url) => ({
      'yarn.lock': '',
      '.yarnrc.yml': [
        'nodeLinker: node-modules',
        'enableTelemetry: false',
        `npmRegistryServer: "${url}"`,
        'unsafeHttpWhitelist: ["127.0.0.1"]',
        `globalFolder: "${join(base, 'yarn-4')}"`,
        'npmMinimalAgeGate: 0',
      ].join('\n'),
    }),
  },
};

/** A project with a workspace package, a dependency with a program, and one per platform. */
async function install({ workspace, command, files }: Manager, folder: string): Promise<void> {
  await mkdir(join(folder, 'packages/own'), { recursive: true });
  await json(join(folder, 'packages/own/package.json'), { name: 'own', version: '0.0.1' });
  await json(join(folder, 'package.json'), {
    name: 'app',
    version: '1.0.0',
    private: true,
    workspaces: ['packages/*'],
    dependencies: { outer: '1.0.0', native: '1.0.0', own: workspace },
    devDependencies: { checker: '1.0.0' },
  });
  for (const [name, text] of Object.entries(files?.(registry.url) ?? {}))
    await writeFile(join(folder, name), text);
  const [program, ...args] = command(registry.url);
  const env = { ...process.env, COREPACK_ENABLE_STRICT: '0', YARN_IGNORE_PATH: '1', CI: '' };
  await run(program, args, { cwd: folder, env });
}

async function readLocked(folder: string) {
  return collectDependencies(openMachine(createSystem()), { folder, manifests: false });
}

async function readInstalled(folder: string) {
  return collectInstalled(openMachine(createSystem()), folder, await readLocked(folder));
}

/** Copies and changes the project; returns the packages that then differ from the lock file. */
async function damaged(
  project: string,
  lockFile: string,
  change: (folder: string) => Promise<unknown>,
): Promise<Record<string, string>> {
  const folder = join(base, 'damaged');
  await rm(folder, { recursive: true, force: true });
  // Keeps the times of folders, too.
  await run('cp', ['-Rp', project, folder]);
  await change(folder);
  const { installed } = await readInstalled(folder);
  return { ...installed[lockFile] };
}

const remove = (path: string) => rm(path, { recursive: true });

// In the default run: npm's flat folder, and one repair.
const sampled = new Set(['npm']);
const beforeRelease = (name: string) => ({ tags: sampled.has(name) ? [] : 'release' });

for (const [name, manager] of Object.entries(managers))
  describe(`what ${name} installed`, beforeRelease(name), () => {
    const at = () => join(base, name.replace(' ', '-'));
    beforeAll(() => install(manager, at()));
    const inStore = (folder: string, id: string, package_: string) =>
      name.startsWith('pnpm')
        ? join(folder, 'node_modules/.pnpm', id, 'node_modules', package_)
        : join(folder, 'node_modules', package_);

    test.each<[string, (folder: string) => Promise<unknown>, Record<string, string>]>([
      ['nothing changed, in a copy', async () => undefined, {}],
      ['what a dependency needs gone', (f) => remove(inStore(f, 'inner@1.0.0', 'inner')), { inner: '' }],
      [
        'the package for this platform gone',
        (f) => remove(inStore(f, `${own.name.replace('/', '+')}@1.0.0`, own.name)),
        { [own.name]: '' },
      ],
      [
        'the program of what a dependency needs gone',
        (f) => rm(join(inStore(f, 'inner@1.0.0', 'inner'), 'index.js')),
        { inner: '1.0.0 without index.js' },
      ],
      ['no programs', (f) => remove(join(f, 'node_modules/.bin')), { '.bin': '' }],
      ['a link of the workspace gone', (f) => remove(join(f, 'node_modules/own')), { own: '' }],
      ['a broken link', (f) => remove(join(f, 'packages/own')), { own: 'a broken link' }],
    ])('with %s', async (_, change, expected) => {
      expect(await damaged(at(), manager.lockFile, change)).toEqual(expected);
    });

    test('includes the packages that the project itself asks for', async () => {
      const direct = ['checker', 'native', 'outer', ...(name === 'npm' ? ['own'] : [])];
      expect((await readLocked(at())).direct).toEqual({ [manager.lockFile]: direct });
    });
  });

/** The advice of `check` for a folder; empty if all packages match the lock file. */
async function repairsOf(folder: string): Promise<string[]> {
  const { dependencies } = await readLocked(folder);
  const { installed, drift } = await readInstalled(folder);
  const metadata = { installed, drift };
  const findings = installedFindings({ machineName: 'vm', dependencies, metadata });
  return [...new Set(findings.map(({ advice }) => advice ?? ''))];
}

/** Damages a copy, runs the advice unchanged, and captures again. `programs`: what the commands are on PATH. */
async function repaired(
  project: string,
  change: (folder: string) => Promise<unknown>,
  programs: Readonly<Record<string, readonly string[]>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<{ advised: string[]; after: string[] }> {
  await damaged(project, '', change);
  const folder = join(base, 'damaged');
  const bin = join(base, 'bin');
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin);
  for (const [name, words] of Object.entries(programs))
    await writeFile(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
      mode: 0o755,
    });
  const advised = await repairsOf(folder);
  const PATH = `${bin}:${process.env.PATH}`;
  for (const command of advised)
    await run('sh', ['-c', command], { cwd: folder, env: { ...process.env, CI: '', ...env, PATH } });
  return { advised, after: await repairsOf(folder) };
}

describe.each<[string, string, string[]]>([
  ['npm', 'npm ci', []],
  ...['9', '10', '11', '12'].map((version): [string, string, string[]] => [
    `pnpm ${version}`,
    'rm -rf node_modules && pnpm install --frozen-lockfile',
    ['npx', '-y', `pnpm@${version}`],
  ]),
  [
    'Yarn 1',
    'rm -rf node_modules && yarn install --frozen-lockfile',
    [process.execPath, programOf('yarn', 'bin/yarn.js')],
  ],
  [
    'Yarn 4',
    'rm -rf node_modules && yarn install --frozen-lockfile',
    [process.execPath, programOf('@yarnpkg/cli-dist', 'bin/yarn.js')],
  ],
])('what is advised for %s', (name, command, words) => {
  const isPnpm = name.startsWith('pnpm');
  const packageOf = (folder: string, package_: string) =>
    isPnpm
      ? join(folder, `node_modules/.pnpm/${package_}@1.0.0/node_modules`, package_)
      : join(folder, 'node_modules', package_);
  const damages: readonly [string, (folder: string) => Promise<unknown>][] = [
    ['a package that is gone', (f) => remove(packageOf(f, 'inner'))],
    [
      'another version, or a file that is gone',
      async (f) => {
        if (isPnpm) return rm(join(packageOf(f, 'outer'), 'index.js'));
        const file = join(packageOf(f, 'inner'), 'package.json');
        await rm(file);
        await json(file, { name: 'inner', version: '0.9.0', main: 'index.js' });
      },
    ],
  ];
  const repairs = async (change: (folder: string) => Promise<unknown>) => {
    const env = {
      ...(!isPnpm && { npm_config_registry: registry.url }),
      YARN_CACHE_FOLDER: join(base, 'yarn-1'),
      YARN_IGNORE_PATH: '1',
    };
    const store = `--store-dir=${join(base, name.replace('pnpm ', 'store-'))}`;
    const settings = isPnpm ? [`--registry=${registry.url}`, store] : [];
    const programs = words.length > 0 && { [isPnpm ? 'pnpm' : 'yarn']: [...words, ...settings] };
    const { advised, after } = await repaired(
      join(base, name.replace(' ', '-')),
      change,
      programs || {},
      env,
    );
    expect({ advised, after }).toEqual({ advised: [command], after: [] });
  };
  for (const [place, [what, change]] of damages.entries())
    test(`repairs ${what}`, { tags: name === 'npm' && place === 0 ? [] : 'release' }, () => repairs(change));
});

test('the packages of this repository match its lock file', async () => {
  const { installed, examined } = await readInstalled(join(import.meta.dirname, '../..'));
  expect(examined).toContain('pnpm-lock.yaml');
  expect(installed['pnpm-lock.yaml']).toBeUndefined();
});

test('Plug’n’Play needs the archives of its map', { tags: 'release' }, async () => {
  const project = join(base, 'plugged');
  const { files, ...manager } = managers['Yarn 4'] as Manager;
  const settings = (url: string) => ({
    ...files?.(url),
    '.yarnrc.yml': `${files?.(url)['.yarnrc.yml']?.replace('node-modules', 'pnp')}\nenableGlobalCache: false\n`,
  });
  await install({ ...manager, files: settings }, project);
  const cache = (folder: string) => join(folder, '.yarn/cache');
  expect(await damaged(project, 'yarn.lock', async () => undefined)).toEqual({});
  const [inner = ''] = (await readdir(cache(project))).filter((name) => name.startsWith('inner-'));
  expect(await damaged(project, 'yarn.lock', (f) => rm(join(cache(f), inner)))).toEqual({ inner: '' });
  expect(await damaged(project, 'yarn.lock', (f) => remove(cache(f)))).toEqual({});
  expect((await readInstalled(join(base, 'damaged'))).notInstalled).toEqual(['yarn.lock']);
});

for (const [name, flag] of [
  ['npm', '--omit=dev'],
  ['pnpm 12', '--prod'],
  ['Yarn 1', '--production'],
] as const)
  test(`${name} leaves the packages for development out`, {
    tags: name === 'npm' ? [] : 'release',
  }, async () => {
    const manager = managers[name] as Manager;
    const command = (url: string) => [...manager.command(url), flag] as const;
    const project = join(base, 'production');
    await rm(project, { recursive: true, force: true });
    await install({ ...manager, command }, project);
    const { installed, withoutDevelopment } = await readInstalled(project);
    expect({ installed, withoutDevelopment }).toEqual({
      installed: {},
      withoutDevelopment: [manager.lockFile],
    });
  });

describe('what npm installed', () => {
  const project = () => join(base, 'npm');

  test.each(ofNpm)('with $it', async ({ run: damage, drift }) => {
    const change = (folder: string) => run('sh', ['-c', damage], { cwd: folder });
    expect(await damaged(project(), 'package-lock.json', change)).toEqual(drift);
  });

  test('says who asks for a package, and where it is', async () => {
    const folder = join(base, 'damaged');
    await damaged(project(), 'package-lock.json', (f) => remove(join(f, 'node_modules/inner')));
    expect((await readInstalled(folder)).drift['package-lock.json']).toEqual({
      folders: { inner: 'node_modules/inner' },
      requiredBy: { inner: ['outer'] },
    });
  });
});
