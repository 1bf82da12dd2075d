// Facts that captures hold in `metadata.system`, `metadata.locale`, `metadata.timezone` and `metadata.shell`. Their names are
// the keys of the comparison's section `system`.

import type { FactRow } from './fact.ts';
import { factTable } from './fact-table.ts';

export const systemFactCatalogue = factTable(`
  distribution | version | | other release | possible if it counts; rare if it is a major version apart; else rare
    | Name and release of the operating system’s distribution. | linux: /etc/os-release | macos: SystemVersion.plist
    | windows: what the system reports to its programs | personal
  libc | version | | older 4 | strong if it counts and it is a major version apart; possible if it is a major version
    apart; rare if one side has none; slight if it does not count; likely if the project uses c, gyp, cargo or conan;
    else possible | The C library that the system’s programs load, with its version.
    | linux: the loader that /bin/sh names, and libc.so.6
  locale | | | other language | 40 if it does not count; else possible | Language, region and character set in effect.
    | unix: variables LC_ALL, LC_CTYPE, LANG | windows: the regional settings | apply: variable LC_ALL
    | family: language | personal | inert | reveals: The language and region of the user.
  timezone | | | other zone | 59 if one side is in UTC; now and then if it does not count; else likely
    | Time zone in effect. | linux: variable TZ, /etc/localtime, /etc/timezone | macos: variable TZ, /etc/localtime
    | windows: the regional settings | apply: variable TZ | family: time zone | personal | inert
    | reveals: The time zone of the machine.
  release | version | | never | context | Release of the operating system. | linux: /etc/os-release
    | macos: SystemVersion.plist | windows: what the system reports to its programs
  kernel | version | | never | context | Release of the kernel. | unix: uname(2) | windows: RtlGetVersion
  cpu.model | | | never | context | Model of the processor. | linux: /proc/cpuinfo | macos: sysctl | windows: registry
    | reveals: The kind of machine.
  cpu.count | | | never | context | Number of logical processors. | linux: /proc/cpuinfo | macos: sysctl
    | windows: GetSystemInfo
  memoryTotalBytes | | | never | context | Size of the main memory. | linux: sysinfo(2) | macos: sysctl
    | windows: GlobalMemoryStatusEx
  container | | | never | context | Kind of container. | linux: files and variables of the container engines
  wsl | | | never | context | Windows Subsystem for Linux, with its version and distribution.
    | linux: the name of the kernel, variable WSL_DISTRO_NAME
  wsl.version | | | never | context | Version of the Windows Subsystem for Linux. | linux: the name of the kernel
  wsl.distribution | | | never | context | Name of the distribution in the Windows Subsystem for Linux.
    | linux: variable WSL_DISTRO_NAME
  virtualisation | | | never | context | Kind of virtual machine.
    | linux: /sys/class/dmi, /sys/hypervisor, /proc/cpuinfo | macos: sysctl kern.hv_vmm_present
    | windows: registry: firmware
  shell | | | never | context | The user’s shell. | unix: variable SHELL | windows: variable ComSpec
    | reveals: Which shell the user prefers.
  hardware.manufacturer | | | never | context | Maker of the machine (with --hardware). | all: systeminformation
  hardware.model | | | never | context | Model of the machine (with --hardware). | all: systeminformation
    | reveals: The kind of machine.
  hardware.processor | | | never | context | Maker and model of the processor (with --hardware).
    | all: systeminformation
  hardware.physicalCores | | | never | context | Number of processor cores (with --hardware). | all: systeminformation
  hardware.graphics | | | never | context | Graphics cards with their drivers (with --hardware).
    | all: systeminformation
`);

/** The row of a key of the section `system`; older captures call the distribution `distro`, and name parts of it. */
export function systemFactRow(key: string): FactRow | undefined {
  const first = key.split('.', 1)[0] as string;
  const name = first === 'distro' ? 'distribution' : first;
  return [key, name].flatMap((each) =>
    Object.hasOwn(systemFactCatalogue, each) ? [systemFactCatalogue[each]] : [],
  )[0];
}
