// The SDK that `dotnet` would take in a folder: its own rules for global.json.

import { describe, expect, it } from 'vitest';
import { dotnetSdk } from '../../../packages/capture/src/runtimes/installed-versions.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

const realPath = '/usr/lib/dotnet/dotnet';

function taken(installed: readonly string[], files: Record<string, string>): Promise<string | undefined> {
  const sdks = installed.map((version) => [`/usr/lib/dotnet/sdk/${version}/dotnet.dll`, 'x'] as const);
  const all: NonNullable<FakeMachine['files']> = {
    [realPath]: { executable: true },
    ...Object.fromEntries(sdks),
    ...files,
  };
  const machine = openMachine(createFakeSystem({ files: all }));
  return dotnetSdk({ machine, path: '/usr/bin/dotnet', realPath, folder: '/work/app' });
}

const globalJson = (sdk: unknown) => ({ '/work/app/global.json': JSON.stringify({ sdk }) });

// The table of https://learn.microsoft.com/dotnet/core/tools/global-json#matching-rules, and what the host makes of mistakes.
const all =
  '6.0.100 8.0.302 8.0.305 8.0.401 8.0.404 8.1.100 8.1.203 10.0.100 10.0.101 11.0.100-preview.1.2'.split(' ');

describe('the SDK of .NET', () => {
  it.each([
    ['8.0.404', undefined, '8.0.404'],
    ['8.0.300', undefined, '8.0.305'],
    ['8.0.302', undefined, '8.0.302'],
    ['8.0.0', 'latestFeature', '8.0.404'],
    ['8.0.50', 'latestMinor', '8.1.203'],
    ['8.0.302', 'patch', '8.0.302'],
    ['8.0.301', 'patch', '8.0.305'],
    ['8.0.302', 'latestPatch', '8.0.305'],
    ['8.0.302', 'feature', '8.0.305'],
    ['8.0.306', 'feature', '8.0.404'],
    ['8.0.200', 'Feature', '8.0.305'],
    ['8.0.302', 'latestFeature', '8.0.404'],
    ['8.0.500', 'minor', '8.1.100'],
    ['8.0.302', 'LATESTMINOR', '8.1.203'],
    ['9.0.100', 'major', '10.0.101'],
    ['9.0.100', 'latestMajor', '11.0.100-preview.1.2'],
    ['8.0.302', 'disable', '8.0.302'],
    ['11.0.100-preview.1.2', 'disable', '11.0.100-preview.1.2'],
    // Nothing fits, so `dotnet` refuses to run: the newest is what is there.
    ['8.0.303', 'disable', '11.0.100-preview.1.2'],
    ['8.0.406', 'patch', '11.0.100-preview.1.2'],
    // The host ignores a file that is not valid.
    ['8.0', undefined, '11.0.100-preview.1.2'],
    ['8.0.302', 'newest', '11.0.100-preview.1.2'],
    [undefined, 'patch', '11.0.100-preview.1.2'],
  ])('for %s rolled forward by %s is %s', async (version, rollForward, expected) => {
    expect(await taken(all, globalJson({ version, rollForward }))).toBe(expected);
    expect(await taken(all.toReversed(), globalJson({ version, rollForward }))).toBe(expected);
  });

  it('is no preview where global.json allows none', async () => {
    const sdk = { version: '9.0.100', rollForward: 'latestMajor', allowPrerelease: false };
    expect(await taken(all, globalJson(sdk))).toBe('10.0.101');
    expect(await taken(all, globalJson({ allowPrerelease: false }))).toBe('10.0.101');
    expect(await taken(all, globalJson({ ...sdk, version: '11.0.100-alpha.1' }))).toBe(
      '11.0.100-preview.1.2',
    );
  });

  it('follows the nearest file above the folder alone, comments and all', async () => {
    const outer = { '/work/global.json': '// the SDK\n{"sdk":{"version":"8.0.401",},}' };
    expect(await taken(all, outer)).toBe('8.0.401');
    expect(await taken(all, { ...outer, ...globalJson({ version: '6.0.100' }) })).toBe('6.0.100');
    expect(await taken(all, { ...outer, '/work/app/global.json': '{"msbuild-sdks":{}}' })).toBe(
      '11.0.100-preview.1.2',
    );
    expect(await taken(all, { ...outer, '/work/app/global.json': 'broken' })).toBe('11.0.100-preview.1.2');
    expect(await taken(all, { '/work/app/below/global.json': '{"sdk":{"version":"6.0.100"}}' })).toBe(
      '11.0.100-preview.1.2',
    );
  });

  it('is the runtime where no SDK is installed', async () => {
    const files = { '/usr/lib/dotnet/shared/Microsoft.NETCore.App/8.0.11/x': '' };
    expect(await taken([], { ...files, ...globalJson({ version: '9.0.100' }) })).toBe('8.0.11');
  });
});
