import { describe, expect, it } from 'vitest';
import { collectFiles, packagesOf } from '../../collect-files.ts';

const nine = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      react:
        specifier: ^18.0.0
        version: 18.2.0

  packages/member:
    dependencies:
      a:
        specifier: ^1.0.0
        version: 1.0.0(react@18.2.0)

packages:

  '@scope/b@2.0.0-beta.1':
    resolution: {integrity: sha512-x}
    engines: {node: '>=6'}

  a@1.0.0:
    resolution: {integrity: sha512-y}
    deprecated: |-
      read: this
        - or that
    peerDependencies:
      react: '*'

  a@1.2.0:
    resolution: {integrity: sha512-z}

  forked@https://codeload.host.invalid/o/forked/tar.gz/0123456789012345678901234567890123456789:
    resolution: {tarball: https://codeload.host.invalid/o/forked/tar.gz/0123456789012345678901234567890123456789}
    version: 3.1.0

  local@file:local:
    resolution: {directory: local, type: directory}

snapshots:

  a@1.0.0(react@18.2.0):
    dependencies:
      react: 18.2.0
`;

const nineExpected = {
  '@scope/b': '2.0.0-beta.1',
  a: '1.0.0, 1.2.0',
  forked: '3.1.0+git.0123456789012345678901234567890123456789',
  local: 'file:local',
};

describe('pnpm-lock.yaml', () => {
  it('reads version 9 with packages from a registry, a forge and a folder', async () => {
    expect(await packagesOf('pnpm-lock.yaml', nine)).toEqual(nineExpected);
  });

  it('reads the same where the layout is not that of pnpm', async () => {
    const relaid = nine.replace(
      "packages:\n\n  '@scope/b@2.0.0-beta.1':",
      'packages:\n\n  "@scope/b@2.0.0-beta.1":',
    );
    expect(await packagesOf('pnpm-lock.yaml', relaid)).toEqual(nineExpected);
  });

  it('reads the keys of versions 5 and 6', async () => {
    const five = `lockfileVersion: 5.4
packages:
  /a/1.0.0:
    resolution: {integrity: sha512-x}
  /@scope/b/2.0.0_react@17.0.2:
    resolution: {integrity: sha512-x}
  /@scope/b/2.1.0_a1b2c3:
    resolution: {integrity: sha512-x}
  registry.invalid/c/3.0.0:
    resolution: {integrity: sha512-x}
  host.invalid/o/forked/0123456789012345678901234567890123456789:
    resolution: {tarball: https://host.invalid/x}
    name: forked
    version: 1.2.3
`;
    expect(await packagesOf('pnpm-lock.yaml', five)).toEqual({
      a: '1.0.0',
      '@scope/b': '2.0.0, 2.1.0',
      c: '3.0.0',
      forked: '1.2.3+git.0123456789012345678901234567890123456789',
    });
    const six = `lockfileVersion: '6.0'
packages:
  /a@1.0.0:
    resolution: {integrity: sha512-x}
  /@scope/b@2.0.0(react@17.0.2)(c@1.0.0):
    resolution: {integrity: sha512-x}
  file:local:
    resolution: {directory: local, type: directory}
    name: local
    version: 0.1.0
`;
    expect(await packagesOf('pnpm-lock.yaml', six)).toEqual({
      a: '1.0.0',
      '@scope/b': '2.0.0',
      local: '0.1.0',
    });
  });

  it('takes the last of two documents: the first one pins pnpm itself', async () => {
    const config = `---
lockfileVersion: '9.0'

importers:

  .:
    packageManagerDependencies:
      pnpm:
        specifier: 11.0.0
        version: 11.0.0

packages:

  pnpm@11.0.0:
    resolution: {integrity: sha512-x}

---
`;
    expect(await packagesOf('pnpm-lock.yaml', config + nine)).toEqual(nineExpected);
  });

  it('reads an empty file as no packages', async () => {
    expect(await packagesOf('pnpm-lock.yaml', '')).toEqual({});
  });

  it('governs the manifests of its importers only', async () => {
    const { dependencies } = await collectFiles({
      'pnpm-lock.yaml': nine,
      'package.json': '{"dependencies":{"a":"1"}}',
      'packages/member/package.json': '{"dependencies":{"a":"1"}}',
      'outside/other/package.json': '{"dependencies":{"a":"1"}}',
    });
    expect(Object.keys(dependencies)).toEqual(['outside/other/package.json', 'pnpm-lock.yaml']);
  });

  it.each([
    ['a flow map without an end', nine.replace('{integrity: sha512-y}', '{integrity: sha512-y'), 28],
    ['a line at a wrong depth', nine.replace('    peerDependencies:', '   peerDependencies:'), 31],
    ['conflict markers', nine.replace('  a@1.2.0:', '<<<<<<< HEAD\n  a@1.2.0:'), 34],
  ])('reports %s with a line', async (_, text, line) => {
    const { warnings } = await collectFiles({ 'pnpm-lock.yaml': text });
    expect(warnings).toHaveLength(1);
    expect(Math.abs((warnings[0]?.line ?? 0) - line)).toBeLessThanOrEqual(2);
  });
});
