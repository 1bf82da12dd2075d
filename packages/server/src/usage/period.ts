// Periods of the request history and their keys, in UTC. docs/specification.md §7.

import type { UsagePeriod } from '@envsnap/shared';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/**
 * The key of the period that holds a moment (milliseconds since the epoch): `2026-02-07T13:00:00Z`, `2026-02-07`,
 * `2026-W06` (ISO 8601 week) or `2026-02`.
 */
export function periodKey(period: UsagePeriod, ms: number): string {
  const iso = new Date(ms).toISOString();
  if (period === 'hour') return `${iso.slice(0, 13)}:00:00Z`;
  if (period === 'day') return iso.slice(0, 10);
  if (period === 'month') return iso.slice(0, 7);
  return isoWeek(ms);
}

/** ISO 8601 week: weeks start on Monday, and week 1 is the one that holds the year's first Thursday. */
function isoWeek(ms: number): string {
  const midnight = Math.floor(ms / dayMs) * dayMs;
  const dayOfWeek = new Date(midnight).getUTCDay() || 7;
  const thursday = new Date(midnight + (4 - dayOfWeek) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayMs / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}
