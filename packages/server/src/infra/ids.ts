// Owns identifiers, lower-case UUIDs of RFC 9562: random ones for things that people name, ascending ones for queues and logs.

import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export type IdGenerator = () => string;

const maxCounter = 0xfff;
/** A new millisecond starts its counter in the lower half, so that at least 2,048 ids fit before it overflows. */
const counterStartMask = 0x7ff;

/** The first of a millisecond starts in the lower half, so that half a million more fit before it overflows. */
const headStartMask = 0x7fff_ffff;
const maxHead = 0xffff_ffff;
const maxHeadStep = 0xfff;

/**
 * A generator of UUIDs of version 4, for things that people name by the first 8 characters of the id: in version 7 those are
 * the same for a minute. Within a millisecond they ascend, because lists are sorted by time and then by id
 * (docs/specification.md §4).
 */
export function createNameableIdGenerator(clock: Clock): IdGenerator {
  let lastMs = -1;
  let head = 0;

  return () => {
    const random = randomBytes(18);
    const nowMs = clock.nowMs();
    const following = head + 1 + (random.readUInt16BE(4) & maxHeadStep);
    head =
      nowMs === lastMs && following <= maxHead ? following : (random.readUInt32BE(0) & headStartMask) >>> 0;
    lastMs = nowMs;
    const version = (0x4000 | (random.readUInt16BE(6) & 0xfff)).toString(16);
    const variant = (0x8000 | (random.readUInt16BE(8) & 0x3fff)).toString(16);
    const start = head.toString(16).padStart(8, '0');
    return `${start}-${random.toString('hex', 10, 12)}-${version}-${variant}-${random.toString('hex', 12, 18)}`;
  };
}

/**
 * A generator of UUIDv7: 48 bits of milliseconds, 12 bits of counter, 62 random bits. If the clock stops or goes back, the
 * counter continues from the last millisecond used, so order is kept (docs/specification.md §4).
 */
export function createAscendingIdGenerator(clock: Clock): IdGenerator {
  let lastMs = -1;
  let counter = 0;

  return () => {
    const random = randomBytes(10);
    const nowMs = clock.nowMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = random.readUInt16BE(8) & counterStartMask;
    } else if (counter < maxCounter) {
      counter += 1;
    } else {
      lastMs += 1;
      counter = random.readUInt16BE(8) & counterStartMask;
    }

    const time = lastMs.toString(16).padStart(12, '0');
    const head = (0x7000 | counter).toString(16);
    const variant = (0x8000 | (random.readUInt16BE(0) & 0x3fff)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-${head}-${variant}-${random.toString('hex', 2, 8)}`;
  };
}
