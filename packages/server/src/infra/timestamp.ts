// The one way a moment is written in answers: `YYYY-MM-DDTHH:MM:SS.sssZ`.

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
