// Single values of the Windows registry, by the system's own program.

import type { CapturedMachine } from '../system/machine.ts';

/** The data of a value as `reg query` prints it (`0x1` for numbers); undefined where there is none. */
export async function readRegistryValue(
  machine: CapturedMachine,
  key: string,
  name: string,
): Promise<string | undefined> {
  const program = `${machine.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const { exitCode, stdout } = await machine.execute(program, ['query', key, '/v', name]);
  if (exitCode !== 0) return undefined;
  return /^[ \t]+\S+[ \t]+REG_\w+[ \t]+(\S.*)$/m.exec(stdout)?.[1]?.trimEnd();
}
