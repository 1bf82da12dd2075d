// Finds the program that started this one, because Node.js resets some of what it inherits.

import type { CapturedMachine } from '../system/machine.ts';
import { fieldsOf } from './fact-reader.ts';

/** Longest chain of package runners below a shell. */
const maxParents = 12;

/** The nearest parent process that is not Node.js; undefined if it cannot be determined. Linux only. */
export async function firstOtherProgram({
  files,
  hostRuntime,
}: CapturedMachine): Promise<{ readonly process: string; readonly program: string } | undefined> {
  let process = 'self';
  for (let step = 0; step < maxParents; step += 1) {
    const parent = fieldsOf((await files.text(`/proc/${process}/status`)) ?? '').get('PPid');
    if (parent === undefined || parent === '0') return undefined;
    const program = (await files.realPath(`/proc/${parent}/exe`)) ?? '';
    const isNode = program === hostRuntime.execPath || /\/(?:node|bun|deno)$/.test(program);
    if (!isNode) return { process: parent, program };
    process = parent;
  }
  return undefined;
}

/** SIGPIPE, the 13th signal of Linux. */
const brokenPipe = 1n << 12n;

/** Whether a shell ignores SIGPIPE, which its children inherit. Other programs ignore signals only for themselves. */
export async function ignoresBrokenPipe(machine: CapturedMachine): Promise<true | undefined> {
  const parent = machine.platform === 'linux' ? await firstOtherProgram(machine) : undefined;
  if (parent === undefined || !/\/(?:[a-z]{0,2}sh|busybox)$/.test(parent.program)) return undefined;
  const status = (await machine.files.text(`/proc/${parent.process}/status`)) ?? '';
  const mask = fieldsOf(status).get('SigIgn') ?? '';
  return /^[0-9a-f]{1,16}$/.test(mask) && (BigInt(`0x${mask}`) & brokenPipe) !== 0n ? true : undefined;
}
