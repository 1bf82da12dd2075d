// The rate-limit numbers that every response carries. docs/specification.md §7.

/** This key's limit per minute, as in the last response. */
export interface RateLimit {
  /** Requests that are allowed in a minute. */
  readonly limit: number;
  /** Requests that are left now. */
  readonly remaining: number;
  /** Seconds until the window resets. */
  readonly resetSeconds: number;
  /** When the response came, in milliseconds since the epoch. */
  readonly seenAtMs: number;
}

/** Reads the three headers; undefined unless all are present. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const read = (name: string) => {
    const value = headers.get(name);
    return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  const limit = read('x-ratelimit-limit');
  const remaining = read('x-ratelimit-remaining');
  const resetSeconds = read('x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, remaining, resetSeconds, seenAtMs: Date.now() };
}
