// Facts about the process that runs programs: limits, rights, terminal. docs/specification.md §11.

import { type FactReaders, type FactReading, fieldsOf, wholeNumber } from './fact-reader.ts';
import { openFilesLimit } from './limits.ts';
import { ignoresBrokenPipe } from './parent-program.ts';
import type { FactContext } from './tool-settings.ts';

export function processReaders(context: FactContext): FactReaders {
  const { machine } = context;
  const status = async (field: string): Promise<string | undefined> =>
    fieldsOf((await machine.files.text('/proc/self/status')) ?? '').get(field);
  const personality = async (): Promise<number> =>
    Number.parseInt((await machine.files.text('/proc/self/personality')) ?? '0', 16);

  return {
    'limits.openFiles': () => openFilesLimit(context),
    'process.account': () => machine.processState().accountHome !== undefined,
    'process.ignoresBrokenPipe': () => ignoresBrokenPipe(machine),
    'process.umask': async () =>
      (await status('Umask')) ?? machine.processState().umask?.toString(8).padStart(4, '0'),
    'process.root': async () => {
      const effective = (await status('Uid'))?.split(/\s+/)[1];
      const userId = effective === undefined ? machine.processState().userId : Number(effective);
      return userId === undefined ? undefined : userId === 0;
    },
    'process.capabilities': async () => {
      const mask = await status('CapEff');
      return mask === undefined ? undefined : capabilitiesOf(mask);
    },
    // PER_LINUX32, as `linux32` and `setarch i686` set it.
    'process.personality': async () =>
      ((await personality()) & 0xff) === 8
        ? ({ x64: 'i686', arm64: 'armv8l' }[machine.arch as string] ?? '32 bits')
        : undefined,
    'process.aslr': async () => {
      // ADDR_NO_RANDOMIZE, as `setarch --addr-no-randomize` and debuggers set it.
      if (((await personality()) & 0x0040000) !== 0) return 'off';
      const mode = wholeNumber(await machine.files.text('/proc/sys/kernel/randomize_va_space'));
      return mode === undefined ? undefined : ['off', 'partial', 'full'][mode];
    },
    'process.confinement': async (): Promise<FactReading> => {
      const current = (await machine.files.text('/proc/self/attr/current'))?.replace(
        /(?<![\0\n])[\0\n]+$/,
        '',
      );
      return current && current !== 'unconfined' && current !== 'kernel' ? current : undefined;
    },
  };
}

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
