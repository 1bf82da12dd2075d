// A captured folder cannot make a capture read the user's files through links.

import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDeclaredVersions } from '../../../packages/capture/src/declared/declared-versions.ts';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { readProject } from '../../../packages/capture/src/project/read-project.ts';
import { guardMachine, openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { untrustedTree } from '../../../packages/capture/src/system/untrusted-tree.ts';

let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'links-')));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  write('user/netrc', 'machine example.com login me password hunter2\n');
  write('user/credentials', 'HIDDEN_NAME_OF_A_KEY = "x"\n');
  write(
    'user/package-lock.json',
    '{"lockfileVersion":3,"packages":{"node_modules/hidden":{"version":"1.0.0"}}}',
  );
  write('checkout/.git/HEAD', 'ref: refs/heads/main\n');
  write('checkout/versions/node', '22.1.0\n');
  write('checkout/app/package.json', '{"engines":{"npm":">=10"}}');
  const link = (to: string, file: string) => symlinkSync(to, path.join(root, 'checkout/app', file));
  link('../../user/netrc', '.python-version');
  link('../../user/credentials', '.env.example');
  link('../../user/package-lock.json', 'package-lock.json');
  link('../versions/node', '.nvmrc');
});
async function openGuarded(homeDir: string) {
  const open = openMachine(createSystem({ homeDir }));
  const folder = path.join(root, 'checkout/app');
  const machine = guardMachine(open, await untrustedTree(open, folder), () => ({}));
  return { machine, folder };
}

describe('links out of the captured folder', () => {
  it('declare no version, and are named', async () => {
    const { machine, folder } = await openGuarded(path.join(root, 'user'));
    const { declared, warnings } = await readDeclaredVersions(machine.files, folder);
    expect(JSON.stringify([declared, warnings])).not.toContain('hunter2');
    expect(declared.map(({ tool, declared: version }) => [tool, version])).toEqual([
      ['node', '22.1.0'],
      ['npm', '>=10'],
    ]);
    expect(warnings.map(({ file }) => file)).toEqual(['.python-version']);
  });

  it('mention no variable and hold no package', async () => {
    const { machine, folder } = await openGuarded(path.join(root, 'user'));
    expect((await readProject(machine, folder)).variables).toEqual({});
    const { dependencies } = await collectDependencies(machine, { folder, manifests: false });
    expect(dependencies).toEqual({});
  });

  it('are read if the captured folder contains the home folder, because they are the user’s own', async () => {
    const { machine, folder } = await openGuarded(path.join(root, 'checkout/app'));
    await expect(machine.readTextFile(path.join(folder, '.python-version'))).resolves.toContain('machine');
  });
});
