// The repair of a side that differs, as data. No command weakens a protection, and each can be run as it is.

import { wordsOnly } from '@envsnap/shared/text/visible';
import type { SideNames } from './side-names.ts';

/** The kind of repair. For `configure` and `restore`, words say what to do because no command does it. `ask`: only a
 * person can decide. */
export type RepairKind = 'set' | 'unset' | 'install' | 'use' | 'configure' | 'restore' | 'ask';

export interface Repair {
  /** The side to change: the one that differs from what the project declares. */
  readonly side: 'a' | 'b' | 'both';
  readonly kind: RepairKind;
  /** The thing to repair; for `configure`, `restore` and `ask` a phrase with the advice. */
  readonly what: string;
  /** The new value; absent if it is secret or unknown. */
  readonly value?: string;
  /** Commands for that side in one POSIX shell, in order; empty if commands alone cannot do it. */
  readonly commands: readonly string[];
}

/** A phrase of advice. Captured text in it is quoted where a shell would read more than words. */
export function phrase(parts: TemplateStringsArray, ...captured: readonly unknown[]): string {
  return String.raw({ raw: parts }, ...captured.map((text) => wordsOnly(String(text))));
}

export function ask(what: string): Repair {
  return { side: 'b', kind: 'ask', what, commands: [] };
}

export function configure(side: Repair['side'], what: string, commands: readonly string[] = []): Repair {
  return { side, kind: 'configure', what, commands };
}

export function adviceOf(repair: Repair, names: SideNames): string {
  // A person who is asked is addressed with the sides' names already in the phrase.
  if (repair.kind === 'ask') return repair.what;
  return `${repairPhrase(repair)} ${repair.side === 'both' ? 'on both sides' : names[repair.side].at}`;
}

/** The next step that repairs it: its commands, else the phrase. */
export function repairStep(repair: Omit<Repair, 'side'>): string {
  return repair.commands.length > 0 ? repair.commands.join(' && ') : repairPhrase(repair);
}

function repairPhrase({ kind, commands, ...data }: Omit<Repair, 'side'>): string {
  const [what, value] = [wordsOnly(data.what), data.value && wordsOnly(data.value)];
  switch (kind) {
    case 'set':
      return value === undefined ? `set ${what}` : `set ${what}=${value}`;
    case 'unset':
      return `unset ${what}`;
    case 'install':
    case 'use':
      return value === undefined ? `${kind} ${what}` : `${kind} ${what} ${value}`;
    case 'configure':
    case 'restore':
    case 'ask':
      return commands.length > 0 ? `run “${commands.join(' && ')}”` : data.what;
  }
}
