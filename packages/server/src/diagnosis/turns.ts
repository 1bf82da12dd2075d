// Lets long work share the server's one thread: a few diagnoses at a time, each in short slices.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Shares the thread among diagnoses and everything else. */
export interface TurnTaking {
  /** Runs work when fewer than two others are under way; waits until then. */
  one<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets others work, if this slice has lasted long enough. */
  pause(): Promise<void>;
}

/** How long the thread is kept at a stretch, in milliseconds. */
const sliceMs = 8;
/** Diagnoses at once: each holds its table in memory. */
const most = 2;

/** Creates the taking of turns of one server. */
export function createTurnTaking(): TurnTaking {
  const waiting: (() => void)[] = [];
  let running = 0;
  let sliceStartMs = performance.now();

  async function pause(): Promise<void> {
    if (performance.now() - sliceStartMs < sliceMs) return;
    await nextTurn();
    sliceStartMs = performance.now();
  }

  return {
    pause,
    async one(work) {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        sliceStartMs = performance.now();
        return await work();
      } finally {
        // The place goes to the next one, or is free again.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
