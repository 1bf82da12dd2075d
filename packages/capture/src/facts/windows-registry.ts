// Reads values of the Windows registry with the system's own program.

import type { CapturedMachine } from '../system/machine.ts';

/** The data of a value as `reg query` prints it (`0x1` for numbers); undefined if there is none. */
export async function readRegistryValue(
  machine: CapturedMachine,
  key: string,
  name: string,
): Promise<string | undefined> {
  return (await query(machine, key, '/v', name))?.[0]?.data;
}

/** The names of a key's values; undefined if the key does not exist, or only administrators may read it. */
export async function readRegistryNames(
  machine: CapturedMachine,
  key: string,
): Promise<string[] | undefined> {
  return (await query(machine, key))?.map(({ name }) => name);
}

async function query(machine: CapturedMachine, key: string, ...which: readonly string[]) {
  const program = `${machine.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const { exitCode, stdout } = await machine.execute(program, ['query', key, ...which]);
  if (exitCode !== 0) return undefined;
  return stdout.split('\n').flatMap((line) => {
    // Four spaces precede the name, the type and the data.
    const [, name = '', type = '', ...data] = line.trimEnd().split('    ');
    return type.startsWith('REG_') && data.length > 0 ? { name, data: data.join('    ') } : [];
  });
}
