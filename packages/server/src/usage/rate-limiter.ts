// The rate limiter: admits or refuses a caller by two sliding windows that live in one database row. docs/specification.md §7.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
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
import type { UnsavedCounters } from './unsaved-counters.ts';

/** Requests that a caller may make in any 60 s and in any 24 h. */
export interface RateLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Whose requests are counted together. */
export interface RateLimitSubject {
  /** A key's id, or the address of a caller without a valid key. */
  readonly id: string;
  readonly kind: 'key' | 'address';
  /** The key's project, with which its counters are deleted; null for an address. */
  readonly projectId: string | null;
}

/** What the answer's headers say, and whether the request may go on. */
export interface RateLimitDecision {
  readonly limit: number;
  /** Requests left in the fuller of the two windows. */
  readonly remaining: number;
  /** Whole seconds until the window has more room again. */
  readonly resetSeconds: number;
  readonly refusal: { readonly window: 'minute' | 'day'; readonly retryAfterSeconds: number } | undefined;
}

/** A row of counters, and the database's clock. */
export interface WindowRow {
  counters: Buffer | null;
  now_ms: number;
}

const readWindow = defineStatement<{ subject: string }, WindowRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('rate_limit_windows')
      .select('counters', qb.raw('? as now_ms', [dialect.nowMs()]))
      .where('subject', p.subject),
  ),
);

const readClock = defineStatement<Record<never, never>, { now_ms: number }>((qb, _p, dialect) =>
  qb.select(qb.raw('? as now_ms', [dialect.nowMs()])),
);

/** Makes the row that concurrent first requests of one caller then lock. */
const createWindow = defineStatement<{
  subject: string;
  kind: string;
  projectId: string | null;
  counters: Buffer;
  nowMs: number;
}>((qb, p) =>
  qb('rate_limit_windows')
    .insert({
      subject: p.subject,
      kind: p.kind,
      project_id: p.projectId,
      counters: p.counters,
      updated_at: p.nowMs,
    })
    .onConflict('subject')
    .ignore(),
);

const writeWindow = defineStatement<{ subject: string; counters: Buffer; nowMs: number }>((qb, p) =>
  qb('rate_limit_windows').where('subject', p.subject).update({ counters: p.counters, updated_at: p.nowMs }),
);

/** Counters of a caller who has made no request yet. */
export const noCounters = Buffer.alloc(2);

/**
 * Counts one request, unless a window refuses it; a refused request is charged to neither window. Call it in a
 * transaction: the subject's row stays locked until its end, so the limit is exact. Time is the database's, so replicas
 * agree. `unsaved` are counters that are newer than the row's ({@link admitUnsaved}); `locked` is the row, if the
 * transaction has it already.
 */
export async function admitSubject(
  executor: Executor,
  subject: RateLimitSubject,
  limits: RateLimits,
  unsaved: Buffer | undefined,
  locked?: WindowRow | undefined,
): Promise<RateLimitDecision> {
  let row = locked ?? (await executor.get(readWindow, { subject: subject.id }));
  if (!row) {
    await createCounters(executor, subject);
    row = await executor.get(readWindow, { subject: subject.id });
    if (!row) throw new Error('a rate-limit window vanished while it was being made');
  }
  const nowMs = row.now_ms;
  const { counters, decision } = decideOn(unsaved ?? row.counters ?? noCounters, limits, nowMs);
  if (counters) executor.write(writeWindow, { subject: subject.id, counters, nowMs });
  return decision;
}

/** Makes the row of a caller who has none. Errors: that its project is gone. */
export async function createCounters(executor: Executor, subject: RateLimitSubject): Promise<void> {
  const clock = await executor.get(readClock);
  await executor.run(createWindow, {
    subject: subject.id,
    kind: subject.kind,
    projectId: subject.projectId,
    counters: noCounters,
    nowMs: clock?.now_ms ?? 0,
  });
}

/**
 * Like {@link admitSubject} while the disk is full: nothing is written, and the counters are kept in memory. Call it
 * without a transaction.
 */
export async function admitUnsaved(
  executor: Executor,
  subject: RateLimitSubject,
  limits: RateLimits,
  unsaved: UnsavedCounters,
): Promise<RateLimitDecision> {
  const row = await executor.get(readWindow, { subject: subject.id });
  const nowMs = row?.now_ms ?? (await executor.get(readClock))?.now_ms ?? 0;
  // From here on nothing waits, so that no other request of the subject comes in between.
  const { counters, decision } = decideOn(
    unsaved.get(subject.id) ?? row?.counters ?? noCounters,
    limits,
    nowMs,
  );
  if (counters) unsaved.set(subject.id, counters);
  return decision;
}

/** What counters say of one more request at `nowMs`, and the counters with it if they admit it. */
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
