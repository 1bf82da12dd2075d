// The sliding-window counter. Pure: knows neither keys nor databases. docs/specification.md §7.
//
// Time is cut into cells of a fixed length. A cell holds how many requests it admitted and when the last of them came.
// It leaves the window only when that last request has, so a cell that is partly out is counted whole: no span of the
// window's length, wherever it starts, ever holds more admitted requests than the limit.

export interface WindowShape {
  readonly windowMs: number;
  readonly cellMs: number;
}

export const minuteWindow: WindowShape = { windowMs: 60_000, cellMs: 1000 };
export const dayWindow: WindowShape = { windowMs: 86_400_000, cellMs: 300_000 };

/** One cell: `start` and `last` in milliseconds since the epoch. */
interface WindowCell {
  readonly start: number;
  readonly last: number;
  readonly count: number;
}

/** Cells in order of time; empty ones are left out, so there are at most `windowMs / cellMs + 1`. */
export type WindowCells = readonly WindowCell[];

/**
 * How far ahead of the clock a cell may be, in milliseconds. A cell further ahead was written before the clock was set
 * back; keeping it would lock the caller out until the clock has caught up.
 */
const clockStepMs = 5000;

export function currentCells(cells: WindowCells, shape: WindowShape, nowMs: number): WindowCells {
  const counts = (cell: WindowCell) => nowMs - cell.last < shape.windowMs && cell.last - nowMs <= clockStepMs;
  return cells.every(counts) ? cells : cells.filter(counts);
}

/** Requests admitted in the window that ends now, from {@link currentCells}. */
export function countRequests(cells: WindowCells): number {
  let total = 0;
  for (const cell of cells) total += cell.count;
  return total;
}

/** The cells with one more request at `nowMs`; a clock that went back a little counts as standing still. */
export function admitRequest(cells: WindowCells, shape: WindowShape, nowMs: number): WindowCells {
  const newest = cells.at(-1);
  const moment = newest ? Math.max(newest.last, nowMs) : nowMs;
  const start = moment - (moment % shape.cellMs);
  if (newest?.start === start)
    return [...cells.slice(0, -1), { start, last: moment, count: newest.count + 1 }];
  return [...cells, { start, last: moment, count: 1 }];
}

/**
 * Milliseconds from `nowMs` until the window holds fewer than `limit` requests, if none is admitted in the meantime; 0 when it
 * does already, `windowMs` when the limit is 0.
 */
export function msUntilAdmitted(
  cells: WindowCells,
  shape: WindowShape,
  limit: number,
  nowMs: number,
): number {
  let total = countRequests(cells);
  if (total < limit) return 0;
  for (const cell of cells) {
    total -= cell.count;
    if (total < limit) return Math.max(0, cell.last + shape.windowMs - nowMs);
  }
  return shape.windowMs;
}

/** Milliseconds from `nowMs` until the oldest counted requests leave the window; 0 when there are none. */
export function msUntilOldestLeaves(cells: WindowCells, shape: WindowShape, nowMs: number): number {
  const oldest = cells[0];
  return oldest ? Math.max(0, oldest.last + shape.windowMs - nowMs) : 0;
}

export const cellBytes = 12;

/**
 * Packs cells into `bytes` from `offset`, {@link cellBytes} a cell, big-endian: the cell's number since the epoch (32
 * bits), milliseconds from its start to its last request (32 bits), count (32 bits). Returns the offset after them.
 */
export function packCells(cells: WindowCells, shape: WindowShape, bytes: Buffer, offset: number): number {
  let at = offset;
  for (const cell of cells) {
    bytes.writeUInt32BE(cell.start / shape.cellMs, at);
    bytes.writeUInt32BE(cell.last - cell.start, at + 4);
    bytes.writeUInt32BE(cell.count, at + 8);
    at += cellBytes;
  }
  return at;
}

export function unpackCells(bytes: Buffer, shape: WindowShape, offset: number, end: number): WindowCells {
  const cells: WindowCell[] = [];
  for (let at = offset; at + cellBytes <= end; at += cellBytes) {
    const start = bytes.readUInt32BE(at) * shape.cellMs;
    cells.push({ start, last: start + bytes.readUInt32BE(at + 4), count: bytes.readUInt32BE(at + 8) });
  }
  return cells;
}
