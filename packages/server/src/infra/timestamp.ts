// The one way a moment is written in answers: `YYYY-MM-DDTHH:MM:SS.sssZ`.

/** ISO 8601 in UTC with milliseconds, from milliseconds since the epoch. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
