// A clock that only goes forward, for measuring how long something takes.

/** Milliseconds with fractions. `performance.now()` would load a part of Node.js that nothing else here needs. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
