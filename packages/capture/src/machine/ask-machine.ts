// Small reads of the machine that several readers need.

import type { CapturedMachine } from '../system/machine.ts';

/** The beginning of a file as text; empty if it cannot be read. */
export async function textStart(machine: CapturedMachine, file: string, maxBytes: number): Promise<string> {
  const bytes = await machine.readFile(file, { length: maxBytes }).catch(() => new Uint8Array());
  return Buffer.from(bytes).toString('latin1');
}

/** The beginning of /proc/cpuinfo with its first processor; on a large machine the whole file takes long to generate. */
export function firstProcessor(machine: CapturedMachine): Promise<string> {
  return textStart(machine, '/proc/cpuinfo', 8192);
}

/** The output of macOS' `sysctl`; undefined if it is missing or fails. */
export async function askSysctl(
  machine: CapturedMachine,
  ...args: readonly string[]
): Promise<string | undefined> {
  if (machine.platform !== 'darwin' || !(await machine.files.isFile('/usr/sbin/sysctl'))) return undefined;
  const { outcome, stdout } = await machine.execute('/usr/sbin/sysctl', args);
  return outcome === 'exited' ? stdout : undefined;
}
