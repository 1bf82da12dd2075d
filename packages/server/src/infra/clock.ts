// Owns the server's notion of now. Everything that needs the time takes a Clock, so that tests can move it.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
