// Looks at what the metrics show of the database or a disk. None follows another at once, and nobody waits long for one:
// `/metrics` may be asked by many, and the other metrics show most while a database is busy.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../infra/clock.ts';

/** How long an answer is good, in milliseconds. */
const freshMs = 5000;
/** Longest wait for one, in milliseconds. */
const longestMs = 1000;

/** Creates a look that gives undefined where `look` fails or takes long. */
export function createLook<Found>(
  clock: Clock,
  look: (nowMs: number) => Promise<Found>,
): () => Promise<Found | undefined> {
  let last: { readonly atMs: number; readonly found: Promise<Found | undefined> } | undefined;
  return () => {
    const nowMs = clock.nowMs();
    if (!last || Math.abs(nowMs - last.atMs) >= freshMs) {
      const late = sleep(longestMs, undefined, { ref: false });
      last = { atMs: nowMs, found: Promise.race([look(nowMs).catch(() => undefined), late]) };
    }
    return last.found;
  };
}
