// Owns the server's notion of now. Everything that needs the time takes a Clock, so that tests can move it.

/** A source of wall-clock time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
