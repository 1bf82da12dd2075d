// The architecture of the machine, not of a process that runs under translation.

import type { CapturedMachine } from '../system/machine.ts';

/** `process.arch` unless the system says that it translates: Rosetta on macOS, WOW64 and x64 emulation on Windows. */
export async function machineArchitecture(machine: CapturedMachine): Promise<string> {
  const { arch, env } = machine;
  if (machine.platform === 'win32') {
    // A 32-bit process sees the real architecture here.
    const native = env.PROCESSOR_ARCHITEW6432?.toUpperCase();
    if (native === 'AMD64') return arch === 'ia32' ? 'x64' : arch;
    if (native === 'ARM64' || /^ARMv\d/i.test(env.PROCESSOR_IDENTIFIER ?? '')) return 'arm64';
    return arch;
  }
  if (machine.platform === 'darwin' && arch === 'x64') {
    const asked = await machine.execute('/usr/sbin/sysctl', ['-n', 'sysctl.proc_translated']);
    // Intel Macs do not know the name and answer with an error.
    if (asked.outcome === 'exited' && asked.exitCode === 0 && asked.stdout.trim() === '1') return 'arm64';
  }
  return arch;
}
