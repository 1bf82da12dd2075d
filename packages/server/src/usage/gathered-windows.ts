// Counts without a lock, many callers in one statement: a row of counters is replaced where it is still what was read. If it
// is not, another server has counted the same caller meanwhile, and nothing has been counted.

import type { Lane } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import {
  decideOn,
  noCounters,
  type RateLimitDecision,
  type RateLimits,
  type WindowRow,
} from './rate-limiter.ts';

/** Counters that wait to be written. */
interface OpenWindow {
  readonly seen: Buffer;
  counters: Buffer;
  nowMs: number;
  readonly stored: PromiseWithResolvers<boolean>;
}

interface Replacement {
  subject: string;
  seen: Buffer;
  counters: Buffer;
  nowMs: number;
}

const replaceWindow = defineStatement<Replacement, { subject: string }>((qb, p, dialect) =>
  qb('rate_limit_windows')
    .where({ subject: p.subject, counters: p.seen })
    .whereRaw(dialect.forgettable())
    .update({ counters: p.counters, updated_at: p.nowMs })
    .returning('subject'),
);

/** Passes over rows that somebody has locked: two servers that wait for each other's rows would block one another. */
const replaceWindows = defineStatement<
  { subjects: string[]; seen: Buffer[]; counters: Buffer[]; nowMs: number[] },
  { subject: string }
>((qb, p, dialect) =>
  qb.raw(
    `with counted as (
       select * from unnest(?::text[], ?::bytea[], ?::bytea[], ?::bigint[]) as c(subject, seen, counters, now_ms)
     ), free as (
       select w.subject, counted.counters, counted.now_ms from counted
       join rate_limit_windows as w on w.subject = counted.subject and w.counters = counted.seen
       where ${dialect.forgettable()} for update of w skip locked
     )
     update rate_limit_windows as w set counters = free.counters, updated_at = free.now_ms
     from free where w.subject = free.subject returning w.subject`,
    [p.subjects, p.seen, p.counters, p.nowMs] as never,
  ),
);

export interface GatheredWindows {
  /**
   * Counts one request of a caller whose row was read just now. `stored` resolves to false when it has not been counted
   * after all. A refused request is charged to neither window.
   */
  count(
    subject: string,
    limits: RateLimits,
    row: WindowRow,
  ): { readonly decision: RateLimitDecision; readonly stored: Promise<boolean> };
}

/** Creates what counts over a lane. Requests of one caller that come together are one change of its row. */
export function createGatheredWindows(lane: Lane): GatheredWindows {
  let open = new Map<string, OpenWindow>();
  /**
   * What is being written, packet by packet: a row that was read before it is this by the time of the next write. A map for
   * each packet, since one for all would be a burden (roster.ts).
   */
  let onTheWay: readonly ReadonlyMap<string, OpenWindow>[] = [];

  /** Goes ahead of the look-ups, so that the next request of a caller reads what this one wrote. */
  function send(): void {
    const gathered = open;
    open = new Map();
    const storing = [...gathered].filter(([, { seen, counters }]) => counters !== seen);
    const packet = new Map(storing);
    onTheWay = [...onTheWay, packet];
    const arrived = () => {
      onTheWay = onTheWay.filter((other) => other !== packet);
    };
    const replaced = storing.length === 0 ? Promise.resolve([]) : replace(storing);
    replaced.then(
      (rows) => {
        arrived();
        const written = new Set(rows.map(({ subject }) => subject));
        // Where every request was refused, there is nothing to write.
        for (const [subject, { seen, counters, stored }] of gathered)
          stored.resolve(counters === seen || written.has(subject));
      },
      () => {
        arrived();
        for (const { stored } of gathered.values()) stored.resolve(false);
      },
    );
  }

  function replace(storing: readonly (readonly [string, OpenWindow])[]): Promise<{ subject: string }[]> {
    const [first] = storing as [(typeof storing)[number]];
    if (storing.length === 1) {
      const [subject, { seen, counters, nowMs }] = first;
      return lane.all(replaceWindow, { subject, seen, counters, nowMs });
    }
    return lane.all(replaceWindows, {
      subjects: storing.map(([subject]) => subject),
      seen: storing.map(([, { seen }]) => seen),
      counters: storing.map(([, { counters }]) => counters),
      nowMs: storing.map(([, { nowMs }]) => nowMs),
    });
  }

  return {
    count(subject, limits, row) {
      const read = row.counters ?? noCounters;
      const before = onTheWay.findLast((packet) => packet.has(subject))?.get(subject);
      const seen = before?.seen.equals(read) ? before.counters : read;
      let window = open.get(subject);
      if (!window) {
        if (open.size === 0) lane.beforeSending(send);
        window = { seen, counters: seen, nowMs: row.now_ms, stored: Promise.withResolvers<boolean>() };
        open.set(subject, window);
      }
      const nowMs = Math.max(window.nowMs, row.now_ms);
      const { counters, decision } = decideOn(window.counters, limits, nowMs);
      if (counters) {
        window.counters = counters;
        window.nowMs = nowMs;
      }
      return { decision, stored: window.stored.promise };
    },
  };
}
