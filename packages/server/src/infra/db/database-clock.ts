// The database's clock, which decides about expiry, deletion and deactivation, so that servers with different clocks agree
// and one wrong clock does no harm (docs/decisions/0009-backups-and-faults.md).

import { type Clock, systemClock } from '../clock.ts';
import type { Executor } from './database.ts';
import { defineSql, type NoParams } from './statement.ts';

/** A machine's clock that is further from the database's than this is wrong, in milliseconds. */
const maxSkewMs = 60_000;
/** A jump of the machine's own clock against its timer that calls for a new reading, in milliseconds. */
const jumpMs = 1000;

const readNow = defineSql<NoParams, { now_ms: number }>(({ nowMs }) => `select ${nowMs()} as now_ms`);

export interface DatabaseClock extends Clock {
  /** Reads the database's clock; until the first time, `nowMs` is the machine's own. */
  synchronize(): Promise<void>;
  /** How far the machine's own clock is ahead of the database's, in milliseconds; negative when it is behind. */
  skewMs(): number;
  /** Whether that is too far: nothing is deleted until the operator corrects the clock. */
  isOwnClockWrong(): boolean;
}

interface Reading {
  readonly databaseMs: number;
  readonly ownMs: number;
  readonly timerMs: number;
}

export function createDatabaseClock(database: Executor, own: Clock = systemClock): DatabaseClock {
  let last: Reading | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const before = performance.now();
    const row = await database.get(readNow);
    const timerMs = performance.now();
    // Assumes that the database read its clock halfway through the query.
    if (row) last = { databaseMs: row.now_ms + (timerMs - before) / 2, ownMs: own.nowMs(), timerMs };
  }

  function synchronize(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function skewMs(): number {
    return last ? Math.round(last.ownMs - last.databaseMs) : 0;
  }

  return {
    synchronize,
    skewMs,
    isOwnClockWrong: () => Math.abs(skewMs()) > maxSkewMs,
    nowMs() {
      if (!last) return own.nowMs();
      const passedMs = performance.now() - last.timerMs;
      // The machine slept, or somebody set its clock, so the timer alone is no longer right.
      if (Math.abs(own.nowMs() - last.ownMs - passedMs) > jumpMs) void synchronize().catch(() => undefined);
      return Math.floor(last.databaseMs + passedMs);
    },
  };
}

/** Reads the database's clock. Everything takes the time from here: nothing else may look at the machine's own clock. */
export async function readDatabaseClock(database: Executor): Promise<DatabaseClock> {
  const clock = createDatabaseClock(database);
  await clock.synchronize();
  return clock;
}

/** The problem with the machine's clock, as a sentence without its full stop. */
export function describeSkew(clock: Pick<DatabaseClock, 'skewMs'>): string {
  const seconds = Math.round(clock.skewMs() / 1000);
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${Math.abs(seconds)} seconds ${direction} the database's: correct it`;
}
