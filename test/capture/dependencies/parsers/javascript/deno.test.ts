import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

describe('deno.lock', () => {
  it('reads versions 4 and 5: npm with peers, JSR, remote modules', async () => {
    const lock = {
      version: '5',
      specifiers: { 'npm:chalk@5': '5.3.0', 'jsr:@std/path@1': '1.0.8' },
      jsr: { '@std/path@1.0.8': { integrity: 'x' } },
      npm: {
        'chalk@5.3.0': { integrity: 'x' },
        '@scope/a@2.0.0_react@18.2.0__b@1.0.0': { integrity: 'x' },
        '@scope/a@1.0.0': { integrity: 'x' },
      },
      remote: {
        'https://host.invalid/std@0.200.0/path/mod.ts': 'aa',
        'https://host.invalid/std@0.200.0/fs/mod.ts': 'bb',
        'https://host.invalid/x/tool@v1.2.3/mod.ts': 'cc',
        'https://host.invalid/plain/mod.ts': 'dd',
      },
    };
    expect(await packagesOf('deno.lock', JSON.stringify(lock))).toEqual({
      chalk: '5.3.0',
      '@scope/a': '1.0.0, 2.0.0',
      '@std/path': '1.0.8',
      'https://host.invalid/std': '0.200.0',
      'https://host.invalid/x/tool': '1.2.3',
      'https://host.invalid/plain/mod.ts': 'dd',
    });
  });

  it('reads versions 2 and 3, which nest their packages', async () => {
    const three = {
      version: '3',
      packages: { specifiers: {}, npm: { 'a@1.0.0': {} }, jsr: { '@b/c@2.0.0': {} } },
    };
    expect(await packagesOf('deno.lock', JSON.stringify(three))).toEqual({ a: '1.0.0', '@b/c': '2.0.0' });
    const two = { version: '2', npm: { specifiers: {}, packages: { 'a@1.0.0': {} } } };
    expect(await packagesOf('deno.lock', JSON.stringify(two))).toEqual({ a: '1.0.0' });
  });

  it('reports truncation', async () => {
    const { warnings } = await collectFiles({ 'deno.lock': '{"version":"5",\n"npm":{' });
    expect(warnings).toEqual([expect.objectContaining({ line: 2 })]);
  });
});
