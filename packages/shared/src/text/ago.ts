// How long ago a time is, in words.

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago, or in how long: `3 hours ago`, `in 6 days`; other text unchanged. */
export function ago(timestamp: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(timestamp)) / 1000;
  if (Number.isNaN(seconds)) return timestamp;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  if (unit === undefined) return seconds >= 0 ? 'just now' : 'in a moment';
  const count = Math.floor(Math.abs(seconds) / unit[1]);
  const text = `${count} ${unit[0]}${count === 1 ? '' : 's'}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}
