// What makes a differing side right, as data that sentences and programs are made from.

/** How a thing is repaired. `ask`: only a person can decide. */
export type RepairKind = 'set' | 'unset' | 'install' | 'use' | 'configure' | 'restore' | 'ask';

export interface Repair {
  /** The side to change: the one that departs from what the project declares. */
  readonly side: 'a' | 'b' | 'both';
  readonly kind: RepairKind;
  /** What is repaired, as its catalogue names it: a variable, a tool, a package, a setting. */
  readonly what: string;
  /** The value it gets; absent where it is a secret or not known. */
  readonly value?: string;
  /** What to run on that side, in order, quoted for a POSIX shell; empty where no command does it as it stands. */
  readonly commands: readonly string[];
}
