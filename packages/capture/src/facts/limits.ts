// Limits of a process. Node.js raises its own soft limit of open files, so programs get that of the process before it.

import type { ResourceLimit } from '../system/system.ts';
import { type FactReading, type FactSources, once } from './fact-reader.ts';
import { firstOtherProgram } from './parent-program.ts';

type Amount = number | 'unlimited';

/** Line of /proc/PID/limits, and name in the report of Node.js. */
const names = {
  openFiles: ['Max open files', 'open_files'],
  stack: ['Max stack size', 'stack_size_kbytes'],
  processes: ['Max processes', 'max_user_processes'],
  lockedMemory: ['Max locked memory', 'max_locked_memory_kbytes'],
  core: ['Max core file size', 'core_file_size_blocks'],
  fileSize: ['Max file size', 'file_size_blocks'],
  addressSpace: ['Max address space', 'virtual_memory_kbytes'],
  data: ['Max data size', 'data_seg_size_kbytes'],
  cpuTime: ['Max cpu time', 'cpu_time_seconds'],
} as const;
type LimitField = keyof typeof names;

/** Readers of the limits of the process that runs this program. */
export function createLimits({ machine }: FactSources) {
  const onLinux = machine.platform === 'linux';
  const reported = once(() => machine.processState().limits());
  const limitsOf = async (process: string): Promise<Map<string, ResourceLimit>> =>
    parseLimits((await machine.files.text(`/proc/${process}/limits`)) ?? '');

  const limit = async (field: LimitField): Promise<ResourceLimit | undefined> => {
    if (machine.platform === 'win32') return undefined;
    const [line, name] = names[field];
    return onLinux ? (await limitsOf('self')).get(line) : reported()[name];
  };

  return {
    soft: (field: LimitField) => async (): Promise<FactReading> => (await limit(field))?.soft,
    hard: (field: LimitField) => async (): Promise<FactReading> => (await limit(field))?.hard,
    /** What a program started beside this one may open. */
    openFiles: async (): Promise<FactReading> => {
      const own = await limit('openFiles');
      if (!own) return undefined;
      const parent = onLinux ? await firstOtherProgram(machine) : undefined;
      const parentSoft = parent && (await limitsOf(parent.process)).get('Max open files')?.soft;
      return parentSoft === undefined ? own.soft : least(own.hard, parentSoft);
    },
  };
}

function least(one: Amount, other: Amount): Amount {
  if (one === 'unlimited') return other;
  return other === 'unlimited' ? one : Math.min(one, other);
}

/** `Max open files            1024                 524288               files`. */
function parseLimits(text: string): Map<string, ResourceLimit> {
  const limits = new Map<string, ResourceLimit>();
  for (const [, line = '', soft = '', hard = ''] of text.matchAll(/^(Max \S+(?: \S+)*) {2,}(\S+) +(\S+)/gm)) {
    const amount = (value: string): Amount => (value === 'unlimited' ? value : Number(value));
    limits.set(line, { soft: amount(soft), hard: amount(hard) });
  }
  return limits;
}
