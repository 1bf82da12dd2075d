// Reads and caches values of the database or a disk for the metrics: many callers may ask for `/metrics`, which must respond
// while the database is busy.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../infra/clock.ts';

/** How long a reading is cached, in milliseconds. */
const freshMs = 5000;
/** Longest wait for one, in milliseconds. */
const longestMs = 1000;

/** Caches a reading; it is undefined if `read` fails or takes too long. */
export function cacheReading<Found>(
  clock: Clock,
  read: (nowMs: number) => Promise<Found>,
): () => Promise<Found | undefined> {
  let last: { readonly atMs: number; readonly found: Promise<Found | undefined> } | undefined;
  return () => {
    const nowMs = clock.nowMs();
    if (!last || Math.abs(nowMs - last.atMs) >= freshMs) {
      const late = sleep(longestMs, undefined, { ref: false });
      last = { atMs: nowMs, found: Promise.race([read(nowMs).catch(() => undefined), late]) };
    }
    return last.found;
  };
}
