import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admitRequest,
  cellBytes,
  countRequests,
  currentCells,
  dayWindow,
  minuteWindow,
  msUntilAdmitted,
  packCells,
  unpackCells,
  type WindowCells,
  type WindowShape,
} from '../../../packages/server/src/usage/sliding-window.ts';

/** Runs calls at the given moments through the window and returns the moments of those admitted. */
function simulate(moments: Iterable<number>, shape: WindowShape, limit: number): number[] {
  let cells: WindowCells = [];
  const admitted: number[] = [];
  for (const now of moments) {
    cells = currentCells(cells, shape, now);
    if (countRequests(cells) >= limit) continue;
    cells = admitRequest(cells, shape, now);
    admitted.push(now);
  }
  return admitted;
}

/** Maximum number of moments in any span [t, t + windowMs). Moments ascend. */
function busiestSpan(moments: readonly number[], windowMs: number): number {
  let most = 0;
  let from = 0;
  for (let to = 0; to < moments.length; to += 1) {
    while ((moments[to] as number) - (moments[from] as number) >= windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function* accumulate(gaps: Iterable<number>, start = 1_770_000_000_123): Generator<number> {
  let now = start;
  for (const gap of gaps) {
    now += gap;
    yield now;
  }
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 1, arbitrary: fc.constantFrom(999, 1000, 1001, 58_999, 59_000, 59_999, 60_000, 60_001, 61_000) },
);

describe('the sliding window', () => {
  it('never admits more than the limit in any span, over a million steps against an exact oracle', () => {
    let steps = 0;
    fc.assert(
      fc.property(
        fc.array(gap, { minLength: 900, maxLength: 1100 }),
        fc.integer({ min: 1, max: 90 }),
        (gaps, limit) => {
          steps += gaps.length;
          const admitted = simulate(accumulate(gaps), minuteWindow, limit);
          expect(busiestSpan(admitted, minuteWindow.windowMs)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 1100 },
    );
    expect(steps).toBeGreaterThan(1_000_000);
  });

  it('admits exactly the limit, then refuses, and admits again once the first cell is out', () => {
    const start = 1_770_000_000_950;
    const burst = Array.from({ length: 70 }, () => start);
    expect(simulate([...burst, start + 59_999, start + 60_000], minuteWindow, 60)).toEqual([
      ...burst.slice(0, 60),
      start + 60_000,
    ]);
  });

  it('keeps its promise against bursts timed around the edges of cells', () => {
    const moments: number[] = [];
    const start = 1_770_000_000_000;
    for (let round = 0; round < 20; round += 1)
      for (const offset of [999, 1000, 59_999, 60_000, 60_998, 60_999, 61_000]) {
        for (let call = 0; call < 70; call += 1) moments.push(start + round * 61_000 + offset);
      }
    moments.sort((a, b) => a - b);
    expect(busiestSpan(simulate(moments, minuteWindow, 60), 60_000)).toBe(60);
  });

  it('keeps the day limit over days of random traffic', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 500, maxLength: 1500 }),
        (gaps) => {
          const admitted = simulate(accumulate(gaps), dayWindow, 200);
          expect(busiestSpan(admitted, dayWindow.windowMs)).toBeLessThanOrEqual(200);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reports the first moment at which a request is admitted, to the millisecond', () => {
    fc.assert(
      fc.property(
        fc.array(gap, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (gaps, limit) => {
          let cells: WindowCells = [];
          let now = 0;
          for (now of accumulate(gaps)) {
            cells = currentCells(cells, minuteWindow, now);
            if (countRequests(cells) < limit) cells = admitRequest(cells, minuteWindow, now);
          }
          const wait = msUntilAdmitted(cells, minuteWindow, limit, now);
          expect(wait).toBeLessThanOrEqual(minuteWindow.windowMs);
          const countAfter = (ms: number) => countRequests(currentCells(cells, minuteWindow, now + ms));
          expect(countAfter(wait)).toBeLessThan(limit);
          if (wait > 0) expect(countAfter(wait - 1)).toBe(limit);
        },
      ),
    );
  });

  it('does not lock a caller out when the clock was set back by an hour', () => {
    const later = 1_770_003_600_000;
    const earlier = later - 3_600_000;
    let cells: WindowCells = [];
    for (let call = 0; call < 60; call += 1) cells = admitRequest(cells, minuteWindow, later);
    expect(countRequests(currentCells(cells, minuteWindow, earlier))).toBe(0);
  });

  it('goes on counting when the clock goes back by less than five seconds', () => {
    let cells: WindowCells = [];
    for (let call = 0; call < 60; call += 1) cells = admitRequest(cells, minuteWindow, 1_770_000_004_000);
    cells = currentCells(cells, minuteWindow, 1_770_000_000_000);
    expect(countRequests(cells)).toBe(60);
    expect(admitRequest(cells, minuteWindow, 1_770_000_000_000)).toHaveLength(1);
  });

  it('holds at most one cell more than the window has', () => {
    const everyTenth = accumulate(Array.from({ length: 5000 }, () => 100));
    let cells: WindowCells = [];
    for (const now of everyTenth) {
      cells = admitRequest(currentCells(cells, minuteWindow, now), minuteWindow, now);
      expect(cells.length).toBeLessThanOrEqual(61);
    }
  });

  it('survives packing', () => {
    fc.assert(
      fc.property(
        fc.array(gap, { maxLength: 200 }),
        fc.constantFrom(minuteWindow, dayWindow),
        (gaps, shape) => {
          let cells: WindowCells = [];
          for (const now of accumulate(gaps))
            cells = admitRequest(currentCells(cells, shape, now), shape, now);
          const bytes = Buffer.alloc(1 + cells.length * cellBytes);
          const end = packCells(cells, shape, bytes, 1);
          expect(end).toBe(bytes.length);
          expect(unpackCells(bytes, shape, 1, end)).toEqual(cells);
        },
      ),
    );
  });
});
