// Credentials in addresses of dependency files, which must not leave the machine.

import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../packages/capture/src/dependencies/without-credentials.ts';
import { readTestData } from '../../support/test-data.ts';
import { collectFiles } from './collect-files.ts';
import samples from './samples.json' with { type: 'json' };

interface Data {
  readonly addresses: [string, string][];
  readonly addressNames: string[];
  readonly everywhere: Record<string, string>;
  readonly settings: [string, string, string][];
}
const { addresses, addressNames, everywhere, settings } = readTestData<Data>(import.meta);

describe('addresses', () => {
  it.each(addresses)('%s becomes %s', (address, expected) => {
    expect(withoutCredentials(address)).toBe(expected);
  });

  it('of local folders name no user', async () => {
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

  it.each(settings)(
    'in %s: a secret becomes a digest, so a different secret is a difference',
    async (file, text, other) => {
      const texts = [text, text.replace('hunter2hunter2', other)];
      const captured = await Promise.all(
        texts.map((each) => collectFiles({ [file]: each }, { manifests: true })),
      );
      expect(JSON.stringify(captured)).not.toContain('hunter2');
      expect(captured[0]).not.toEqual(captured[1]);
    },
  );

  it('are clean in every place of a capture: names, versions, sources, warnings', async () => {
    const captured = await collectFiles(everywhere, { manifests: true });
    expect(JSON.stringify(captured)).not.toContain('hunter2');
    expect(Object.values(captured.dependencies).map((packages) => Object.keys(packages).join(' '))).toEqual(
      addressNames,
    );
    expect(captured.dependencies['archives/requirements.txt']).toEqual({
      z: 'https://host.example/archive.tar.gz?sha=abc',
    });
  });

  // Each part of a file gets one of the forms; before a release, all of them.
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
