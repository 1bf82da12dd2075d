// Facts that captures hold in `metadata.system`, `metadata.locale`, `metadata.timezone` and `metadata.shell`. Their names are
// the keys of the comparison's section `system`.

import { type FactRow, factTable } from './fact.ts';
import { everywhere, onLinux } from './origin.ts';

const context = (what: string, read: FactRow['read'], reveals?: string) => ({
  what,
  read,
  counts: 'never' as const,
  weight: 'context' as const,
  ...(reveals && { reveals }),
});
const hardware = everywhere('systeminformation');

export const systemFactCatalogue = factTable({
  distribution: {
    what: 'Name and release of the operating system’s distribution.',
    read: {
      linux: '/etc/os-release',
      macos: 'SystemVersion.plist',
      windows: 'what the system reports to its programs',
    },
    kind: 'version',
    counts: { when: 'other release' },
    weight: [
      { counted: true, weight: 'possible' },
      { distance: 'major', weight: 'rare' },
      { weight: 'rare' },
    ],
  },
  libc: {
    what: 'The C library that the system’s programs load, with its version.',
    read: onLinux('the loader that /bin/sh names, and libc.so.6'),
    kind: 'version',
    counts: { when: 'older', byReleases: 4 },
    weight: [
      { distance: 'major', counted: true, weight: 'strong' },
      { distance: 'major', weight: 'possible' },
      { oneSide: true, weight: 'rare' },
      { counted: false, weight: 'slight' },
      { uses: ['c', 'gyp', 'cargo', 'conan'], weight: 'likely' },
      { weight: 'possible' },
    ],
  },
  locale: {
    what: 'Language, region and character set in effect.',
    read: {
      linux: 'variables LC_ALL, LC_CTYPE, LANG',
      macos: 'variables LC_ALL, LC_CTYPE, LANG',
      windows: 'the regional settings',
    },
    counts: { when: 'other language' },
    personal: true,
    weight: [{ counted: false, weight: 40 }, { weight: 'possible' }],
    apply: { by: 'variable', name: 'LC_ALL' },
    inert: true,
    reveals: 'The language and region of the user.',
    family: 'language',
  },
  timezone: {
    what: 'Time zone in effect.',
    read: {
      linux: 'variable TZ, /etc/localtime, /etc/timezone',
      macos: 'variable TZ, /etc/localtime',
      windows: 'the regional settings',
    },
    counts: { when: 'other zone' },
    personal: true,
    weight: [
      // Runners and containers live in UTC, whoever uses them.
      { utc: true, weight: 59 },
      { counted: false, weight: 'now and then' },
      { weight: 'likely' },
    ],
    apply: { by: 'variable', name: 'TZ' },
    inert: true,
    reveals: 'The time zone of the machine.',
    family: 'time zone',
  },
  release: {
    ...context('Release of the operating system.', {
      linux: '/etc/os-release',
      macos: 'SystemVersion.plist',
      windows: 'what the system reports to its programs',
    }),
    kind: 'version',
  },
  kernel: {
    ...context('Release of the kernel.', { linux: 'uname(2)', macos: 'uname(2)', windows: 'RtlGetVersion' }),
    kind: 'version',
  },
  'cpu.model': context(
    'Model of the processor.',
    { linux: '/proc/cpuinfo', macos: 'sysctl', windows: 'registry' },
    'The kind of machine.',
  ),
  'cpu.count': context('Number of logical processors.', {
    linux: '/proc/cpuinfo',
    macos: 'sysctl',
    windows: 'GetSystemInfo',
  }),
  memoryTotalBytes: context('Size of the main memory.', {
    linux: 'sysinfo(2)',
    macos: 'sysctl',
    windows: 'GlobalMemoryStatusEx',
  }),
  container: context('Kind of container.', onLinux('marks of the container engines')),
  wsl: context(
    'Windows Subsystem for Linux, with its version and distribution.',
    onLinux('the name of the kernel, variable WSL_DISTRO_NAME'),
  ),
  'wsl.version': context('Version of the Windows Subsystem for Linux.', onLinux('the name of the kernel')),
  'wsl.distribution': context(
    'Name of the distribution in the Windows Subsystem for Linux.',
    onLinux('variable WSL_DISTRO_NAME'),
  ),
  virtualisation: context('Kind of virtual machine.', {
    linux: '/sys/class/dmi, /sys/hypervisor, /proc/cpuinfo',
    macos: 'sysctl kern.hv_vmm_present',
    windows: 'registry: firmware',
  }),
  shell: context(
    'The user’s shell.',
    { linux: 'variable SHELL', macos: 'variable SHELL', windows: 'variable ComSpec' },
    'Which shell the user prefers.',
  ),
  'hardware.manufacturer': context('Maker of the machine (with --hardware).', hardware),
  'hardware.model': context('Model of the machine (with --hardware).', hardware, 'The kind of machine.'),
  'hardware.processor': context('Maker and model of the processor (with --hardware).', hardware),
  'hardware.physicalCores': context('Number of processor cores (with --hardware).', hardware),
  'hardware.graphics': context('Graphics cards with their drivers (with --hardware).', hardware),
});

/** The row of a key of the section `system`; older captures call the distribution `distro`, and name parts of it. */
export function systemFactRow(key: string): FactRow | undefined {
  const table: Readonly<Record<string, FactRow>> = systemFactCatalogue;
  const first = key.split('.', 1)[0] as string;
  const name = first === 'distro' ? 'distribution' : first;
  if (Object.hasOwn(table, key)) return table[key];
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
