// What a reliability check is: a name, what it proves, and its resulting figures.

import type { World } from './world.ts';

/** One result of a check, with its requirement. */
export interface Figure {
  readonly what: string;
  /** The requirement, as text: `0`, `≤ 3 s`. */
  readonly asked: string;
  readonly measured: string;
  readonly reached: boolean;
}

/** The tools of a check. */
interface CheckContext {
  /** Multiplies the number of tries: 1 is the published run. There is always at least one try. */
  rounds(published: number): number;
  /** A number from 0 (included) to 1 (excluded), from the seed of the run. */
  random(): number;
  /** Servers, databases and folders; all are removed when the check has ended. */
  readonly world: World;
}

export interface Check {
  readonly name: string;
  /** One sentence: what happens to the server, and what must be true. */
  readonly what: string;
  /** Why it cannot run here; undefined if it can run. */
  readonly unavailable?: () => string | undefined;
  readonly run: (context: CheckContext) => Promise<Figure[]>;
}

/** A figure that must be exactly zero. */
export function none(what: string, measured: number): Figure {
  return { what, asked: '0', measured: String(measured), reached: measured === 0 };
}

/** A figure that must equal a total: `30 of 30`. */
export function every(what: string, measured: number, all: number): Figure {
  return {
    what,
    asked: `${all} of ${all}`,
    measured: `${measured} of ${all}`,
    reached: measured === all && all > 0,
  };
}

/** A figure that must not be above a limit, in a unit. */
export function atMost(what: string, measured: number, limit: number, unit: string): Figure {
  return {
    what,
    asked: `≤ ${limit} ${unit}`,
    measured: `${round(measured)} ${unit}`,
    reached: measured <= limit,
  };
}

/** A figure that is shown but not judged. */
export function shown(what: string, measured: string): Figure {
  return { what, asked: '', measured, reached: true };
}

/** The 99th percentile of times in milliseconds, shown and not judged. */
export function shownP99(what: string, times: readonly number[]): Figure {
  return shown(`${what}, p99`, `${Math.round(percentile(times, 0.99))} ms`);
}

/** The value below which the given share of the values lies (0.99 for the 99th percentile). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100);
}
