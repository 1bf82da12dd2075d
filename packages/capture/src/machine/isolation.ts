// Whether the machine is a container, a Windows Subsystem for Linux, or a virtual machine.

import type { CapturedMachine } from '../system/machine.ts';
import { askSysctl, firstProcessor } from './ask-machine.ts';
import marks from './isolation-marks.json' with { type: 'json' };

/** Kind of container from the marks that container engines leave; undefined outside of one. */
export async function detectContainer(machine: CapturedMachine): Promise<string | undefined> {
  if (machine.platform !== 'linux') return undefined;
  const named = (await machine.files.text('/run/systemd/container'))?.trim();
  if (named && named !== 'wsl') return named;
  if (machine.env.KUBERNETES_SERVICE_HOST || (await machine.files.isFolder('/var/run/secrets/kubernetes.io')))
    return 'kubernetes';
  if (await machine.files.isFile('/run/.containerenv')) return 'podman';
  const first = await machine.files.text('/proc/1/environ');
  const fromFirst = first && /(?:^|\0)container=([\w.-]+)/.exec(first)?.[1];
  if (fromFirst && fromFirst !== 'wsl') return fromFirst === 'oci' ? 'docker' : fromFirst;
  if (await machine.files.isFile('/.dockerenv')) return 'docker';
  const groups = (await machine.files.text('/proc/1/cgroup')) ?? '';
  return markedBy('groups', groups);
}

/**
 * The kind whose mark a text has: `groups` are control groups, `makers` the firmware's description of itself (in systemd's names
 * if it has one), and `clocks` those that hypervisors provide even to machines without firmware, such as Firecracker's.
 */
function markedBy(list: keyof typeof marks, text: string): string | undefined {
  return Object.entries(marks[list]).find(([, mark]) => new RegExp(mark).test(text))?.[0];
}

interface WindowsSubsystem {
  readonly version: 1 | 2;
  readonly distribution?: string;
}

/** The Windows Subsystem for Linux, recognised by its kernel's name. */
export function detectWindowsSubsystem(machine: CapturedMachine): WindowsSubsystem | undefined {
  const { release } = machine.operatingSystem();
  if (machine.platform !== 'linux' || !release || !/microsoft/i.test(release)) return undefined;
  const distribution = machine.env.WSL_DISTRO_NAME;
  // Version 1 has no separate kernel and writes the name with a capital letter.
  const version = /-Microsoft$/.test(release) && !/WSL2/i.test(release) ? 1 : 2;
  return { version, ...(distribution && { distribution }) };
}

/** Kind of virtual machine, `vm-other` if only the fact can be determined; undefined on real hardware and if unknown. */
export async function detectVirtualisation(machine: CapturedMachine): Promise<string | undefined> {
  switch (machine.platform) {
    case 'linux':
      return linuxVirtualisation(machine);
    case 'darwin': {
      const isGuest = (await askSysctl(machine, '-n', 'kern.hv_vmm_present'))?.trim() === '1';
      return isGuest ? 'vm-other' : undefined;
    }
    case 'win32': {
      const key = 'HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS';
      const program = `${machine.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
      const response = await machine.execute(program, ['query', key]);
      return response.exitCode === 0 ? markedBy('makers', response.stdout) : undefined;
    }
    default:
      return undefined;
  }
}

const clockFolder = '/sys/devices/system/clocksource/clocksource0';
async function linuxVirtualisation(machine: CapturedMachine): Promise<string | undefined> {
  const subsystem = detectWindowsSubsystem(machine);
  if (subsystem) return subsystem.version === 2 ? 'wsl' : undefined;
  const names = ['product_name', 'sys_vendor', 'board_vendor', 'bios_vendor', 'product_version'];
  const firmware = await Promise.all(names.map((name) => machine.files.text(`/sys/class/dmi/id/${name}`)));
  const text = firmware.filter(Boolean).join('\n');
  // Amazon's machines without a hypervisor have the same maker's name.
  const kind = /\.metal/.test(text) ? undefined : markedBy('makers', text);
  const hypervisor = kind || (await machine.files.text('/sys/hypervisor/type'))?.trim();
  if (hypervisor) return hypervisor;
  const clocks = await machine.files.text(`${clockFolder}/available_clocksource`);
  const byClock = markedBy('clocks', clocks ?? '');
  if (byClock) return byClock;
  return /^flags\s*:.*\bhypervisor\b/m.test(await firstProcessor(machine)) ? 'vm-other' : undefined;
}
