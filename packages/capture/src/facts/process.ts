// Facts about the process that runs programs: limits, rights, terminal. docs/specification.md §11.

import { createCgroup } from './cgroup.ts';
import {
  type FactReaders,
  type FactReading,
  type FactSources,
  fieldsOf,
  setOf,
  wholeNumber,
} from './fact-reader.ts';
import { createLimits } from './limits.ts';
import { ignoresBrokenPipe } from './parent-program.ts';

export function processReaders(sources: FactSources): FactReaders<'process'> {
  const { machine } = sources;
  const limits = createLimits(sources);
  const cgroup = createCgroup(sources);
  const onLinux = machine.platform === 'linux';
  const status = async (field: string): Promise<string | undefined> =>
    onLinux ? fieldsOf((await machine.files.text('/proc/self/status')) ?? '').get(field) : undefined;
  const personality = async (): Promise<number> =>
    onLinux ? Number.parseInt((await machine.files.text('/proc/self/personality')) ?? '0', 16) : 0;
  const variable = (name: string) => (): FactReading => machine.env[name] || undefined;

  return {
    'limits.openFiles': limits.openFiles,
    'limits.openFilesHard': limits.hard('openFiles'),
    'limits.stack': limits.soft('stack'),
    'limits.processes': limits.soft('processes'),
    'limits.lockedMemory': limits.soft('lockedMemory'),
    'limits.core': limits.soft('core'),
    'limits.fileSize': limits.soft('fileSize'),
    'limits.addressSpace': limits.soft('addressSpace'),
    'limits.data': limits.soft('data'),
    'limits.cgroupProcesses': cgroup.processes,
    'limits.cpuTime': limits.soft('cpuTime'),
    'process.account': () =>
      machine.platform === 'win32' ? undefined : machine.processState().accountHome !== undefined,
    'process.ignoresBrokenPipe': () => ignoresBrokenPipe(machine),
    'process.umask': async () => {
      if (machine.platform === 'win32') return undefined;
      const { umask } = machine.processState();
      return (
        (await status('Umask')) ?? (umask === undefined ? undefined : umask.toString(8).padStart(4, '0'))
      );
    },
    'process.root': async () => {
      if (machine.platform === 'win32') return undefined;
      const effective = (await status('Uid'))?.split(/\s+/)[1];
      const userId = effective === undefined ? machine.processState().userId : Number(effective);
      return userId === undefined ? undefined : userId === 0;
    },
    'process.capabilities': async () => {
      const mask = await status('CapEff');
      return mask === undefined ? undefined : capabilitiesOf(mask);
    },
    'process.noNewPrivileges': async () => {
      const value = await status('NoNewPrivs');
      return value === undefined ? undefined : value === '1';
    },
    'process.seccomp': async () =>
      ['off', 'strict', 'filter'][Number((await status('Seccomp')) ?? Number.NaN)],
    // PER_LINUX32, as `linux32` and `setarch i686` set it.
    'process.personality': async () =>
      ((await personality()) & 0xff) === 8
        ? ({ x64: 'i686', arm64: 'armv8l' }[machine.arch as string] ?? '32 bits')
        : undefined,
    'process.aslr': async () => {
      if (!onLinux) return undefined;
      // ADDR_NO_RANDOMIZE, as `setarch --addr-no-randomize` and debuggers set it.
      if (((await personality()) & 0x0040000) !== 0) return 'off';
      const mode = wholeNumber(await machine.files.text('/proc/sys/kernel/randomize_va_space'));
      return mode === undefined ? undefined : ['off', 'partial', 'full'][mode];
    },
    'process.confinement': async () => {
      if (!onLinux) return undefined;
      const current = (await machine.files.text('/proc/self/attr/current'))?.replace(
        /(?<![\0\n])[\0\n]+$/,
        '',
      );
      return current && current !== 'unconfined' && current !== 'kernel' ? current : undefined;
    },
    'process.sshAgent': () => (machine.env.SSH_AUTH_SOCK ? true : undefined),
    'terminal.type': variable('TERM'),
    'terminal.columns': () => wholeNumber(machine.env.COLUMNS),
    'terminal.color': () =>
      setOf(
        colorVariables.flatMap((name) =>
          machine.env[name] === undefined ? [] : [`${name}=${machine.env[name]}`],
        ),
      ),
    'make.flags': variable('MAKEFLAGS'),
  };
}

const colorVariables = ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLORTERM'];

/** In the order of their bits, as include/uapi/linux/capability.h numbers them. */
const capabilityNames = (
  'chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service ' +
  'net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin ' +
  'sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override ' +
  'mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore'
).split(' ');

function capabilitiesOf(mask: string): string[] {
  const bits = BigInt(`0x${mask}`);
  return capabilityNames.filter((_, bit) => ((bits >> BigInt(bit)) & 1n) === 1n).sort();
}
