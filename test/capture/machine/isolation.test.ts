// The kind of virtual machine, known by its firmware or by the clocks that hypervisors offer.

import { describe, expect, test } from 'vitest';
import { detectVirtualisation } from '../../../packages/capture/src/machine/isolation.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

const clocks = '/sys/devices/system/clocksource/clocksource0/available_clocksource';
const hypervisorFlag = 'processor\t: 0\nflags\t\t: fpu hypervisor\n';

function detect(files: FakeMachine['files']) {
  const system = createFakeSystem({ files: files ?? {} });
  return detectVirtualisation(openMachine(system));
}

describe('a virtual machine without firmware of its own', () => {
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

  test('with firmware that names its maker is that one', async () => {
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
