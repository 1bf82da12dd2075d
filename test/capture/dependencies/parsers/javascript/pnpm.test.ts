import { describe, expect, it } from 'vitest';
import { collectFiles } from '../../collect-files.ts';

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

describe('pnpm-lock.yaml', () => {
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
