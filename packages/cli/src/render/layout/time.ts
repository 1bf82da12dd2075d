// Times for people: how long ago on a terminal, the exact time elsewhere.

import type { Screen } from '../../terminal/terminal.ts';

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A timestamp of the service: `3 hours ago` on a terminal, the timestamp itself elsewhere. */
export function when(timestamp: string, screen: Screen, nowMs: number = Date.now()): string {
  if (!screen.interactive) return timestamp;
  const seconds = (nowMs - Date.parse(timestamp)) / 1000;
  if (Number.isNaN(seconds)) return timestamp;
  const distance = Math.abs(seconds);
  for (const [unit, length] of units) {
    if (distance >= length) {
      const count = Math.floor(distance / length);
      const text = `${count} ${unit}${count === 1 ? '' : 's'}`;
      return seconds >= 0 ? `${text} ago` : `in ${text}`;
    }
  }
  return seconds >= 0 ? 'just now' : 'in a moment';
}

/** A duration: `640 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
