// Follows the live feed: shows each request once, the oldest first.

import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest } from '@envsnap/shared';
import { waitingFor } from '../../terminal/interrupt.ts';

/**
 * Looks at the feed again and again and passes on what is new; ends only by an error. Requests of one millisecond that
 * look the same are told apart by their number.
 */
export async function followRequests(
  load: () => Promise<readonly LoggedRequest[]>,
  seen: readonly LoggedRequest[],
  intervalMs: number,
  show: (request: LoggedRequest) => void,
): Promise<never> {
  let known = seen;
  for (;;) {
    await waitingFor(() => sleep(intervalMs));
    const now = await load();
    for (const request of newRequests(known, now).toReversed()) show(request);
    known = now;
  }
}

/** The requests of a later look that an earlier one did not have; both newest first. */
export function newRequests(
  earlier: readonly LoggedRequest[],
  later: readonly LoggedRequest[],
): LoggedRequest[] {
  const counts = new Map<string, number>();
  for (const request of earlier) {
    const key = JSON.stringify(request);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const fresh: LoggedRequest[] = [];
  // From the oldest on, so that of several equal ones the newest count as new.
  for (const request of later.toReversed()) {
    const key = JSON.stringify(request);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    else fresh.push(request);
  }
  return fresh.reverse();
}
