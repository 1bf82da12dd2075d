// The real tool behind each manager's shims, found from files for the captured folder: the cases of resolve-shim.yaml.

import { describe, expect, test } from 'vitest';
import { toolManager } from '../../../packages/capture/src/runtimes/tool-manager.ts';
import { locateTool } from '../../../packages/capture/src/shims/resolve-shim.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { untrustedTree } from '../../../packages/capture/src/system/untrusted-tree.ts';
import { createFakeSystem, type FakeFile, type FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const program: FakeFile = { executable: true, content: '\x7fELF' };
const folder = '/work/app';

type Files = Readonly<Record<string, FakeFile | string | { readonly program: true }>>;
interface Case {
  readonly find?: string;
  readonly in?: string[];
  readonly env?: FakeMachine['env'];
  readonly with?: Files;
  readonly without?: readonly string[];
  readonly is?: unknown;
  readonly has?: object;
}
interface Group {
  readonly of: string;
  readonly platform?: FakeMachine['platform'];
  readonly find: string;
  readonly in: string[];
  readonly files: Files;
  readonly tests: readonly { readonly it: string; readonly cases: readonly Case[] }[];
}

async function locate(name: string, places: string[], machine: FakeMachine) {
  const system = createFakeSystem({ ...machine, files: { '/work/app/.keep': '', ...machine.files } });
  const opened = openMachine(system);
  const tree = await untrustedTree(opened, folder);
  return locateTool({ machine: opened, folder, tree, isForbidden: () => false }, name, places);
}

const groups = readTestData<readonly Group[]>(import.meta);

describe.each(groups)('$of', (group) => {
  test.each(group.tests)('$it', async ({ cases }) => {
    for (const each of cases) {
      const files = Object.entries({ ...group.files, ...each.with })
        .filter(([name]) => !each.without?.includes(name))
        .map(([name, file]) => [name, typeof file === 'object' && 'program' in file ? program : file]);
      const answer = await locate(each.find ?? group.find, each.in ?? group.in, {
        ...(group.platform && { platform: group.platform }),
        ...(each.env && { env: each.env }),
        files: Object.fromEntries(files),
      });
      if (each.is !== undefined) expect(answer).toEqual(each.is);
      else expect(answer).toMatchObject(each.has ?? {});
    }
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
