// Splits work on the server's thread into time slices, so that requests that arrive together do not block all others.

import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which no further work begins in a slice. */
const sliceMs = 5;

const waiting: (() => void)[] = [];
let busy = false;

/** Does work in this turn of the event loop, or in a later one once this slice is used up. First come, first served. */
export function inTimeSlice<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  // In the caller's context, such as its transaction and trace.
  const start = AsyncLocalStorage.bind(() => {
    try {
      resolve(work());
    } catch (error) {
      reject(error);
    }
  });
  waiting.push(start);
  if (!busy) void runWaiting();
  return promise;
}

async function runWaiting(): Promise<void> {
  busy = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const startMs = performance.now(); next; next = waiting.shift()) {
      next();
      await continuationsRun();
      if (performance.now() - startMs > sliceMs) break;
    }
    await nextTurn();
  }
  busy = false;
}

/** Resolves when the code that awaited the finished work has continued, still in this turn of the event loop. */
function continuationsRun(): Promise<void> {
  // Ticks run one after the other, then the microtasks of promises, before further ticks.
  return new Promise((resolve) => nextTick(() => queueMicrotask(() => nextTick(resolve))));
}
