// Whole captures of faked machines, compared with results written by hand; and properties of every capture.

import { snapshotMetadata } from '@envsnap/shared';
import { describe, expect, test } from 'vitest';
import { captureEnvironment } from '../../packages/capture/src/capture-environment.ts';
import type { CaptureOptions } from '../../packages/capture/src/capture-types.ts';
import { alpine, debianContainer, mac, windows, wsl } from '../support/fake-machines.ts';
import { createFakeSystem, type FakeMachine } from '../support/fake-system.ts';
import { readTestData } from '../support/test-data.ts';
import { plainOptions } from './plain-options.ts';

const { debianSnapshot, alpineSystem, macSystem, windowsVariables, windowsMetadata } = readTestData<{
  debianSnapshot: object;
  alpineSystem: object;
  macSystem: object;
  windowsVariables: object;
  windowsMetadata: object;
}>(import.meta);

function capture(machine: FakeMachine, folder: string, options: Partial<CaptureOptions> = {}) {
  return captureEnvironment(createFakeSystem(machine), { folder, ...plainOptions, ...options });
}

describe('a capture of', () => {
  test('Debian in a container', async () => {
    const { snapshot } = await capture(debianContainer, '/home/dev/app', {
      metadata: { ticket: 'A-1', system: 'mine', project: 'shop' },
    });
    const { capture: about, ...metadata } = snapshot.metadata as {
      capture: { warnings: { code: string; message: string }[] };
    };
    expect({ ...snapshot, metadata }).toEqual(debianSnapshot);
    expect(about.warnings.map(({ message }) => message)).toEqual([
      '.nvmrc says 22, node is 24.1.0.',
      'Metadata “project” was left out: the capture fills this key itself; choose another name.',
      'Metadata “system” was left out: the capture fills this key itself; choose another name.',
    ]);
  });

  test('Alpine', async () => {
    const { snapshot } = await capture(alpine, '/srv/app');
    expect(snapshot).toMatchObject({
      os: 'linux',
      arch: 'arm64',
      runtimeVersions: { git: '2.45.2', node: '22.3.0' },
    });
    expect(snapshot.metadata.system).toEqual(alpineSystem);
    expect(snapshot.metadata).toMatchObject({ locale: 'C', timezone: 'UTC' });
    expect(snapshot.metadata).not.toHaveProperty('shell');
    expect(snapshot.metadata).not.toHaveProperty('git');
  });

  test('the Windows Subsystem for Linux', async () => {
    const { snapshot } = await capture(wsl, '/home/dev/app');
    expect(snapshot.runtimeVersions).toEqual({ node: '22.3.0', zsh: '5.9' });
    expect(snapshot.metadata.system).toMatchObject({
      distribution: { id: 'ubuntu', version: '24.04' },
      libc: { kind: 'glibc', version: '2.39' },
      wsl: { version: 2, distribution: 'Ubuntu' },
      virtualisation: 'wsl',
    });
    expect(snapshot.metadata).toMatchObject({
      timezone: 'America/New_York',
      shell: { name: 'zsh', version: '5.9' },
    });
    expect(snapshot.envVars).not.toHaveProperty('WSL_INTEROP');
  });

  test('macOS under Rosetta, without starting a stub', async () => {
    const { snapshot, report } = await capture(mac, '/Users/dev/app');
    expect(snapshot).toMatchObject({
      os: 'darwin',
      arch: 'arm64',
      runtimeVersions: { chrome: '125.0.6422.113', node: '24.1.0', zsh: '5.9' },
      envVars: { HOME: '~', LANG: 'de_DE.UTF-8' },
    });
    expect(snapshot.metadata.system).toEqual(macSystem);
    expect(snapshot.metadata).toMatchObject({
      timezone: 'Europe/Berlin',
      tools: { node: { path: '/opt/homebrew/Cellar/node/24.1.0/bin/node', manager: 'homebrew' } },
    });
    expect(report.skipped).toContainEqual({
      part: 'runtimes',
      name: 'git',
      reason: 'it is a shim of xcode-select, but the developer tools are not installed',
    });
  });

  test('Windows on ARM', async () => {
    const { snapshot } = await capture(windows, 'C:\\Users\\dev\\app');
    expect(snapshot).toMatchObject({
      os: 'win32',
      arch: 'arm64',
      runtimeVersions: { chrome: '125.0.6422.113', git: '2.45.1', node: '22.3.0', npm: '10.7.0' },
      dependencies: { 'package.json': { 'left-pad': '^1.3.0' } },
    });
    expect(snapshot.runtimeVersions).not.toHaveProperty('python');
    expect(snapshot.envVars).toEqual(windowsVariables);
    expect(snapshot.metadata).toMatchObject(windowsMetadata);
  });
});

describe('every capture', () => {
  const machines: readonly (readonly [string, FakeMachine, string])[] = [
    ['Debian', debianContainer, '/home/dev/app'],
    ['Alpine', alpine, '/srv/app'],
    ['WSL', wsl, '/home/dev/app'],
    ['macOS', mac, '/Users/dev/app'],
    ['Windows', windows, 'C:\\Users\\dev\\app'],
  ];

  test.each(machines)(
    'of %s is the same twice except for its duration, names no user, and starts no shell',
    async (_, machine, folder) => {
      const bytes = async (): Promise<string> => {
        const { snapshot } = await capture(machine, folder, { fingerprintKey: { own: 'k' } });
        return JSON.stringify(snapshot).replace(/"durationMs":\d+/, '"durationMs":0');
      };
      const first = await bytes();
      expect(await bytes()).toBe(first);
      expect(first).not.toMatch(/[\\/](?:home|Users)[\\/]+dev/);
      const system = createFakeSystem(machine);
      await captureEnvironment(system, { folder, ...plainOptions });
      for (const { file, args, options } of system.executions) {
        expect(args).not.toContain('-c ');
        expect(file).not.toMatch(/(?:cmd|powershell)\.exe$/i);
        expect(options.cwd ?? '').not.toContain('app');
        expect(options.timeoutMs ?? 3000).toBeLessThanOrEqual(3000);
      }
    },
  );

  test.each(machines)(
    'of %s writes the metadata that the contract describes, and no more',
    async (_, machine, folder) => {
      const { snapshot } = await capture(machine, folder, { outcome: 'passed' });
      // Fields that the schema does not know are dropped, apart from those of a caller.
      expect(snapshotMetadata.parse(snapshot.metadata)).toEqual(snapshot.metadata);
    },
  );

  test('through a package runner records the machine’s PATH, not the runner’s', async () => {
    const env = {
      ...alpine.env,
      npm_lifecycle_event: 'envsnap',
      PATH: `/srv/app/node_modules/.bin:/root/.npm/_npx/1/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:${alpine.env?.PATH}`,
    };
    const { snapshot } = await capture({ ...alpine, env }, '/srv/app');
    expect(snapshot.envVars.PATH).toBe(alpine.env?.PATH);
  });

  test('keeps canary secrets out of every byte of snapshot, report and progress', async () => {
    const canaries = {
      DB_PASSWORD: 'canary-one-8271',
      SERVICE_URL: 'https://user:canary-two-8271@service.example/path',
      PLAIN_NAME: `${'ghp'}_CanaryThree8271CanaryThree8271Canary`,
      MULTI: 'a\n-----BEGIN PRIVATE KEY-----\ncanary-four-8271\n-----END PRIVATE KEY-----',
      OPTIONS: '--user=x --password=canary-five-8271',
      'weird name\n': 'token=canary-six-8271',
    };
    const events: unknown[] = [];
    for (const options of [{}, { fingerprintKey: { own: 'k' } }, { envValues: 'none' as const }]) {
      const result = await capture(
        { ...debianContainer, env: { ...debianContainer.env, ...canaries } },
        '/home/dev/app',
        { ...options, onProgress: (event) => events.push(event) },
      );
      expect(JSON.stringify([result, events])).not.toMatch(/canary-?\w*-?8271|CanaryThree/i);
      expect(Object.keys(result.snapshot.envVars)).toEqual(expect.arrayContaining(Object.keys(canaries)));
    }
  });
});
