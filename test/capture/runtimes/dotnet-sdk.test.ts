// The SDK that `dotnet` would use in a folder: its own rules for global.json.

import { describe, expect, it } from 'vitest';
import { dotnetSdk } from '../../../packages/capture/src/runtimes/installed-versions.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const { installed: all, matching } = readTestData<{
  installed: string[];
  matching: [version: string | null, rollForward: string | null, taken: string][];
}>(import.meta);

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

describe('the SDK of .NET', () => {
  it.each(matching)('for %s rolled forward by %s is %s', async (version, rollForward, expected) => {
    const file = globalJson({ version: version ?? undefined, rollForward: rollForward ?? undefined });
    expect(await taken(all, file)).toBe(expected);
    expect(await taken(all.toReversed(), file)).toBe(expected);
  });

  it('is no preview if global.json allows none', async () => {
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

  it('is the runtime if no SDK is installed', async () => {
    const files = { '/usr/lib/dotnet/shared/Microsoft.NETCore.App/8.0.11/x': '' };
    expect(await taken([], { ...files, ...globalJson({ version: '9.0.100' }) })).toBe('8.0.11');
  });
});
