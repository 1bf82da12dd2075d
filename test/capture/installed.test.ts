import { describe, expect, it } from 'vitest';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeMachine } from '../support/fake-system.ts';

type Files = NonNullable<FakeMachine['files']>;

const installedMs = 1_700_000_000_000;

async function driftOf(
  files: Files,
  dependencies: Record<string, Record<string, string>>,
  env: FakeMachine['env'] = {},
) {
  const inFolder = Object.fromEntries(Object.entries(files).map(([name, file]) => [`/app/${name}`, file]));
  const system = createFakeSystem({ files: { '/usr/bin/env': '', ...inFolder }, env });
  return (await collectInstalled(openMachine(system), '/app', { dependencies, direct: {} })).installed;
}

const manifest = (version: string, modifiedMs = installedMs) => ({
  content: JSON.stringify({ version }),
  modifiedMs,
});

describe('npm’s node_modules', () => {
  const packages = {
    '': { name: 'app' },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/zod': { version: '3.0.0' },
    'node_modules/fsevents': { version: '2.3.3', optional: true, os: ['darwin'] },
    'node_modules/vitest': { version: '5.0.0', dev: true },
    'node_modules/@esbuild/aix': { version: '1.0.0', dev: true, optional: true, os: ['aix'] },
    'packages/own': { version: '0.0.1' },
    'node_modules/own': { resolved: 'packages/own', link: true },
  };
  const lock = { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) };
  const installed: Files = {
    ...lock,
    'node_modules/.package-lock.json': {
      content: JSON.stringify({ lockfileVersion: 3, packages }),
      modifiedMs: installedMs + 1000,
    },
    'node_modules/zod/package.json': manifest('4.6.7'),
    'node_modules/a/package.json': manifest('1.0.0'),
    'node_modules/a/node_modules/zod/package.json': manifest('3.0.0'),
    'node_modules/vitest/package.json': manifest('5.0.0'),
    'node_modules/own': { link: '../packages/own' },
    'packages/own/package.json': manifest('0.0.1'),
  };
  const locked = {
    'package-lock.json': { zod: '3.0.0, 4.6.7', a: '1.0.0', fsevents: '2.3.3', vitest: '5.0.0' },
  };

  it('that is as the lock file says has no drift', async () => {
    expect(await driftOf(installed, locked)).toEqual({});
    expect(await driftOf(lock, locked)).toEqual({});
  });

  it('names a package of another version from npm’s own note', async () => {
    const noted = { ...packages, 'node_modules/zod': { version: '4.0.1' } };
    const files = {
      ...installed,
      'node_modules/.package-lock.json': {
        content: JSON.stringify({ packages: noted }),
        modifiedMs: installedMs + 1000,
      },
    };
    expect(await driftOf(files, locked)).toEqual({ 'package-lock.json': { zod: '4.0.1' } });
  });

  it('may lack a package that is called as what every object has', async () => {
    const more = {
      'node_modules/a': { version: '1.0.0', dependencies: { constructor: '1' } },
      'node_modules/constructor': { version: '1.0.0' },
    };
    const content = JSON.stringify({ lockfileVersion: 3, packages: { ...packages, ...more } });
    const files = { ...installed, 'package-lock.json': content };
    const all = { 'package-lock.json': { ...locked['package-lock.json'], constructor: '1.0.0' } };
    expect(await driftOf(files, all)).toEqual({ 'package-lock.json': { constructor: '' } });
  });

  it('reads a package that changed after npm’s note', async () => {
    const files = { ...installed, 'node_modules/zod/package.json': manifest('4.0.1', installedMs + 5000) };
    expect(await driftOf(files, locked)).toEqual({ 'package-lock.json': { zod: '4.0.1' } });
  });

  it('misses packages, but neither optional ones nor those that were left out on purpose', async () => {
    const { 'node_modules/a/package.json': _a, ...withoutA } = installed;
    expect(await driftOf(withoutA, locked)).toEqual({ 'package-lock.json': { a: '' } });
    const { 'node_modules/vitest/package.json': _v, ...withoutDev } = installed;
    expect(await driftOf(withoutDev, locked)).toEqual({});
  });

  it('names the versions that are left of a package in several', async () => {
    const { 'node_modules/a/node_modules/zod/package.json': _, ...rest } = installed;
    expect(await driftOf(rest, locked)).toEqual({ 'package-lock.json': { zod: '4.6.7' } });
    const twice = { ...packages, 'packages/own/node_modules/zod': { version: '4.6.7' } };
    const again = { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: twice }) };
    expect(await driftOf({ ...installed, ...again }, locked)).toEqual({ 'package-lock.json': { zod: '' } });
  });

  it('names packages beyond the lock file, and links', async () => {
    const noted = {
      ...packages,
      'node_modules/extra': { version: '9.0.0', extraneous: true },
      'node_modules/a': { link: true },
    };
    const files = {
      ...installed,
      'node_modules/extra/package.json': manifest('9.0.0'),
      'node_modules/.package-lock.json': {
        content: JSON.stringify({ packages: noted }),
        modifiedMs: installedMs + 1000,
      },
    };
    expect(await driftOf(files, locked)).toEqual({ 'package-lock.json': { a: 'linked', extra: '9.0.0' } });
  });

  it('laid out as a store is compared with the lock file by name and version', async () => {
    const aliased = { ...packages, 'node_modules/old': { name: 'zod', version: '2.0.0' } };
    const at = (name: string, version: string) => ({
      [`node_modules/.store/${name}@${version}-x`]: {},
      [`node_modules/.store/${name}@${version}-x/node_modules/${name}`]: { version },
    });
    const noted = (zod: string, ...others: object[]) =>
      driftOf(
        {
          'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: aliased }),
          'node_modules/zod': { content: '' },
          'node_modules/.package-lock.json': JSON.stringify({
            packages: Object.assign(
              { 'node_modules/zod': { link: true, resolved: 'x' }, 'node_modules/own': { link: true } },
              ...[at('zod', zod), at('zod', '3.0.0'), at('zod', '2.0.0'), ...others],
            ),
          }),
        },
        locked,
      );
    expect(await noted('4.6.7', at('a', '1.0.0'), at('vitest', '5.0.0'))).toEqual({});
    expect(await noted('4.6.7', at('a', '1.0.0'))).toEqual({});
    expect(await noted('4.0.1', at('vitest', '5.0.0'))).toEqual({
      'package-lock.json': { a: '', zod: '4.0.1' },
    });
  });
});

describe('other package managers of JavaScript', () => {
  const asked = { 'package.json': JSON.stringify({ dependencies: { zod: '^4.0.0', gone: '^1.0.0' } }) };

  it('pnpm: its own lock file, packages changed since, and missing ones', async () => {
    const lock = (version: string) =>
      `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      zod:\n        specifier: ^4.0.0\n        version: ${version}\n\npackages:\n\n  zod@${version}:\n    resolution: {integrity: sha512-x}\n\n  gone@1.0.0:\n    resolution: {integrity: sha512-y}\n\nsnapshots:\n\n  zod@${version}: {}\n`;
    const locked = { 'pnpm-lock.yaml': { zod: '4.6.7', gone: '1.0.0' } };
    const base = {
      ...asked,
      'pnpm-lock.yaml': lock('4.6.7'),
      'node_modules/zod/package.json': manifest('4.6.7'),
      'node_modules/gone/package.json': manifest('1.0.0'),
    };
    const state = (version: string) => ({
      'node_modules/.pnpm/lock.yaml': { content: lock(version), modifiedMs: installedMs + 1000 },
    });
    expect(await driftOf({ ...base, ...state('4.6.7') }, locked)).toEqual({});
    expect(await driftOf({ ...base, ...state('4.0.1') }, locked)).toEqual({
      'pnpm-lock.yaml': { zod: '4.0.1' },
    });
    const { 'node_modules/gone/package.json': _gone, ...missing } = base;
    expect(await driftOf({ ...missing, ...state('4.6.7') }, locked)).toEqual({
      'pnpm-lock.yaml': { gone: '' },
    });
  });

  it('pnpm: the packages that one of the workspace asks for', async () => {
    const lock =
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n  packages/web:\n    dependencies:\n      '@s/a':\n        specifier: ^1.0.0\n        version: 1.0.0\n    devDependencies:\n      b:\n        specifier: ^2.0.0\n        version: 2.0.0\n\npackages:\n\n  '@s/a@1.0.0':\n    resolution: {integrity: sha512-x}\n\n  b@2.0.0:\n    resolution: {integrity: sha512-y}\n";
    const store: Files = {
      'pnpm-lock.yaml': lock,
      'node_modules/.pnpm/lock.yaml': { content: lock, modifiedMs: installedMs + 1000 },
      'node_modules/.pnpm/@s+a@1.0.0/node_modules/@s/a/package.json': manifest('1.0.0'),
      'node_modules/.pnpm/b@2.0.0/node_modules/b/package.json': manifest('2.0.0'),
    };
    const noted = (dev: boolean) => ({
      'node_modules/.modules.yaml': `{"included":{"devDependencies":${dev}}}`,
    });
    const locked = { 'pnpm-lock.yaml': { '@s/a': '1.0.0', b: '2.0.0' } };
    const one: Files = { ...store, 'packages/web/node_modules/@s/a/package.json': manifest('1.0.0') };
    expect(await driftOf({ ...store, ...noted(true) }, locked)).toEqual({
      'pnpm-lock.yaml': { '@s/a': '', b: '' },
    });
    expect(await driftOf({ ...one, ...noted(true) }, locked)).toEqual({ 'pnpm-lock.yaml': { b: '' } });
    expect(await driftOf({ ...one, ...noted(false) }, locked)).toEqual({});
  });

  const notes: [string, string][] = [
    ['pnpm 11', JSON.stringify({ skipped: ['@esbuild/aix-ppc64@0.21.5', 'left-for-now@1.0.0'] })],
    [
      'pnpm 9',
      "included:\n  devDependencies: true\nskipped:\n  - '@esbuild/aix-ppc64@0.21.5'\n  - left-for-now@1.0.0\n",
    ],
    ['pnpm 8', 'skipped:\n  - /@esbuild/aix-ppc64@0.21.5\n  - /left-for-now@1.0.0\n'],
  ];
  it.each(notes)(
    '%s: packages that it skipped, and those for other platforms, are not missing',
    async (_, note) => {
      const lock =
        "lockfileVersion: '9.0'\nimporters:\n  .: {}\npackages:\n\n  '@esbuild/aix-ppc64@0.21.5':\n    resolution: {integrity: x}\n    cpu: [ppc64]\n    os: [aix]\n\n" +
        "  left-for-now@1.0.0:\n    resolution: {integrity: x}\n\n  gone@1.0.0:\n    resolution: {integrity: x}\n    engines: {node: '>=12'}\n    os: [darwin, linux]\n\n" +
        '  there@1.0.0:\n    resolution: {integrity: x}\n\nsnapshots:\n\n  there@1.0.0: {}\n';
      const files: Files = {
        'package.json': '{}',
        'pnpm-lock.yaml': lock,
        'node_modules/.pnpm/lock.yaml': lock,
        'node_modules/.modules.yaml': note,
        'node_modules/.pnpm/there@1.0.0/node_modules/there/package.json': manifest('1.0.0'),
      };
      const locked = {
        '@esbuild/aix-ppc64': '0.21.5',
        'left-for-now': '1.0.0',
        gone: '1.0.0',
        there: '1.0.0',
      };
      expect(await driftOf(files, { 'pnpm-lock.yaml': locked })).toEqual({ 'pnpm-lock.yaml': { gone: '' } });
      // Without the note, the lock file still says which platforms a package is for.
      expect(
        await driftOf({ ...files, 'node_modules/.modules.yaml': '{' }, { 'pnpm-lock.yaml': locked }),
      ).toEqual({ 'pnpm-lock.yaml': { gone: '', 'left-for-now': '' } });
    },
  );

  it('pnpm 9: packages of a workspace that were left out with their kind are not missing', async () => {
    const lock =
      "lockfileVersion: '9.0'\nimporters:\n  web:\n    devDependencies:\n      ms:\n        version: 2.0.0\npackages:\n\n  ms@2.0.0:\n    resolution: {integrity: x}\n";
    const files = (dev: boolean): Files => ({
      'package.json': '{}',
      'pnpm-lock.yaml': lock,
      'node_modules/.pnpm/lock.yaml': lock,
      'node_modules/.modules.yaml': `included:\n  dependencies: true\n  devDependencies: ${dev}\n`,
      'node_modules/.pnpm/ms@2.0.0/node_modules/ms/package.json': manifest('2.0.0'),
    });
    const locked = { 'pnpm-lock.yaml': { ms: '2.0.0' } };
    expect(await driftOf(files(true), locked)).toEqual({ 'pnpm-lock.yaml': { ms: '' } });
    expect(await driftOf(files(false), locked)).toEqual({});
  });

  it('names programs of locked packages that lead nowhere or may not be started', async () => {
    const yarn: Files = {
      ...asked,
      'yarn.lock': '',
      'node_modules/zod/package.json': manifest('4.6.7'),
      'node_modules/zod/cli.js': '',
      'node_modules/.bin/zod': { link: '../zod/cli.js' },
      'node_modules/.bin/lost': { link: '../zod/lost.js' },
      // Not built yet, perhaps.
      'node_modules/.bin/own': { link: '../own/dist/cli.js' },
    };
    const locked = { 'yarn.lock': { zod: '4.6.7' } };
    expect(await driftOf(yarn, locked)).toEqual({
      'yarn.lock': { '.bin/lost': 'a link that leads nowhere', '.bin/zod': 'not executable' },
    });
    const { 'node_modules/.bin/lost': _, ...rest } = yarn;
    const started = { ...rest, 'node_modules/zod/cli.js': { content: '', executable: true } };
    expect(await driftOf(started, locked)).toEqual({});
  });

  it('Yarn 1, Yarn 4 and Plug’n’Play', async () => {
    const locked = { 'yarn.lock': { zod: '4.6.7' } };
    const present = { 'node_modules/zod/package.json': manifest('4.6.7') };
    const classic = {
      'node_modules/.yarn-integrity': {
        content: JSON.stringify({
          lockfileEntries: { 'zod@^4.0.0': 'https://registry.yarnpkg.com/zod/-/zod-4.0.1.tgz#abc' },
        }),
        modifiedMs: installedMs + 1,
      },
    };
    expect(await driftOf({ ...present, ...classic }, locked)).toEqual({ 'yarn.lock': { zod: '4.0.1' } });
    const berry = {
      'node_modules/.yarn-state.yml': {
        content:
          '# Warning\n__metadata:\n  version: 1\n\n"zod@npm:4.0.1":\n  locations:\n    - "node_modules/zod"\n',
        modifiedMs: installedMs + 1,
      },
    };
    expect(await driftOf({ ...present, ...berry }, locked)).toEqual({ 'yarn.lock': { zod: '4.0.1' } });
    const pnp = {
      '.pnp.cjs':
        '    ["zod", [\\\n      ["npm:4.0.1", {\\\n        "packageLocation": "./.yarn/cache/zod.zip/node_modules/zod/",\\\n      }]\\\n    ]]\\\n',
      '.yarn/cache/zod.zip': '',
    };
    expect(await driftOf(pnp, locked)).toEqual({ 'yarn.lock': { zod: '4.0.1' } });
  });

  it('finds packages gone that other packages need, wherever the manager put them', async () => {
    const locked = {
      zod: '4.6.7',
      'is-odd': '3.0.1',
      '@esbuild/linux-x64': '0.21.5',
      '@esbuild/aix-ppc64': '0.21.5',
    };
    const zod = { ...asked, 'node_modules/zod/package.json': manifest('4.6.7') };
    const missing = { 'is-odd': '', '@esbuild/linux-x64': '' };
    const lockText =
      "packages:\n\n  '@esbuild/aix-ppc64@0.21.5':\n    os: [aix]\n\n  '@esbuild/linux-x64@0.21.5':\n    os: [linux]\n\n  is-odd@3.0.1:\n    resolution: {}\n\n  zod@4.6.7:\n    resolution: {}\n\nsnapshots:\n\n  zod@4.6.7: {}\n";
    const pnpm = {
      'pnpm-lock.yaml': lockText,
      'node_modules/.modules.yaml': JSON.stringify({ skipped: ['@esbuild/aix-ppc64@0.21.5'] }),
      'node_modules/.pnpm/zod@4.6.7/node_modules/zod/package.json': manifest('4.6.7'),
      'node_modules/.pnpm/lock.yaml': { content: lockText, modifiedMs: installedMs + 1 },
    };
    expect(await driftOf({ ...zod, ...pnpm }, { 'pnpm-lock.yaml': locked })).toEqual({
      'pnpm-lock.yaml': missing,
    });
    const berry = {
      'node_modules/.yarn-state.yml': {
        content:
          '"@esbuild/linux-x64@npm:0.21.5":\n  locations:\n    - "node_modules/@esbuild/linux-x64"\n\n"is-odd@npm:3.0.1":\n  locations:\n    - "node_modules/is-odd"\n\n"zod@npm:4.6.7":\n  locations:\n    - "node_modules/zod"\n',
        modifiedMs: installedMs + 1,
      },
    };
    expect(await driftOf({ ...zod, ...berry }, { 'yarn.lock': locked })).toEqual({ 'yarn.lock': missing });
    const classic = {
      'yarn.lock':
        '# yarn lockfile v1\n\n"@esbuild/aix-ppc64@0.21.5":\n  version "0.21.5"\n\n"@esbuild/linux-x64@0.21.5":\n  version "0.21.5"\n\nis-odd@^3:\n  version "3.0.1"\n\nzod@^4.0.0:\n  version "4.6.7"\n  dependencies:\n    is-odd "^3"\n  optionalDependencies:\n    "@esbuild/aix-ppc64" "0.21.5"\n    "@esbuild/linux-x64" "0.21.5"\n',
      'node_modules/.yarn-integrity': {
        content: JSON.stringify({ lockfileEntries: {} }),
        modifiedMs: installedMs + 1,
      },
    };
    expect(await driftOf({ ...zod, ...classic }, { 'yarn.lock': locked })).toEqual({ 'yarn.lock': missing });
  });

  it('Bun, which notes nothing', async () => {
    const files = { 'node_modules/zod/package.json': manifest('4.0.1') };
    expect(await driftOf(files, { 'bun.lock': { zod: '4.6.7' } })).toEqual({ 'bun.lock': { zod: '4.0.1' } });
  });
});

describe('a virtual environment', () => {
  const site = '.venv/lib/python3.12/site-packages';
  const environment: Files = {
    '.venv/pyvenv.cfg': 'home = /usr/bin\n',
    '.venv/bin/python': '',
    [`${site}/Requests-2.31.0.dist-info/METADATA`]: '',
    [`${site}/urllib3-2.0.0.dist-info/METADATA`]: '',
    [`${site}/typing_extensions-4.9.0.dist-info/METADATA`]: '',
  };

  it('is compared with requirements, by normalized names and equal versions', async () => {
    const requirements =
      'requests==2.31\nurllib3==2.2.1\nTyping.Extensions==4.9.0\nflask==3.0.0\ncolorama==0.4.6; sys_platform == "win32"\n';
    expect(
      await driftOf(
        { ...environment, 'requirements.txt': requirements },
        {
          'requirements.txt': {
            requests: '2.31',
            urllib3: '2.2.1',
            'Typing.Extensions': '4.9.0',
            flask: '3.0.0',
            colorama: '0.4.6',
          },
        },
      ),
    ).toEqual({ 'requirements.txt': { flask: '', urllib3: '2.0.0' } });
  });

  it('beside the file that it is made from lacks what is missing, be it everything', async () => {
    const empty: Files = {
      '.venv/pyvenv.cfg': '',
      '.venv/bin/python': '',
      [`${site}/pip-24.0.dist-info/METADATA`]: '',
    };
    const requirements = {
      'requirements.txt': 'six==1.16.0\n-e .\nidna==3.6 # names\nattrs==1.0; os_name == "nt"\n',
    };
    const locked = { six: '1.16.0', idna: '3.6', attrs: '1.0', '.': 'file:.' };
    expect(await driftOf({ ...empty, ...requirements }, { 'requirements.txt': locked })).toEqual({
      'requirements.txt': { idna: '', six: '' },
    });
    // Another file of the folder need not be installed, nor one whose place a lock file takes.
    const docs = { 'requirements-docs.txt': 'six==1.16.0\nidna==3.6\n' };
    expect(await driftOf({ ...empty, ...docs }, { 'requirements-docs.txt': locked })).toEqual({});
    expect(
      await driftOf({ ...empty, ...requirements, 'uv.lock': '' }, { 'requirements.txt': locked }),
    ).toEqual({});
  });

  it('does not need what a marker leaves out here', async () => {
    const requirements =
      'requests==2.30.0 ; python_version < "3.10"\n' +
      "urllib3==1.0.0 ; sys_platform == 'win32' and python_version >= '3.8' \\\n    --hash=sha256:aa\n" +
      'Typing.Extensions==4.0.0 ; python_version < "3.10" or python_version >= "3.12"\n';
    const locked = { requests: '2.30.0', urllib3: '1.0.0', 'Typing.Extensions': '4.0.0' };
    expect(
      await driftOf({ ...environment, 'requirements.txt': requirements }, { 'requirements.txt': locked }),
    ).toEqual({ 'requirements.txt': { 'Typing.Extensions': '4.9.0' } });
  });

  it('has an interpreter that is there and of the version that it was made for', async () => {
    const base = { 'requirements.txt': 'requests==2.31.0\n', ...environment };
    const locked = { 'requirements.txt': { requests: '2.31.0' } };
    const without = Object.fromEntries(Object.entries(base).filter(([name]) => name !== '.venv/bin/python'));
    expect(await driftOf(without, locked)).toEqual({ 'requirements.txt': { python: '' } });
    const rootless = { ...base, '.venv/pyvenv.cfg': 'home = /opt/python/bin\n' };
    expect(await driftOf(rootless, locked)).toEqual({
      'requirements.txt': { python: 'of an installation that is gone' },
    });
    const other = { ...base, '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.11.2\n' };
    expect(await driftOf(other, locked)).toEqual({
      'requirements.txt': { python: '3.12 in an environment made for 3.11' },
    });
    const moved = { ...base, '.venv/bin/pip': '#!/old/.venv/bin/python\nimport sys\n' };
    expect(await driftOf(moved, locked)).toEqual({
      'requirements.txt': { python: 'in an environment that was made in another folder' },
    });
    const stays = { ...base, '.venv/bin/pip': '#!/app/.venv/bin/python\n' };
    expect(await driftOf(stays, locked)).toEqual({});
  });

  it('is unknown where there is none, and nothing where Python finds none of it either', async () => {
    const files = { '/app/requirements.txt': 'six==1.16.0\n' };
    const absence = async (more: Files) => {
      const system = createFakeSystem({ files: { ...files, ...more }, env: { PATH: '/usr/bin' } });
      const dependencies = { 'requirements.txt': { six: '1.16.0' } };
      return collectInstalled(openMachine(system), '/app', { dependencies, direct: {} });
    };
    expect(await absence({})).toMatchObject({
      notInstalled: [],
      unknown: [{ section: 'installed', key: 'requirements.txt' }],
    });
    const python = { '/usr/bin/python3': { link: 'python3.11' }, '/usr/bin/python3.11': '' };
    expect(await absence(python)).toMatchObject({ notInstalled: ['requirements.txt'], unknown: [] });
    const site = '/usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA';
    expect(await absence({ ...python, [site]: '' })).toMatchObject({ notInstalled: [], unknown: [] });
  });

  it('has the packages of the system where its configuration lets them in', async () => {
    const open = (value: string): Files => ({
      ...environment,
      '.venv/pyvenv.cfg': `home = /usr/bin\ninclude-system-site-packages = ${value}\n`,
      'requirements.txt': 'requests==2.31.0\nflask==3.0.0\n',
      '../usr/lib/python3/dist-packages/flask-3.0.0.dist-info/METADATA': '',
      '../usr/lib/python3/dist-packages/requests-1.0.0.dist-info/METADATA': '',
    });
    const locked = { 'requirements.txt': { requests: '2.31.0', flask: '3.0.0' } };
    expect(await driftOf(open('true'), locked)).toEqual({});
    expect(await driftOf(open('false'), locked)).toEqual({ 'requirements.txt': { flask: '' } });
  });

  it('that is active counts before the one beside the lock file, which it may not be', async () => {
    const requirements = { 'requirements.txt': 'requests==2.31.0\n' };
    const locked = { 'requirements.txt': { requests: '2.31.0' } };
    const otherSite = '../envs/other/lib/python3.12/site-packages';
    const files = (version: string): Files => ({
      ...environment,
      ...requirements,
      '../envs/other/pyvenv.cfg': '',
      '../envs/other/conda-meta/history': '',
      [`${otherSite}/requests-${version}.dist-info/METADATA`]: '',
    });
    const wrong = { 'requirements.txt': { python: "in /envs/other, the project's is .venv" } };
    for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
      expect(await driftOf(files('2.30.0'), locked, { [name]: '/envs/other' })).toEqual(wrong);
      expect(await driftOf(files('2.31.0'), locked, { [name]: '/envs/other' })).toEqual({});
    }
    const ofBase = { CONDA_PREFIX: '/envs/other', CONDA_DEFAULT_ENV: 'base' };
    expect(await driftOf(files('2.30.0'), locked, ofBase)).toEqual({});
    expect(await driftOf(files('2.30.0'), locked, { VIRTUAL_ENV: '/app/.venv', ...ofBase })).toEqual({});
    const without = Object.fromEntries(
      Object.entries(files('2.30.0')).filter(([name]) => !name.startsWith(otherSite)),
    );
    const bare = { ...without, [`${otherSite}/pip-24.0.dist-info/METADATA`]: '' };
    expect(await driftOf(bare, locked, { VIRTUAL_ENV: '/envs/other' })).toEqual(wrong);
  });

  it('that is active belongs to the captured folder only', async () => {
    const outside = Object.fromEntries(
      Object.entries(environment).map(([name, file]) => [`../envs/${name}`, file]),
    );
    const lock = { requests: '2.32.0' };
    const found = await driftOf(
      outside,
      { 'uv.lock': lock, 'services/api/uv.lock': lock },
      { VIRTUAL_ENV: '/envs/.venv' },
    );
    expect(found).toEqual({ 'uv.lock': { requests: '2.31.0' } });
  });
});

describe('Composer and Bundler', () => {
  it('vendor of Composer', async () => {
    const lock = {
      packages: [
        { name: 'monolog/monolog', version: '3.5.0' },
        { name: 'psr/log', version: 'v3.0.0' },
        { name: 'gone/gone', version: '1.0.0' },
      ],
      'packages-dev': [{ name: 'phpunit/phpunit', version: '11.0.0' }],
    };
    const installed = {
      dev: false,
      packages: [
        { name: 'monolog/monolog', version: '3.4.0' },
        { name: 'psr/log', version: '3.0.0' },
        { name: 'gone/gone', version: '1.0.0' },
      ],
    };
    const files = {
      'composer.lock': JSON.stringify(lock),
      'vendor/composer/installed.json': JSON.stringify(installed),
      'vendor/autoload.php': '',
      'vendor/monolog/monolog/x': '',
      'vendor/psr/log/x': '',
    };
    expect(await driftOf(files, { 'composer.lock': {} })).toEqual({
      'composer.lock': { 'gone/gone': '', 'monolog/monolog': '3.4.0' },
    });
  });

  it('packages that Composer put elsewhere than into vendor', async () => {
    const installed = {
      dev: true,
      packages: [
        { name: 'drupal/core', version: '10.2.3', 'install-path': '../../web/core' },
        { name: 'drupal/gone', version: '1.0.0', 'install-path': '../../web/modules/gone' },
        { name: 'drupal/shared', version: '1.0.0', 'install-path': '../../../shared' },
        { name: 'drupal/above', version: '1.0.0', 'install-path': '/srv/above' },
        { name: 'psr/log', version: '3.0.0', 'install-path': '../psr/log' },
        { name: 'psr/old', version: '3.0.0', 'install-path': null },
      ],
    };
    const files = {
      'composer.lock': JSON.stringify({ packages: installed.packages }),
      'vendor/composer/installed.json': JSON.stringify(installed),
      'vendor/autoload.php': '',
      'vendor/drupal/gone/x': '',
      'vendor/psr/log/x': '',
      'vendor/psr/old/x': '',
      'web/core/x': '',
    };
    expect(await driftOf(files, { 'composer.lock': {} })).toEqual({ 'composer.lock': { 'drupal/gone': '' } });
  });

  it('vendored sources of Go and Cargo', async () => {
    const go = {
      'vendor/modules.txt':
        '# example.org/a v1.2.0\n## explicit\nexample.org/a\nexample.org/a/sub\n# example.org/b v2.0.0\n## explicit\nexample.org/b\n',
      'vendor/example.org/a/sub/a.go': '',
    };
    const modules = { 'go.mod': { 'example.org/a': 'v1.3.0', 'example.org/b': 'v2.0.0' } };
    expect(await driftOf(go, modules)).toEqual({
      'go.mod': { 'example.org/a': 'v1.2.0', 'example.org/b': '' },
    });
    const cargo = {
      '.cargo/config.toml': '[source.vendored-sources]\ndirectory = "vendor"\n',
      'Cargo.lock':
        '[[package]]\nname = "app"\nversion = "0.1.0"\n\n[[package]]\nname = "serde"\nversion = "1.0.2"\nsource = "registry+x"\n\n[[package]]\nname = "libc"\nversion = "0.2.0"\nsource = "registry+x"\n',
      'vendor/serde/Cargo.toml': '[package]\nname = "serde"\nversion = "1.0.1"\n',
    };
    const crates = { 'Cargo.lock': { app: '0.1.0', serde: '1.0.2', libc: '0.2.0' } };
    expect(await driftOf(cargo, crates)).toEqual({ 'Cargo.lock': { libc: '', serde: '1.0.1' } });
  });

  it('vendor/bundle of Bundler', async () => {
    const files = Object.fromEntries(
      ['rack-3.0.0', 'nokogiri-1.16.0-x86_64-linux'].flatMap((gem) => [
        [`vendor/bundle/ruby/3.3.0/specifications/${gem}.gemspec`, ''],
        [`vendor/bundle/ruby/3.3.0/gems/${gem}/README.md`, ''],
      ]),
    );
    const locked = { 'Gemfile.lock': { rack: '3.0.9', nokogiri: '1.16.0', puma: '6.4.0', bundler: '2.5.0' } };
    expect(await driftOf(files, locked)).toEqual({ 'Gemfile.lock': { puma: '', rack: '3.0.0' } });
    // Bundler installs no gem of a path, and keeps one of a repository elsewhere.
    const gem = (section: string, name: string) =>
      `${section}\n  remote: x\n  specs:\n    ${name} (1.0.0)\n      rack\n`;
    const lock = [gem('GIT', 'money'), gem('PATH', 'shop'), gem('GEM', 'puma'), 'DEPENDENCIES\n  shop!\n'];
    const own = { 'Gemfile.lock': { money: '6.16.0', shop: '0.1.0', puma: '1.0.0', rack: '3.0.0' } };
    expect(await driftOf({ ...files, 'Gemfile.lock': lock.join('\n') }, own)).toEqual({
      'Gemfile.lock': { puma: '' },
    });
  });
});

describe('a lock file of which nothing is installed', () => {
  const manifestFile = { 'package.json': '{"dependencies":{"zod":"^4.0.0"}}' };

  async function notInstalledIn(files: Files, dependencies: Record<string, Record<string, string>>) {
    const inFolder = Object.fromEntries(Object.entries(files).map(([name, file]) => [`/app/${name}`, file]));
    const system = createFakeSystem({ files: inFolder });
    return (await collectInstalled(openMachine(system), '/app', { dependencies, direct: {} })).notInstalled;
  }

  it.each(['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'])(
    'is named for %s, until there is something',
    async (lock) => {
      const locked = { [lock]: { zod: '4.6.7' } };
      const files = { ...manifestFile, [lock]: '' };
      expect(await notInstalledIn(files, locked)).toEqual([lock]);
      const installed = { ...files, 'node_modules/zod/package.json': manifest('4.6.7') };
      expect(await notInstalledIn(installed, locked)).toEqual([]);
      expect(await notInstalledIn(files, { [lock]: {} })).toEqual([]);
    },
  );

  it('is not named where programs find packages elsewhere, or no manifest asks for any', async () => {
    const yarn = { 'yarn.lock': { zod: '4.6.7' } };
    expect(await notInstalledIn({ ...manifestFile, 'yarn.lock': '', '.pnp.cjs': '' }, yarn)).toEqual([]);
    const inside = { 'web/package-lock.json': { zod: '4.6.7' } };
    const files = { 'web/package.json': '{}', 'web/package-lock.json': '{}' };
    expect(await notInstalledIn(files, inside)).toEqual(['web/package-lock.json']);
    const above = { ...files, 'node_modules/zod/package.json': manifest('4.6.7') };
    expect(await notInstalledIn(above, inside)).toEqual([]);
    expect(await notInstalledIn({ 'web/package-lock.json': '{}' }, inside)).toEqual([]);
  });

  it('is named for Composer, but not for Python and Ruby, which may install for the whole machine', async () => {
    const composer = { 'composer.lock': { 'monolog/monolog': '3.5.0' } };
    expect(await notInstalledIn({ 'composer.json': '{}' }, composer)).toEqual(['composer.lock']);
    expect(await notInstalledIn({ 'composer.json': '{"config":{"vendor-dir":"lib"}}' }, composer)).toEqual(
      [],
    );
    const others = { 'poetry.lock': { attrs: '1.0.0' }, 'Gemfile.lock': { rake: '13.0.0' } };
    expect(await notInstalledIn({}, others)).toEqual([]);
    // With a folder of its own, Bundler has nothing to put there but what comes from a registry.
    const ruby = (section: string) => ({
      '.bundle/config': 'BUNDLE_PATH: "bundle"\n',
      'Gemfile.lock': `${section}\n  remote: x\n  specs:\n    rake (13.0.0)\n`,
    });
    const rake = { 'Gemfile.lock': { rake: '13.0.0' } };
    expect(await notInstalledIn(ruby('GEM'), rake)).toEqual(['Gemfile.lock']);
    expect(await notInstalledIn(ruby('PATH'), rake)).toEqual([]);
  });
});
