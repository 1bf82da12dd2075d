// Owns identifiers: UUIDv7 (RFC 9562 §5.7), lower case, ascending within a process.

import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes a new identifier; every one sorts after all that this generator made before it. */
export type IdGenerator = () => string;

const MAX_COUNTER = 0xfff;
/** A new millisecond starts its counter in the lower half, so that at least 2,048 ids fit before it overflows. */
const COUNTER_START_MASK = 0x7ff;
const POOL_BYTES = 4096;
const BYTES_PER_ID = 10;

/**
 * A generator of UUIDv7: 48 bits of milliseconds, 12 bits of counter, 62 random bits. When the clock stands still
 * or goes back, the counter goes on from the last millisecond used, so order is kept (Decisions §4).
 */
export function createIdGenerator(clock: Clock): IdGenerator {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let lastMs = -1;
  let counter = 0;

  return () => {
    if (used + BYTES_PER_ID > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + BYTES_PER_ID);
    used += BYTES_PER_ID;

    const nowMs = clock.nowMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = random.readUInt16BE(8) & COUNTER_START_MASK;
    } else if (counter < MAX_COUNTER) {
      counter += 1;
    } else {
      lastMs += 1;
      counter = random.readUInt16BE(8) & COUNTER_START_MASK;
    }

    const time = lastMs.toString(16).padStart(12, '0');
    const head = (0x7000 | counter).toString(16);
    const variant = (0x8000 | (random.readUInt16BE(0) & 0x3fff)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-${head}-${variant}-${random.toString('hex', 2, 8)}`;
  };
}
