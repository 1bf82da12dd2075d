// Limits of a process. Node.js raises its own soft limit of open files, so the limit of its parent process counts.

import type { ResourceLimit } from '../system/system.ts';
import type { FactReading, FactSources } from './fact-reader.ts';
import limitNames from './limit-names.json' with { type: 'json' };
import { firstOtherProgram } from './parent-program.ts';

type Amount = number | 'unlimited';

/** Names in Node.js's report, by the line in /proc/PID/limits. */
const reportNames: Readonly<Record<string, string>> = limitNames;

/** A limit of this process, by its line of /proc/self/limits. */
export async function processLimit(
  { machine }: FactSources,
  line: string,
): Promise<ResourceLimit | undefined> {
  if (machine.platform === 'linux') return limitOf(await machine.files.text('/proc/self/limits'), line);
  return machine.processState().limits()[reportNames[line] ?? ''];
}

/** The limit of open files for a program that the user starts. */
export async function openFilesLimit(sources: FactSources): Promise<FactReading> {
  const { machine } = sources;
  const own = await processLimit(sources, 'Max open files');
  if (!own) return undefined;
  const parent = machine.platform === 'linux' ? await firstOtherProgram(machine) : undefined;
  const parentLimits = parent && (await machine.files.text(`/proc/${parent.process}/limits`));
  const parentSoft = limitOf(parentLimits, 'Max open files')?.soft;
  return parentSoft === undefined ? own.soft : least(own.hard, parentSoft);
}

function least(one: Amount, other: Amount): Amount {
  if (one === 'unlimited') return other;
  return other === 'unlimited' ? one : Math.min(one, other);
}

/** `Max open files            1024                 524288               files`. */
function limitOf(text: string | undefined, wanted: string): ResourceLimit | undefined {
  const amount = (value: string): Amount => (value === 'unlimited' ? value : Number(value));
  for (const [, line, soft = '', hard = ''] of (text ?? '').matchAll(
    /^(Max \S+(?: \S+)*) {2,}(\S+) +(\S+)/gm,
  ))
    if (line === wanted) return { soft: amount(soft), hard: amount(hard) };
  return undefined;
}
