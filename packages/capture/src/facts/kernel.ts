// Facts about the processor, the memory and the kernel's settings. docs/specification.md §11.

import { askSysctl, firstProcessor, textStart } from '../machine/ask-machine.ts';
import { cgroupVersion } from './cgroup.ts';
import {
  contentLines,
  type FactReaders,
  type FactReading,
  type FactSources,
  fieldsOf,
  setOf,
  unlessEmpty,
  wholeNumber,
} from './fact-reader.ts';
import type { FactContext } from './tool-settings.ts';

/** Folders that every distribution has, and the line that includes them. */
function isOfDistribution(line: string): boolean {
  const rest = line.replace(/^\/(?:usr\/)?(?:local\/)?lib(?:32|64|x32)?(?=\/|$)/, '');
  return line.startsWith('include') || /^\/?$/.test(rest) || /^\/\w+-linux-gnu\w*$/.test(rest);
}

export function kernelReaders(context: FactContext): FactReaders {
  const { machine, mounts } = context;
  const text = async (path: string): Promise<string | undefined> => (await machine.files.text(path))?.trim();

  return {
    'cpu.features': () => readCpuFeatures(context),
    'loader.preload': async () => {
      const lines = contentLines(await text('/etc/ld.so.preload')).flatMap((line) => line.split(/[\s:]+/));
      return unlessEmpty(lines);
    },
    'loader.folders': async () => {
      const folder = '/etc/ld.so.conf.d';
      const names = await machine.files.names(folder);
      const files = [
        '/etc/ld.so.conf',
        ...names.filter((name) => name.endsWith('.conf')).map((name) => `${folder}/${name}`),
      ];
      const lines = await Promise.all(files.map(async (file) => contentLines(await text(file))));
      return setOf(lines.flat().filter((line) => !isOfDistribution(line)));
    },
    'cpu.allowed': async () => {
      const list = fieldsOf((await text('/proc/self/status')) ?? '').get('Cpus_allowed_list');
      return list === undefined ? undefined : countOfRanges(list);
    },
    'cpu.emulation': () => readEmulation(context),
    'memory.shared': async () => {
      const mount = await mounts.holding('/dev/shm');
      if (mount?.point !== '/dev/shm') return undefined;
      const size = mount.options.map((option) => /^size=(\d+)(k?)$/.exec(option)).find((match) => match);
      return size ? Number(size[1]) * (size[2] === 'k' ? 1024 : 1) : undefined;
    },
    'memory.pageSize': async () => {
      if (machine.platform === 'darwin') return wholeNumber(await askSysctl(machine, '-n', 'hw.pagesize'));
      // The page size of the first mapping: `4 kB`.
      const start = await textStart(machine, '/proc/self/smaps', 4096);
      const size = /^KernelPageSize: +(\d+) kB$/m.exec(start)?.[1];
      return size && Number(size) * 1024;
    },
    'net.ipv6': async () => {
      if (!(await machine.files.isFolder('/proc/net'))) return undefined;
      const addresses = await machine.files.text('/proc/net/if_inet6');
      if (addresses === undefined || addresses.trim() === '') return false;
      const off = ['all', 'lo'].map((name) => text(`/proc/sys/net/ipv6/conf/${name}/disable_ipv6`));
      return !(await Promise.all(off)).includes('1');
    },
    'kernel.ephemeralPorts': async () => {
      const [first, last] = ((await text('/proc/sys/net/ipv4/ip_local_port_range')) ?? '')
        .split(/\s+/)
        .map(Number);
      return first && last ? last - first + 1 : undefined;
    },
    'kernel.userNamespaces': async () => {
      const most = wholeNumber(await text('/proc/sys/user/max_user_namespaces'));
      if (most === undefined) return undefined;
      const debian = await text('/proc/sys/kernel/unprivileged_userns_clone');
      const ubuntu = await text('/proc/sys/kernel/apparmor_restrict_unprivileged_userns');
      return most > 0 && debian !== '0' && ubuntu !== '1';
    },
    'kernel.cgroupVersion': () => cgroupVersion(context),
    'devices.present': async () => {
      const there = await Promise.all(devices.map((name) => machine.files.status(`/dev/${name}`)));
      return setOf(devices.filter((_, index) => there[index]));
    },
  };
}

const devices = 'dri fuse kvm loop-control net/tun nvidia0 snd'.split(' ');

/** `0-3,8,10-11` has seven processors. */
function countOfRanges(list: string): number {
  return list.split(',').reduce((count, part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return count + last - first + 1;
  }, 0);
}

/** The kernel's names of Node.js's architectures. */
export const kernelNames: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: 'aarch64',
  s390x: 's390x',
  riscv64: 'riscv64',
};

/** Rosetta and QEMU report the processor that they emulate, so other marks are checked. */
async function readEmulation({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'darwin') {
    const translated = machine.arch === 'x64' && (await askSysctl(machine, '-in', 'sysctl.proc_translated'));
    return translated && translated.trim() === '1' ? 'rosetta' : undefined;
  }
  if (machine.platform === 'win32') {
    const real = machine.env.PROCESSOR_ARCHITEW6432;
    return real !== undefined && real.toLowerCase() !== 'amd64' ? 'windows' : undefined;
  }
  const processor = await firstProcessor(machine);
  if (/VirtualApple/.test(processor)) return 'rosetta';
  if (/QEMU TCG|qemu-user/i.test(processor)) return 'qemu';
  const program = await machine.files.realPath('/proc/self/exe');
  if (program && /\/qemu-[a-z0-9_]+(?:-static)?$/.test(program)) return 'qemu';
  // If the process has another architecture, the kernel runs it with an interpreter.
  const kernelName = machine.operatingSystem().machine ?? '';
  const own = kernelNames[machine.arch];
  return own !== undefined && /^(?:x86_64|aarch64|s390x|riscv64)$/.test(kernelName) && kernelName !== own
    ? 'qemu'
    : undefined;
}

/** Linux's names. Programs rarely need the other flags, about a hundred. */
const features = new Set(
  (
    'sse3 ssse3 sse4_1 sse4_2 popcnt cx16 lahf_lm movbe avx f16c fma bmi1 bmi2 lzcnt avx2 avx512f avx512bw avx512cd ' +
    'avx512dq avx512vl avx512_vnni avx_vnni amx_tile aes pclmulqdq sha_ni vaes adx rdrand rdseed sse4a ' +
    // ARM
    'neon asimd crc32 sha1 sha2 atomics asimdhp asimddp sve sve2 bf16 i8mm sme ' +
    // POWER, RISC-V, IBM Z
    'altivec vsx vx'
  ).split(' '),
);
/** One feature under several names: Linux, ARM's older kernels, Intel's own. */
const synonyms: Readonly<Record<string, string>> = {
  pni: 'sse3',
  abm: 'lzcnt',
  asimd: 'neon',
  pmull: 'pclmulqdq',
  'sse4.1': 'sse4_1',
  'sse4.2': 'sse4_2',
  'avx1.0': 'avx',
  avx512_f: 'avx512f',
};

async function readCpuFeatures({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'linux') {
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(await firstProcessor(machine))?.[1];
    return line === undefined ? undefined : known(line.split(/\s+/));
  }
  const text = machine.platform === 'darwin' && (await askSysctl(machine, 'hw.optional', 'machdep.cpu'));
  if (!text) return undefined;
  const listed = text.matchAll(/^machdep\.cpu\.(?:leaf7_)?features: (.*)$/gm);
  const optional = text.matchAll(/^hw\.optional\.(?:arm\.)?(?:FEAT_)?(\w+): 1$/gm);
  return known([...listed, ...optional].flatMap(([, names = '']) => names.split(' ')));
}

function known(names: readonly string[]): string[] {
  const lower = names.map((name) => name.toLowerCase());
  const found = lower.map((name) => synonyms[name] ?? name).filter((name) => features.has(name));
  return [...new Set(found)].sort();
}
