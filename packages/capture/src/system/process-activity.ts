// Whether a process group works, waits for the machine, or sleeps: what tells a hanging program from a starved one.

import { readdirSync, readFileSync } from 'node:fs';

/** What a process group did so far and does now. */
export interface GroupActivity {
  /** Processor time of all its members, those that ended included, in milliseconds. */
  readonly cpuMs: number;
  /** Some thread runs, waits for a processor, or waits for a disk. */
  readonly awake: boolean;
}

/** Clock ticks of `/proc/PID/stat`: USER_HZ is 100 on every architecture that Node.js runs on. */
const tickMs = 10;

/** Looks at the members of a process group; undefined where the system does not tell (no `/proc`, no member left). */
export function groupActivity(group: number): GroupActivity | undefined {
  if (process.platform !== 'linux') return undefined;
  let cpuMs = 0;
  let awake = false;
  let members = 0;
  for (const name of entriesOf('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(`/proc/${name}/stat`);
    if (stat?.group !== group) continue;
    members += 1;
    cpuMs += stat.cpuMs;
    awake ||= entriesOf(`/proc/${name}/task`).some((thread) =>
      isAwake(statOf(`/proc/${name}/task/${thread}/stat`)?.state),
    );
  }
  return members > 0 ? { cpuMs, awake } : undefined;
}

/** Running or waiting for a processor, or waiting for a disk. */
function isAwake(state: string | undefined): boolean {
  return state === 'R' || state === 'D';
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statOf(file: string): { state: string; group: number; cpuMs: number } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch {
    // It ended meanwhile.
    return undefined;
  }
  // The second field is the program's name, which may hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { state: fields[0] ?? '', group: Number(fields[2]), cpuMs: ticks * tickMs };
}
