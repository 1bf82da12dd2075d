// Reads from the process table whether a process group works, waits for the machine, or sleeps (a hanging program
// beside a starved one), and which processes a program left behind.

import { readdirSync, readFileSync } from 'node:fs';

/** The activity of a process group, so far and now. */
export interface GroupActivity {
  /** Processor time of all its members, those that ended included, in milliseconds. */
  readonly cpuMs: number;
  /** Whether any thread runs, waits for a processor, or waits for a disk. */
  readonly awake: boolean;
}

/** Clock ticks of `/proc/PID/stat`: USER_HZ is 100 on every architecture that Node.js runs on. */
const tickMs = 10;

/** Reads the activity of a process group; undefined if it is unknown (no `/proc`, no members left). */
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

/** Rounds of the search for processes: one that is being killed may have started another. */
const maxRounds = 5;

/**
 * Kills every process that was started with a variable (`NAME=value`), in any session. A program that creates its own session
 * (`setsid`) has left its process group. Does nothing where there is no `/proc`.
 */
export function killMarked(variable: string): void {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < maxRounds; round += 1) {
    const found = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && isMarked(name, variable));
    for (const name of found) {
      try {
        process.kill(Number(name), 'SIGKILL');
      } catch {
        // It has ended, or changed its user.
      }
    }
    if (found.length === 0) return;
  }
}

function isMarked(name: string, variable: string): boolean {
  try {
    // Zombies have no variables.
    return `\0${readFileSync(`/proc/${name}/environ`, 'latin1')}`.includes(`\0${variable}\0`);
  } catch {
    // The process is another user's, or gone.
    return false;
  }
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
    // It has ended.
    return undefined;
  }
  // The second field is the program's name, which may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { state: fields[0] ?? '', group: Number(fields[2]), cpuMs: ticks * tickMs };
}
