// Packages that a capture finds installed beside lock files: the cases of installed.yaml, which explains its fields.

import { describe, expect, it } from 'vitest';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { platformOfName } from '../../packages/capture/src/installed/platform.ts';
import { readSearchPath } from '../../packages/capture/src/runtimes/search-path.ts';
import { createToolLocator } from '../../packages/capture/src/runtimes/tool-locator.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { untrustedTree } from '../../packages/capture/src/system/untrusted-tree.ts';
import { createFakeSystem, type FakeFile, type FakeMachine } from '../support/fake-system.ts';
import { readTestData } from '../support/test-data.ts';

type Named<Value> = Readonly<Record<string, Value>>;
type Locked = Record<string, Record<string, string>>;

interface File {
  readonly content?: string;
  readonly json?: unknown;
  readonly version?: string;
  readonly afterMs?: number;
  readonly link?: string;
  readonly executable?: boolean;
}
interface Case {
  readonly with?: Named<File | string>;
  readonly without?: readonly string[];
  readonly locked?: Locked;
  readonly env?: FakeMachine['env'];
  readonly drift?: unknown;
  readonly notInstalled?: unknown;
}
interface Base {
  readonly files: Named<File | string>;
  readonly locked: Locked;
}
interface Group extends Base {
  readonly of: string;
  readonly tests: readonly (Partial<Base> & { readonly it: string; readonly cases: readonly Case[] })[];
}

const installedMs = 1_700_000_000_000;

function fileOf(given: File | string): FakeFile | string {
  if (typeof given === 'string') return given;
  const { version, json = version && { version }, afterMs = version && 0, ...file } = given;
  return {
    ...file,
    ...(json !== undefined && { content: JSON.stringify(json) }),
    ...(typeof afterMs === 'number' && { modifiedMs: installedMs + afterMs }),
  };
}

async function installedIn(files: Named<File | string>, dependencies: Locked, env: FakeMachine['env'] = {}) {
  const inFolder = Object.entries(files).map(([name, file]) => [
    name.startsWith('/') ? name : `/app/${name}`,
    fileOf(file),
  ]);
  const system = createFakeSystem({ files: { '/usr/bin/env': '', ...Object.fromEntries(inFolder) }, env });
  const machine = openMachine(system);
  const tree = await untrustedTree(machine, '/app');
  const locator = await createToolLocator(machine, await readSearchPath(machine, '/app', tree), '/app', tree);
  return collectInstalled(machine, '/app', { dependencies, direct: {}, locator });
}

const groups = readTestData<readonly Group[]>(import.meta);

describe.each(groups)('$of', (group) => {
  it.each(group.tests)('$it', async ({ files = group.files, locked = group.locked, cases }) => {
    for (const each of cases) {
      const without = new Set(each.without);
      const there = Object.entries({ ...files, ...each.with }).filter(([name]) => !without.has(name));
      const found = await installedIn(Object.fromEntries(there), each.locked ?? locked, each.env);
      if (each.drift !== undefined) expect(found.installed).toEqual(each.drift);
      else expect(found.notInstalled).toEqual(each.notInstalled);
    }
  });
});

describe('a virtual environment', () => {
  it('is unknown if there is none, and empty if Python finds no package either', async () => {
    const absence = (more: Named<string | File>) => {
      const files = { 'requirements.txt': 'six==1.16.0\n', ...more };
      return installedIn(files, { 'requirements.txt': { six: '1.16.0' } }, { PATH: '/usr/bin' });
    };
    expect(await absence({})).toMatchObject({
      notInstalled: [],
      unknown: [{ section: 'installed', key: 'requirements.txt' }],
    });
    const python = {
      '/usr/bin/python3': { link: 'python3.11' },
      '/usr/bin/python3.11': { executable: true },
    };
    expect(await absence(python)).toMatchObject({ notInstalled: ['requirements.txt'], unknown: [] });
    const site = '/usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA';
    expect(await absence({ ...python, [site]: '' })).toMatchObject({ notInstalled: [], unknown: [] });
  });
});

it.each([
  ['@img/sharp-linuxmusl-x64', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }],
  ['@rollup/rollup-linux-arm64-gnu', { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] }],
  ['is-linux', {}],
])('the name %s says for which platform it is', (name, platform) => {
  expect(platformOfName(name)).toEqual(platform);
});
