// The rate limiter: admits or refuses a request by two sliding windows, which are packed into one value. Pure. docs/specification.md §7.

import {
  admitRequest,
  cellBytes,
  countRequests,
  currentCells,
  dayWindow,
  minuteWindow,
  msUntilAdmitted,
  msUntilOldestLeaves,
  packCells,
  unpackCells,
  type WindowCells,
} from './sliding-window.ts';

/** Requests that a caller may make in any 60 s and in any 24 h. */
export interface RateLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The response's headers, and whether the request is admitted. */
interface RateLimitDecision {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly refusal: { readonly window: 'minute' | 'day'; readonly retryAfterSeconds: number } | undefined;
}

export const noCounters = Buffer.alloc(2);

/**
 * Decides on one more request at `nowMs`, and returns the counters with it if it is admitted: a refused request counts in
 * neither window.
 */
export function decideOn(
  stored: Buffer,
  limits: RateLimits,
  nowMs: number,
): { readonly decision: RateLimitDecision; readonly counters: Buffer | undefined } {
  const before = unpackCounters(stored);
  let minute = currentCells(before.minute, minuteWindow, nowMs);
  let day = currentCells(before.day, dayWindow, nowMs);
  const waitMinuteMs = msUntilAdmitted(minute, minuteWindow, limits.perMinute, nowMs);
  const waitDayMs = msUntilAdmitted(day, dayWindow, limits.perDay, nowMs);
  const admitted = waitMinuteMs === 0 && waitDayMs === 0 && limits.perMinute > 0 && limits.perDay > 0;
  if (admitted) {
    minute = admitRequest(minute, minuteWindow, nowMs);
    day = admitRequest(day, dayWindow, nowMs);
  }
  const leftInMinute = Math.max(0, limits.perMinute - countRequests(minute));
  const leftInDay = Math.max(0, limits.perDay - countRequests(day));
  const retryAfterSeconds = wholeSeconds(Math.max(waitMinuteMs, waitDayMs));
  const resetMs =
    leftInDay < leftInMinute
      ? msUntilOldestLeaves(day, dayWindow, nowMs)
      : msUntilOldestLeaves(minute, minuteWindow, nowMs);
  const decision: RateLimitDecision = {
    limit: limits.perMinute,
    remaining: admitted ? Math.min(leftInMinute, leftInDay) : 0,
    resetSeconds: admitted ? wholeSeconds(resetMs) : retryAfterSeconds,
    refusal: admitted
      ? undefined
      : { window: waitDayMs > waitMinuteMs ? 'day' : 'minute', retryAfterSeconds },
  };
  return { decision, counters: admitted ? packCounters(minute, day) : undefined };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Both windows in one value: the number of the minute's cells (16 bits), then the cells of the minute, then the day. */
function packCounters(minute: WindowCells, day: WindowCells): Buffer {
  const bytes = Buffer.allocUnsafe(2 + (minute.length + day.length) * cellBytes);
  bytes.writeUInt16BE(minute.length);
  packCells(day, dayWindow, bytes, packCells(minute, minuteWindow, bytes, 2));
  return bytes;
}

function unpackCounters(bytes: Buffer): { minute: WindowCells; day: WindowCells } {
  const minuteEnd = 2 + bytes.readUInt16BE(0) * cellBytes;
  return {
    minute: unpackCells(bytes, minuteWindow, 2, minuteEnd),
    day: unpackCells(bytes, dayWindow, minuteEnd, bytes.length),
  };
}
