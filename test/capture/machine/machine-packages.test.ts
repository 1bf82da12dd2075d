import { describe, expect, it, test } from 'vitest';
import { detectVirtualisation } from '../../../packages/capture/src/machine/isolation.ts';
import { readMachinePackages } from '../../../packages/capture/src/machine/packages/read-machine-packages.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const { dpkg } = readTestData<{ dpkg: string }>(import.meta);

function packagesOf(files: NonNullable<FakeMachine['files']>, room?: number, platform?: NodeJS.Platform) {
  const system = createFakeSystem({ files, ...(platform && { platform }) });
  return readMachinePackages(openMachine(system), room);
}

describe('the operating system’s own packages', () => {
  it('are those that dpkg has installed, each once', async () => {
    expect(await packagesOf({ '/var/lib/dpkg/status': dpkg })).toEqual({
      dependencies: {
        '/var/lib/dpkg/status': {
          held: '1:2.0~rc1-1',
          libc6: '2.36-9+deb12u7',
          openssl: '3.0.11-1',
          tzdata: '2024a-0',
        },
      },
      unknown: [],
    });
  });

  it('are those of apk', async () => {
    const installed =
      'C:Q1abc=\nP:musl\nV:1.2.5-r0\nA:x86_64\nF:lib\nR:ld-musl.so.1\n\nP:busybox\nV:1.36.1-r28\n';
    expect((await packagesOf({ '/lib/apk/db/installed': installed })).dependencies).toEqual({
      '/lib/apk/db/installed': { busybox: '1.36.1-r28', musl: '1.2.5-r0' },
    });
  });

  it('are the folders of Homebrew’s Cellar', async () => {
    const files = {
      '/opt/homebrew/Cellar/openssl@3/3.3.1/bin/openssl': '',
      '/opt/homebrew/Cellar/node/22.3.0/bin/node': '',
      '/opt/homebrew/Cellar/node/20.1.0/bin/node': '',
      '/opt/homebrew/Cellar/.keepme': '',
    };
    expect((await packagesOf(files, undefined, 'darwin')).dependencies).toEqual({
      '/opt/homebrew/Cellar': { node: '20.1.0, 22.3.0', 'openssl@3': '3.3.1' },
    });
  });

  it('are unknown, not absent, where they cannot be read or do not fit', async () => {
    expect(await packagesOf({ '/var/lib/dpkg/status': { error: 'EACCES' } })).toEqual({
      dependencies: {},
      unknown: [{ section: 'dependencies', key: '/var/lib/dpkg/status', reason: 'it could not be read' }],
    });
    expect((await packagesOf({ '/var/lib/dpkg/status': dpkg }, 1)).unknown[0]?.reason).toBe(
      'the snapshot is full',
    );
  });
});

// The kind of virtual machine, known by its firmware or by the clocks that hypervisors offer.

const clocks = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
const hypervisorFlag = 'processor\t: 0\nflags\t\t: fpu hypervisor\n';

function detect(files: FakeMachine['files']) {
  const system = createFakeSystem({ files: files ?? {} });
  return detectVirtualisation(openMachine(system));
}

describe('a virtual machine without its own firmware', () => {
  test.each([
    ['tsc kvm-clock \n', 'kvm'],
    ['hyperv_clocksource_tsc_page acpi_pm\n', 'microsoft'],
    ['xen tsc\n', 'xen'],
    ['tsc hpet acpi_pm\n', 'vm-other'],
  ])('with the clocks %j is %s', async (available, kind) => {
    expect(await detect({ [clocks]: available, '/proc/cpuinfo': hypervisorFlag })).toBe(kind);
  });

  test('is none without the flag, whatever common clocks there are', async () => {
    expect(
      await detect({ [clocks]: 'tsc hpet acpi_pm\n', '/proc/cpuinfo': 'flags\t: fpu\n' }),
    ).toBeUndefined();
  });

  test('is named by firmware that names its maker', async () => {
    expect(await detect({ [clocks]: 'kvm-clock\n', '/sys/class/dmi/id/sys_vendor': 'Amazon EC2' })).toBe(
      'amazon',
    );
  });
});

test('processors and memory are what this process may use', () => {
  const { cpuCount, memoryTotalBytes } = createSystem().operatingSystem();
  expect(cpuCount).toBeGreaterThan(0);
  const limit = process.constrainedMemory();
  if (limit > 0) expect(memoryTotalBytes).toBeLessThanOrEqual(limit);
});
