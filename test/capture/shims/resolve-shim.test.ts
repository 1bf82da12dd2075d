// The real tool behind each manager's shims, found from files for the captured folder.

import { describe, expect, test } from 'vitest';
import { toolManager } from '../../../packages/capture/src/runtimes/collect-runtimes.ts';
import { locateTool } from '../../../packages/capture/src/shims/resolve-shim.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { untrustedTree } from '../../../packages/capture/src/system/untrusted-tree.ts';
import { createFakeSystem, type FakeFile, type FakeMachine } from '../../support/fake-system.ts';

const program: FakeFile = { executable: true, content: '\x7fELF' };
const folder = '/work/app';

async function locate(name: string, places: string[], machine: FakeMachine) {
  const system = createFakeSystem({ ...machine, files: { '/work/app/.keep': '', ...machine.files } });
  const opened = openMachine(system);
  const tree = await untrustedTree(opened, folder);
  return locateTool({ machine: opened, folder, tree, isForbidden: () => false }, name, places);
}

describe('pyenv and its relatives', () => {
  const files = {
    '/home/dev/.pyenv/shims/python3': { executable: true, content: '#!/usr/bin/env bash\npyenv exec' },
    '/home/dev/.pyenv/versions/3.11.7/bin/python3': program,
    '/home/dev/.pyenv/versions/3.12.1/bin/python3': program,
    '/home/dev/.pyenv/versions/3.12.10/bin/python3': program,
    '/usr/bin/python3': program,
  };
  const places = ['/home/dev/.pyenv/shims/python3', '/usr/bin/python3'];

  test.each([
    ['the variable', { PYENV_VERSION: '3.11.7' }, {}, '3.11.7', 'PYENV_VERSION'],
    ['a file in the folder', {}, { '/work/app/.python-version': '3.11.7\n' }, '3.11.7', '.python-version'],
    ['a file above it', {}, { '/work/.python-version': '# ours\n3.12.1' }, '3.12.1', '../.python-version'],
    ['the global file', {}, { '/home/dev/.pyenv/version': '3.12.1' }, '3.12.1', '/home/dev/.pyenv/version'],
    ['a prefix', {}, { '/work/app/.python-version': '3.12' }, '3.12.10', '.python-version'],
    ['a prefixed name', {}, { '/work/app/.python-version': 'python-3.11.7' }, '3.11.7', '.python-version'],
    ['the first of several that has it', { PYENV_VERSION: '2.7.18:3.12.1' }, {}, '3.12.1', 'PYENV_VERSION'],
  ])('follow %s', async (_, env, more, version, selectedBy) => {
    const path = `/home/dev/.pyenv/versions/${version}/bin/python3`;
    expect(await locate('python3', places, { env, files: { ...files, ...more } })).toEqual({
      kind: 'found',
      path,
      realPath: path,
      manager: 'pyenv',
      selectedBy,
    });
  });

  test('step aside for “system” and where nothing is chosen', async () => {
    const found = { kind: 'found', path: '/usr/bin/python3', realPath: '/usr/bin/python3' };
    expect(await locate('python3', places, { files })).toEqual(found);
    expect(await locate('python3', places, { env: { PYENV_VERSION: 'system' }, files })).toEqual(found);
  });

  test('say which version is not installed, and what pyenv runs in its place', async () => {
    const answer = await locate('python3', places, {
      files: { ...files, '/work/app/.python-version': '3.13.0' },
    });
    expect(answer).toEqual({
      kind: 'found',
      path: '/usr/bin/python3',
      realPath: '/usr/bin/python3',
      instead: 'pyenv: version 3.13.0 (.python-version) is not installed',
    });
  });

  test('say that the command fails where the manager has no fallback', async () => {
    const old = { ...files, '/home/dev/.pyenv/libexec/pyenv-which': 'for version in $versions; do' };
    expect(
      await locate('python3', places, { files: { ...old, '/work/app/.python-version': '3.13.0' } }),
    ).toEqual({
      kind: 'absent',
      manager: 'pyenv',
      reason: 'version 3.13.0 (.python-version) is not installed',
    });
  });

  test('do not leave their folder for a version that is a path', async () => {
    const hostile = { ...files, '/work/app/.python-version': '../../../../usr' };
    expect(await locate('python3', places, { files: hostile })).toMatchObject({ path: '/usr/bin/python3' });
  });

  test.each([
    ['rbenv', 'ruby', '.ruby-version', 'ruby-3.3.0', '3.3.0'],
    ['nodenv', 'node', '.node-version', '20.11.0', '20.11.0'],
    ['jenv', 'java', '.java-version', '17.0', '17.0'],
    ['goenv', 'go', '.go-version', '1.22.4', '1.22.4'],
  ])('%s works alike', async (manager, name, file, content, version) => {
    const path = `/home/dev/.${manager}/versions/${version}/bin/${name}`;
    const answer = await locate(name, [`/home/dev/.${manager}/shims/${name}`], {
      files: {
        [`/home/dev/.${manager}/shims/${name}`]: program,
        [path]: program,
        [`/work/app/${file}`]: content,
      },
    });
    expect(answer).toMatchObject({ kind: 'found', path, manager });
  });
});

describe('asdf', () => {
  const shim =
    '#!/usr/bin/env bash\n# asdf-plugin: nodejs 18.20.0\n# asdf-plugin: nodejs 20.11.0\nexec asdf exec "node" "$@"\n';
  const files = {
    '/home/dev/.asdf/shims/node': { executable: true, content: shim },
    '/home/dev/.asdf/installs/nodejs/20.11.0/bin/node': program,
    '/home/dev/.asdf/installs/nodejs/18.20.0/bin/node': program,
  };
  const places = ['/home/dev/.asdf/shims/node'];

  test.each([
    [{ '/work/app/.tool-versions': 'python 3.12\nnodejs 20.11.0 # lts\n' }, {}, '20.11.0', '.tool-versions'],
    [{ '/home/dev/.tool-versions': 'nodejs 18.20.0' }, {}, '18.20.0', '/home/dev/.tool-versions'],
    [
      { '/work/app/.tool-versions': 'nodejs 20.11.0' },
      { ASDF_NODEJS_VERSION: '18.20.0' },
      '18.20.0',
      'ASDF_NODEJS_VERSION',
    ],
    [{ '/work/app/.tool-versions': 'nodejs 22.0.0 18.20.0' }, {}, '18.20.0', '.tool-versions'],
  ])('follows %o %o', async (more, env, version, selectedBy) => {
    const answer = await locate('node', places, { env, files: { ...files, ...more } });
    expect(answer).toMatchObject({
      path: `/home/dev/.asdf/installs/nodejs/${version}/bin/node`,
      manager: 'asdf',
      selectedBy,
    });
  });

  test('says that nothing is set', async () => {
    expect(await locate('node', places, { files })).toMatchObject({ kind: 'absent', manager: 'asdf' });
  });
});

describe('mise', () => {
  const data = '/home/dev/.local/share/mise';
  const files: Record<string, FakeFile | string> = {
    '/home/dev/.local/bin/mise': program,
    [`${data}/shims/node`]: { link: '/home/dev/.local/bin/mise' },
    [`${data}/installs/node/22.3.0/bin/node`]: program,
    [`${data}/installs/node/20.1.0/bin/node`]: program,
    [`${data}/installs/node/22`]: { link: './22.3.0' },
  };
  const places = [`${data}/shims/node`];

  test.each([
    [{ '/work/app/mise.toml': '[tools]\nnode = "22"\n' }, {}, '22.3.0'],
    [{ '/work/app/.mise.toml': '[tools]\nnode = ["20.1.0", "22"]\n' }, {}, '20.1.0'],
    [{ '/work/app/mise.toml': '[tools]\nnode = { version = "20.1.0" }\n' }, {}, '20.1.0'],
    [{ '/work/app/.tool-versions': 'nodejs 20.1.0' }, {}, '20.1.0'],
    [{ '/home/dev/.config/mise/config.toml': '[tools]\nnode = "22"' }, {}, '22.3.0'],
    [{ '/work/app/mise.toml': '[tools]\nnode = "22"\n' }, { MISE_NODE_VERSION: '20.1.0' }, '20.1.0'],
  ])('follows %o %o', async (more, env, version) => {
    const answer = await locate('node', places, { env, files: { ...files, ...more } });
    expect(answer).toMatchObject({
      kind: 'found',
      realPath: `${data}/installs/node/${version}/bin/node`,
      manager: 'mise',
    });
  });

  test('says which version is not installed, and passes a damaged file over', async () => {
    expect(
      await locate('node', places, { files: { ...files, '/work/app/mise.toml': '[tools]\nnode = "24"' } }),
    ).toEqual({ kind: 'absent', manager: 'mise', reason: 'node 24 is not installed' });
    expect(await locate('node', places, { files: { ...files, '/work/app/mise.toml': '[tools' } })).toEqual({
      kind: 'nowhere',
    });
  });
});

describe('Volta', () => {
  const image = '/home/dev/.volta/tools/image';
  const files: Record<string, FakeFile | string> = {
    '/home/dev/.volta/bin/volta-shim': program,
    '/home/dev/.volta/bin/node': { link: 'volta-shim' },
    '/home/dev/.volta/bin/npm': { link: 'volta-shim' },
    [`${image}/node/20.1.0/bin/node`]: program,
    [`${image}/node/20.1.0/bin/npm`]: program,
    [`${image}/node/18.0.0/bin/node`]: program,
    '/home/dev/.volta/tools/user/platform.json': JSON.stringify({ node: { runtime: '18.0.0', npm: null } }),
  };

  test('follows package.json, then the user’s default', async () => {
    const pinned = { ...files, '/work/app/package.json': JSON.stringify({ volta: { node: '20.1.0' } }) };
    expect(await locate('node', ['/home/dev/.volta/bin/node'], { files: pinned })).toMatchObject({
      path: `${image}/node/20.1.0/bin/node`,
      selectedBy: 'package.json volta',
    });
    expect(await locate('npm', ['/home/dev/.volta/bin/npm'], { files: pinned })).toMatchObject({
      path: `${image}/node/20.1.0/bin/npm`,
    });
    expect(await locate('node', ['/home/dev/.volta/bin/node'], { files })).toMatchObject({
      path: `${image}/node/18.0.0/bin/node`,
      selectedBy: 'default',
    });
  });
});

describe('Corepack', () => {
  const dist = '/usr/lib/node_modules/corepack/dist';
  const cache = '/home/dev/.cache/node/corepack';
  const files: Record<string, FakeFile | string> = {
    [`${dist}/pnpm.js`]: { executable: true, content: '#!/usr/bin/env node\n' },
    '/usr/bin/pnpm': { link: `${dist}/pnpm.js` },
    [`${cache}/v1/pnpm/9.1.0/bin/pnpm.cjs`]: '#!/usr/bin/env node',
    [`${cache}/v1/pnpm/9.1.0/package.json`]: '{"name":"pnpm","version":"9.1.0"}',
  };

  test('is read from its cache, never started', async () => {
    const asked = { ...files, '/work/app/package.json': '{"packageManager":"pnpm@9.1.0+sha256.abc"}' };
    expect(await locate('pnpm', ['/usr/bin/pnpm'], { files: asked })).toMatchObject({
      kind: 'found',
      path: `${cache}/v1/pnpm/9.1.0/bin/pnpm.cjs`,
      manager: 'corepack',
      selectedBy: 'package.json packageManager',
    });
    const lastUsed = { ...files, [`${cache}/lastKnownGood.json`]: '{"pnpm":"9.1.0"}' };
    expect(await locate('pnpm', ['/usr/bin/pnpm'], { files: lastUsed })).toMatchObject({
      selectedBy: 'last used',
    });
  });

  test('has no version that was never downloaded or that the folder forbids', async () => {
    const missing = { ...files, '/work/app/package.json': '{"packageManager":"pnpm@8.0.0"}' };
    expect(await locate('pnpm', ['/usr/bin/pnpm'], { files: missing })).toEqual({
      kind: 'absent',
      manager: 'corepack',
      reason: 'version 8.0.0 (package.json packageManager) was never downloaded',
    });
    const other = { ...files, '/work/app/package.json': '{"packageManager":"yarn@4.1.0"}' };
    expect(await locate('pnpm', ['/usr/bin/pnpm'], { files: other })).toEqual({
      kind: 'absent',
      manager: 'corepack',
      reason: 'package.json asks for yarn',
    });
  });
});

describe('rustup', () => {
  const host = 'x86_64-unknown-linux-gnu';
  const toolchain = (name: string): string => `/home/dev/.rustup/toolchains/${name}-${host}/bin/rustc`;
  const files: Record<string, FakeFile | string> = {
    '/home/dev/.cargo/bin/rustup': program,
    '/home/dev/.cargo/bin/rustc': { link: 'rustup' },
    '/home/dev/.rustup/settings.toml': `default_toolchain = "stable-${host}"\nversion = "12"\n\n[overrides]\n"/work/app" = "nightly-${host}"\n`,
    [toolchain('stable')]: program,
    [toolchain('nightly')]: program,
    [toolchain('1.75')]: program,
  };
  const places = ['/home/dev/.cargo/bin/rustc'];
  const withoutOverride = {
    ...files,
    '/home/dev/.rustup/settings.toml': `default_toolchain = "stable-${host}"`,
  };

  test('follows the variable, an override, a file and the default in this order', async () => {
    expect(await locate('rustc', places, { env: { RUSTUP_TOOLCHAIN: '1.75' }, files })).toMatchObject({
      path: toolchain('1.75'),
      selectedBy: 'RUSTUP_TOOLCHAIN',
    });
    expect(await locate('rustc', places, { files })).toMatchObject({
      path: toolchain('nightly'),
      selectedBy: 'rustup override',
    });
    const declared = { ...withoutOverride, '/work/rust-toolchain.toml': '[toolchain]\nchannel = "1.75"\n' };
    expect(await locate('rustc', places, { files: declared })).toMatchObject({
      path: toolchain('1.75'),
      selectedBy: '../rust-toolchain.toml',
    });
    const oneLine = { ...withoutOverride, '/work/app/rust-toolchain': '1.75\n' };
    expect(await locate('rustc', places, { files: oneLine })).toMatchObject({ path: toolchain('1.75') });
    expect(await locate('rustc', places, { files: withoutOverride })).toMatchObject({
      path: toolchain('stable'),
      selectedBy: 'default',
    });
  });

  test('knows its proxies where they are copies, and says what is not installed', async () => {
    const copies = { ...withoutOverride, '/home/dev/.cargo/bin/rustc': program };
    expect(await locate('rustc', places, { files: copies })).toMatchObject({
      path: toolchain('stable'),
      manager: 'rustup',
    });
    expect(await locate('rustc', places, { env: { RUSTUP_TOOLCHAIN: '1.60' }, files })).toEqual({
      kind: 'absent',
      manager: 'rustup',
      reason: 'toolchain 1.60 (RUSTUP_TOOLCHAIN) is not installed',
    });
  });
});

describe('macOS', () => {
  test('stubs that would open a window are replaced by the developer tools or left out', async () => {
    const files = { '/usr/bin/git': program };
    expect(await locate('git', ['/usr/bin/git'], { platform: 'darwin', files })).toEqual({
      kind: 'absent',
      manager: 'xcode-select',
      reason: 'the developer tools are not installed',
    });
    const installed = { ...files, '/Library/Developer/CommandLineTools/usr/bin/git': program };
    expect(await locate('git', ['/usr/bin/git'], { platform: 'darwin', files: installed })).toEqual({
      kind: 'found',
      path: '/Library/Developer/CommandLineTools/usr/bin/git',
      realPath: '/Library/Developer/CommandLineTools/usr/bin/git',
    });
  });

  test('Java is the one of JAVA_HOME or the newest', async () => {
    const home = (version: string): string =>
      `/Library/Java/JavaVirtualMachines/jdk-${version}.jdk/Contents/Home`;
    const files = {
      '/usr/bin/java': program,
      [`${home('9')}/release`]: 'JAVA_VERSION="9.0.4"',
      [`${home('9')}/bin/java`]: program,
      [`${home('21')}/release`]: 'JAVA_VERSION="21.0.2"',
      [`${home('21')}/bin/java`]: program,
    };
    expect(await locate('java', ['/usr/bin/java'], { platform: 'darwin', files })).toMatchObject({
      path: `${home('21')}/bin/java`,
    });
    const env = { JAVA_HOME: home('9') };
    expect(await locate('java', ['/usr/bin/java'], { platform: 'darwin', env, files })).toMatchObject({
      path: `${home('9')}/bin/java`,
    });
  });
});

describe('Windows', () => {
  const roaming = 'C:\\Users\\dev\\AppData\\Roaming';
  const local = 'C:\\Users\\dev\\AppData\\Local';
  const scoop = 'C:\\Users\\dev\\scoop';
  const onWindows = (files: Required<FakeMachine>['files'], env: Record<string, string> = {}) =>
    ({ platform: 'win32', env, files }) as const;

  test.each([
    ['nvm', 'C:\\Program Files\\nodejs', `${roaming}\\nvm\\v20.11.0`],
    ['fnm', `${local}\\fnm_multishells\\7_9`, `${roaming}\\fnm\\node-versions\\v20.11.0\\installation`],
    ['scoop', `${scoop}\\apps\\nodejs\\current`, `${scoop}\\apps\\nodejs\\20.11.0`],
  ])('%s has a folder that links to a version', async (manager, link, version) => {
    const machine = onWindows({ [`${version}\\node.exe`]: program, [link]: { link: version } });
    const answer = await locate('node', [`${link}\\node.exe`], machine);
    expect(answer).toMatchObject({ kind: 'found', realPath: `${version}\\node.exe` });
    const { path, realPath } = answer as { path: string; realPath: string };
    expect(toolManager(openMachine(createFakeSystem(machine)), path, realPath)).toBe(manager);
  });

  test('Scoop names the program in a file beside its shim, or in the shim itself', async () => {
    const files = {
      [`${scoop}\\apps\\git\\2.45\\cmd\\git.exe`]: program,
      [`${scoop}\\apps\\git\\current`]: { link: `${scoop}\\apps\\git\\2.45` },
      [`${scoop}\\apps\\maven\\current\\bin\\mvn.cmd`]: '@echo off',
      [`${scoop}\\shims\\git.exe`]: program,
      [`${scoop}\\shims\\git.shim`]: `path = "${scoop}\\apps\\git\\current\\cmd\\git.exe"\r\n`,
      [`${scoop}\\shims\\mvn.cmd`]: `@rem ${scoop}\\apps\\maven\\current\\bin\\mvn.cmd\r\n@"%~dp0..\\x" %*\r\n`,
      [`${scoop}\\shims\\go.exe`]: program,
      [`${scoop}\\shims\\go.shim`]: `path = "${scoop}\\apps\\go\\current\\bin\\go.exe"`,
      [`${scoop}\\shims\\own.exe`]: program,
      [`${scoop}\\shims\\own.shim`]: 'path = D:\\somewhere\\own.exe',
      'D:\\somewhere\\own.exe': program,
    };
    const at = (file: string) =>
      locate(file.split('.')[0] ?? '', [`${scoop}\\shims\\${file}`], onWindows(files));
    expect(await at('git.exe')).toMatchObject({
      realPath: `${scoop}\\apps\\git\\2.45\\cmd\\git.exe`,
      manager: 'scoop',
    });
    expect(await at('mvn.cmd')).toMatchObject({ path: `${scoop}\\apps\\maven\\current\\bin\\mvn.cmd` });
    expect(await at('go.exe')).toEqual({
      kind: 'absent',
      manager: 'scoop',
      reason: 'its program is not there',
    });
    expect(await at('own.exe')).toMatchObject({
      forbidden: expect.stringContaining('leads out of the folder'),
    });
  });

  test('Volta has copies of its shim beside itself', async () => {
    const image = `${local}\\Volta\\tools\\image`;
    const volta = 'C:\\Program Files\\Volta';
    const files = {
      [`${volta}\\volta-shim.exe`]: program,
      [`${volta}\\node.exe`]: program,
      [`${volta}\\npm.cmd`]: '@echo off',
      [`${image}\\node\\20.1.0\\node.exe`]: program,
      [`${image}\\npm\\10.2.0\\bin\\npm.cmd`]: '@echo off',
      [`${local}\\Volta\\tools\\user\\platform.json`]: '{"node":{"runtime":"20.1.0","npm":"10.2.0"}}',
    };
    expect(await locate('node', [`${volta}\\node.exe`], onWindows(files))).toMatchObject({
      path: `${image}\\node\\20.1.0\\node.exe`,
      manager: 'volta',
    });
    expect(await locate('npm', [`${volta}\\npm.cmd`], onWindows(files))).toMatchObject({
      path: `${image}\\npm\\10.2.0\\bin\\npm.cmd`,
    });
  });

  test('Corepack is named by the command files that it writes', async () => {
    const cache = `${local}\\node\\corepack\\v1\\pnpm\\9.1.0`;
    const files = {
      'C:\\Program Files\\nodejs\\pnpm.cmd':
        '@SETLOCAL\r\n@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\node_modules\\corepack\\dist\\pnpm.js" %*\r\n)',
      [`${cache}\\bin\\pnpm.cjs`]: '',
      [`${local}\\node\\corepack\\lastKnownGood.json`]: '{"pnpm":"9.1.0"}',
    };
    expect(await locate('pnpm', ['C:\\Program Files\\nodejs\\pnpm.cmd'], onWindows(files))).toMatchObject({
      path: `${cache}\\bin\\pnpm.cjs`,
      manager: 'corepack',
    });
  });

  test('the launcher of Python is asked, and what chose for it is named', async () => {
    const launcher = 'C:\\Windows\\py.exe';
    const chosen = async (env: Record<string, string>, files: Required<FakeMachine>['files'] = {}) => {
      const answer = await locate('python', [launcher], onWindows({ [launcher]: program, ...files }, env));
      return answer.kind === 'found' && [answer.path, answer.selectedBy];
    };
    expect(await chosen({})).toEqual([launcher, 'default']);
    expect(await chosen({ PY_PYTHON: '3.9' })).toEqual([launcher, 'PY_PYTHON']);
    const ini = `${local}\\py.ini`;
    expect(await chosen({}, { [ini]: '[defaults]\r\npython=3.11\r\n' })).toEqual([launcher, ini]);
    expect(await chosen({ VIRTUAL_ENV: 'D:\\env' })).toEqual(['D:\\env\\Scripts\\python.exe', 'VIRTUAL_ENV']);
  });
});

describe('everything else', () => {
  test('is the first file that can be executed; links are followed', async () => {
    const files = {
      '/a/tool': 'no program',
      '/b/tool': { link: '/nowhere' },
      '/c/tool': { link: '../d/tool-1.2' },
      '/d/tool-1.2': program,
    };
    expect(await locate('tool', ['/a/tool', '/b/tool', '/c/tool'], { files })).toEqual({
      kind: 'found',
      path: '/c/tool',
      realPath: '/d/tool-1.2',
    });
  });

  test('a script that only starts another program stands for that program', async () => {
    const files = {
      '/usr/local/bin/nvcc': {
        executable: true,
        content: '#!/bin/sh\n# wrapper\nexec /opt/cuda/bin/nvcc "$@"\n',
      },
      '/usr/local/bin/other': { executable: true, content: '#!/bin/sh\nX=1 exec /opt/cuda/bin/nvcc "$@"\n' },
      '/opt/cuda/bin/nvcc': program,
    };
    expect(await locate('nvcc', ['/usr/local/bin/nvcc'], { files })).toMatchObject({
      path: '/opt/cuda/bin/nvcc',
    });
    expect(await locate('other', ['/usr/local/bin/other'], { files })).toMatchObject({
      path: '/usr/local/bin/other',
    });
  });
});
