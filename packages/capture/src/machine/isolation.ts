// Whether the machine is a container, a Windows Subsystem for Linux, or a virtual machine.

import type { MachineFiles } from '../system/machine-files.ts';
import type { System } from '../system/system.ts';

/** Kind of container from the marks that container engines leave; undefined outside of one. */
export async function detectContainer(system: System, files: MachineFiles): Promise<string | undefined> {
  if (system.platform !== 'linux') return undefined;
  const named = (await files.text('/run/systemd/container'))?.trim();
  if (named && named !== 'wsl') return named;
  if (system.env.KUBERNETES_SERVICE_HOST || (await files.isFolder('/var/run/secrets/kubernetes.io')))
    return 'kubernetes';
  if (await files.isFile('/run/.containerenv')) return 'podman';
  const first = await files.text('/proc/1/environ');
  const fromFirst = first && /(?:^|\0)container=([\w.-]+)/.exec(first)?.[1];
  if (fromFirst && fromFirst !== 'wsl') return fromFirst === 'oci' ? 'docker' : fromFirst;
  if (await files.isFile('/.dockerenv')) return 'docker';
  const groups = (await files.text('/proc/1/cgroup')) ?? '';
  if (/\/kubepods/.test(groups)) return 'kubernetes';
  if (/\/docker[/-]/.test(groups)) return 'docker';
  if (/\/libpod/.test(groups)) return 'podman';
  if (/\/lxc[/.]/.test(groups)) return 'lxc';
  return undefined;
}

export interface WindowsSubsystem {
  readonly version: 1 | 2;
  readonly distribution?: string;
}

/** The Windows Subsystem for Linux, told by its kernel's name. */
export function detectWindowsSubsystem(system: System): WindowsSubsystem | undefined {
  const { release } = system.operatingSystem();
  if (system.platform !== 'linux' || !release || !/microsoft/i.test(release)) return undefined;
  const distribution = system.env.WSL_DISTRO_NAME;
  // Version 1 has no kernel of its own and writes the name with a capital letter.
  const version = /-Microsoft$/.test(release) && !/WSL2/i.test(release) ? 1 : 2;
  return { version, ...(distribution && { distribution }) };
}

/** What the firmware says of itself, in systemd's names where it has one. */
const makers: readonly (readonly [kind: string, words: RegExp])[] = [
  [
    'kvm',
    /\bKVM\b|OpenStack|KubeVirt|Google Compute Engine|DigitalOcean|Hetzner|Scaleway|Oracle Cloud|OracleCloud/,
  ],
  ['amazon', /Amazon EC2/],
  ['qemu', /\bQEMU\b/],
  ['vmware', /VMware|VMW/],
  ['oracle', /innotek GmbH|VirtualBox/],
  ['xen', /\bXen\b/],
  ['microsoft', /Microsoft Corporation.*Virtual Machine|Hyper-V/s],
  ['parallels', /Parallels/],
  ['bhyve', /BHYVE/],
  ['apple', /Apple Virtualization/],
  ['bochs', /Bochs/],
];

/** Kind of virtual machine, `vm-other` where only the fact can be told; undefined on real hardware and where unknown. */
export async function detectVirtualisation(system: System, files: MachineFiles): Promise<string | undefined> {
  switch (system.platform) {
    case 'linux':
      return linuxVirtualisation(system, files);
    case 'darwin': {
      const asked = await system.execute('/usr/sbin/sysctl', ['-n', 'kern.hv_vmm_present']);
      return asked.exitCode === 0 && asked.stdout.trim() === '1' ? 'vm-other' : undefined;
    }
    case 'win32': {
      const key = 'HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS';
      const program = `${system.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
      const asked = await system.execute(program, ['query', key]);
      return asked.exitCode === 0 ? kindOf(asked.stdout) : undefined;
    }
    default:
      return undefined;
  }
}

function kindOf(firmware: string): string | undefined {
  return makers.find(([, words]) => words.test(firmware))?.[0];
}

/** Hypervisors offer clocks of their own, also to machines without firmware such as Firecracker's. */
const clockMakers: readonly (readonly [kind: string, clock: RegExp])[] = [
  ['kvm', /\bkvm-clock\b/],
  ['microsoft', /\bhyperv_clocksource/],
  ['xen', /\bxen\b/],
];

async function linuxVirtualisation(system: System, files: MachineFiles): Promise<string | undefined> {
  if (detectWindowsSubsystem(system))
    return detectWindowsSubsystem(system)?.version === 2 ? 'wsl' : undefined;
  const names = ['product_name', 'sys_vendor', 'board_vendor', 'bios_vendor', 'product_version'];
  const firmware = await Promise.all(names.map((name) => files.text(`/sys/class/dmi/id/${name}`)));
  const text = firmware.filter(Boolean).join('\n');
  // Amazon's machines without a hypervisor carry the same maker's name.
  const isMetal = /\.metal/.test(text);
  const kind = isMetal ? undefined : kindOf(text);
  if (kind) return kind;
  const hypervisor = (await files.text('/sys/hypervisor/type'))?.trim();
  if (hypervisor) return hypervisor;
  const clocks =
    (await files.text('/sys/devices/system/clocksource/clocksource0/available_clocksource')) ?? '';
  const byClock = clockMakers.find(([, clock]) => clock.test(clocks))?.[0];
  if (byClock) return byClock;
  try {
    // The first processor's block is enough; a large machine's whole file takes long to make.
    const start = new TextDecoder('latin1').decode(await system.readFileStart('/proc/cpuinfo', 8192));
    return /^flags\s*:.*\bhypervisor\b/m.test(start) ? 'vm-other' : undefined;
  } catch {
    return undefined;
  }
}
