// The programs that version managers really ran, recorded from their own output (pyenv 2.6.30, asdf 0.15.0, rbenv 1.1.2, mise
// 2026.9.15), compared with a capture.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LocatedTool, locateTool } from '../../../packages/capture/src/shims/resolve-shim.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import type { System } from '../../../packages/capture/src/system/system.ts';
import { untrustedTree } from '../../../packages/capture/src/system/untrusted-tree.ts';
import { createFakeSystem, type FakeFile } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

type Rows = [content: string, runs: string][];
const observed = readTestData<{
  pyenv: Rows;
  asdf: [content: string, more: Record<string, string>, runs: string][];
  rbenv: Rows;
  mise: Rows;
}>(import.meta);

const program: FakeFile = { executable: true, content: '\x7fELF' };
const folder = '/work/app';

async function locate(system: System, name: string, places: string[], at = folder): Promise<LocatedTool> {
  const machine = openMachine(system);
  const tree = await untrustedTree(machine, at);
  return locateTool({ machine, folder: at, tree, isForbidden: () => false }, name, places);
}

/** The program that runs, or the kind of result if none does. */
const whatRuns = (located: LocatedTool): string => (located.kind === 'found' ? located.path : located.kind);

describe('pyenv', () => {
  const own = '/home/dev/.pyenv/versions/3.11.7/bin/python3';
  const system = '/usr/bin/python3';
  test.each(observed.pyenv)('with .python-version %j runs %s', async (content, runs) => {
    const machine = createFakeSystem({
      files: {
        '/home/dev/.pyenv/shims/python3': program,
        [own]: program,
        '/home/dev/.pyenv/version': '3.11.7\n',
        [system]: program,
        '/work/app/.python-version': content,
      },
    });
    const located = await locate(machine, 'python3', ['/home/dev/.pyenv/shims/python3', system]);
    expect(whatRuns(located)).toBe(runs);
  });

  test('says that the declared version is not the one that runs', async () => {
    const files = {
      '/home/dev/.pyenv/shims/python3': program,
      [system]: program,
      '/work/app/.python-version': '3.99.0',
    };
    const located = await locate(createFakeSystem({ files }), 'python3', [
      '/home/dev/.pyenv/shims/python3',
      system,
    ]);
    expect(located).toMatchObject({ instead: 'pyenv: version 3.99.0 (.python-version) is not installed' });
  });
});

describe('asdf', () => {
  const own = '/home/dev/.asdf/installs/nodejs/20.0.0/bin/node';
  const system = '/usr/bin/node';
  test.each(observed.asdf)('with .tool-versions %j and %j runs %s', async (content, more, runs) => {
    const machine = createFakeSystem({
      files: {
        '/home/dev/.asdf/shims/node': {
          executable: true,
          content: '#!/usr/bin/env bash\n# asdf-plugin: nodejs 20.0.0\n',
        },
        [own]: program,
        [system]: program,
        '/work/app/.tool-versions': content,
        ...more,
      },
    });
    expect(whatRuns(await locate(machine, 'node', ['/home/dev/.asdf/shims/node', system]))).toBe(runs);
  });
});

describe('rbenv', () => {
  const versions = '/home/dev/.rbenv/versions';
  const system = '/usr/bin/ruby';
  test.each(observed.rbenv)('with .ruby-version %j runs %s', async (content, runs) => {
    const machine = createFakeSystem({
      files: {
        '/home/dev/.rbenv/shims/ruby': program,
        [`${versions}/3.2.2/bin/ruby`]: program,
        [`${versions}/3.1.0/bin/ruby`]: program,
        [`${versions}/ruby-2.7.0/bin/ruby`]: program,
        [system]: program,
        '/work/app/.ruby-version': content,
      },
    });
    expect(whatRuns(await locate(machine, 'ruby', ['/home/dev/.rbenv/shims/ruby', system]))).toBe(runs);
  });
});

describe('mise', () => {
  const installs = '/home/dev/.local/share/mise/installs/node';
  const system = '/usr/bin/node';
  test.each(observed.mise)('with mise.toml %j runs %s', async (line, runs) => {
    const machine = createFakeSystem({
      files: {
        '/home/dev/.local/share/mise/shims/node': program,
        [`${installs}/20.0.0/bin/node`]: program,
        [`${installs}/22.1.0/bin/node`]: program,
        [system]: program,
        '/work/app/mise.toml': `[tools]\n${line}\n`,
      },
    });
    const shim = '/home/dev/.local/share/mise/shims/node';
    expect(whatRuns(await locate(machine, 'node', [shim, system]))).toBe(runs);
  });
});

const pyenv = spawnSync('pyenv', ['root'], { encoding: 'utf8' });

describe.skipIf(pyenv.status !== 0)('the pyenv of this machine', () => {
  let at: string;
  beforeAll(() => {
    at = realpathSync(mkdtempSync(path.join(tmpdir(), 'pyenv-')));
  });
  for (const content of ['3.99.0', 'system', '../..', '', '3'])
    test(`agrees on what runs with .python-version "${content}"`, {
      tags: content === '3' ? [] : 'release',
    }, async () => {
      writeFileSync(path.join(at, '.python-version'), content);
      const env = { ...process.env, PYENV_VERSION: undefined, VIRTUAL_ENV: undefined };
      let theirs: string | undefined;
      try {
        theirs = realpathSync(
          execFileSync('pyenv', ['which', 'python3'], { cwd: at, env, encoding: 'utf8' }).trim(),
        );
      } catch {
        theirs = undefined;
      }
      const root = pyenv.stdout.trim();
      const folders = (process.env.PATH ?? '').split(':').filter((each) => each !== path.join(root, 'shims'));
      const places = [path.join(root, 'shims'), ...folders].map((each) => path.join(each, 'python3'));
      const system = createSystem({ env: { ...env, PYENV_ROOT: root }, homeDir: homedir() });
      const located = await locate(system, 'python3', places, at);
      expect(located.kind === 'found' ? located.realPath : undefined).toBe(theirs);
    });
});
