// What must not leave a machine with the addresses in its dependency files.

import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../packages/capture/src/dependencies/without-credentials.ts';
import { readTestData } from '../../support/test-data.ts';
import { collectFiles } from './collect-files.ts';
import samples from './samples.json' with { type: 'json' };

const { addresses, addressNames } = readTestData<{ addresses: [string, string][]; addressNames: string[] }>(
  import.meta,
);

describe('addresses', () => {
  it.each(addresses)('%s becomes %s', (address, expected) => {
    expect(withoutCredentials(address)).toBe(expected);
  });

  it('of folders on somebody’s machine name no user', async () => {
    const captured = await collectFiles({
      'requirements.txt':
        'a @ file:///home/conda/feedstock_root/a\nb @ file:///C:/Users/Jane%20Doe/b.whl\nc @ https://host.example/home/x/c.whl\n',
      'yarn.lock': '"d@file:/Users/jane/d":\n  version "1.0.0"\n',
      'pylock.toml':
        'lock-version = "1.0"\n[[packages]]\nname = "e"\narchive = { url = "file:///Users/jane/e.whl" }\n',
    });
    expect(JSON.stringify(captured)).not.toMatch(/jane|home\/conda/i);
    expect(captured.dependencies['requirements.txt']).toEqual({
      a: 'file://~/feedstock_root/a',
      b: expect.stringContaining('~/b.whl'),
      c: 'https://host.example/home/x/c.whl',
    });
  });

  it('are clean in every place of a capture: names, versions, sources, warnings', async () => {
    const password = 'hunter2hunter2';
    const address = `https://user:${password}@host.example`;
    const captured = await collectFiles(
      {
        'environment.yml': `channels:\n  - ${address}/me\ndependencies:\n  - ${address}/me::numpy=1.0\n  - https://host.example/t/${password}/me::scipy\n`,
        'archives/requirements.txt': `z @ ${address}/archive.tar.gz?sha=abc&token=${password}\n`,
        'requirements.txt': `--index-url ${address}/simple\na @ ${address}/a-1.0.whl\n-e git+${address}/o/r.git#egg=b\n`,
        'Cargo.lock': `version = 4\n\n[[package]]\nname = "c"\nversion = "1.0.0"\nsource = "git+${address}/c?token=${password}#0123456789"\n`,
        '.pre-commit-config.yaml': `repos:\n- repo: ${address}/hooks\n  rev: v1\n`,
        'Gemfile.lock': `GIT\n  remote: ${password}:x-oauth-basic@github.com:o/d\n  revision: abc1234\n  specs:\n    d (1.0)\n`,
        'Cartfile.resolved': `git "${address}/e" "v1"\n`,
        'shard.lock': `version: 2.0\nshards:\n  f:\n    git: ${address}/f\n    version: 1.0.0\n`,
        'pylock.toml': `lock-version = "1.0"\n[[packages]]\nname = "g"\nvcs = { type = "git", url = "${address}/g", commit-id = "abc1234" }\n`,
        'pixi.lock': `version: 6\npackages:\n- conda: https://host.example/t/${password}/me/noarch/h-1.0-0.conda\n- pypi: ${address}/i-1.0.whl\n  name: i\n`,
      },
      { manifests: true },
    );
    expect(JSON.stringify(captured)).not.toContain(password);
    expect(Object.values(captured.dependencies).map((packages) => Object.keys(packages).join(' '))).toEqual(
      addressNames,
    );
    expect(captured.dependencies['archives/requirements.txt']).toEqual({
      z: 'https://host.example/archive.tar.gz?sha=abc',
    });
  });

  // Each part of a file gets one of the forms; a release tries all of them in each.
  const password = 'hunter2hunter2';
  const forms = [`user:${password}`, password, `user:a/${password}`, `user:${password}#b`];
  const cleanEverywhere = async (first: number) => {
    const files: Record<string, string> = {};
    for (const [file, sample] of Object.entries(samples))
      for (const { 0: part, index } of sample.matchAll(/https?:[^\s"'>)]+|[\w.+-]+/g)) {
        const place = Object.keys(files).length;
        const address = `https://${forms[(place + first) % forms.length]}@h.invalid/x/pkg-1.0-0.conda`;
        files[`${place}/${file}`] = sample.slice(0, index) + address + sample.slice(index + part.length);
      }
    const captured = await collectFiles(files, { manifests: true });
    expect(Object.keys(captured.dependencies).length).toBeGreaterThan(200);
    expect(JSON.stringify(captured).split(password)).toHaveLength(1);
  };
  it('are clean in every part of every file', () => cleanEverywhere(0));
  it.each([1, 2, 3])('are clean in every form, with form %i first', { tags: 'release' }, cleanEverywhere);
});
