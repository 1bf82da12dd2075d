// Times for people: how long ago on a terminal, the exact time elsewhere.

import { ago } from '@envsnap/shared/text/ago';
import type { Screen } from '../../terminal/terminal.ts';

/** A timestamp of the service: `3 hours ago` on a terminal, the timestamp itself elsewhere. */
export function when(timestamp: string, screen: Screen): string {
  return screen.interactive ? ago(timestamp, new Date()) : timestamp;
}

/** A duration: `640 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
