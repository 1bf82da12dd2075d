// Shares the turns of the server's thread: what comes at one moment is not all done in one turn, in which nobody else is heard.

import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which no further work begins in a turn. */
const turnMs = 5;

const waiting: (() => void)[] = [];
let busy = false;

/** Does work in this turn, or in a later one when others have had this one; what was asked for first comes first. */
export function inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  // In the context of whoever asked, such as its transaction and trace.
  const start = AsyncLocalStorage.bind(() => {
    try {
      resolve(work());
    } catch (error) {
      reject(error);
    }
  });
  waiting.push(start);
  if (!busy) void takeTurns();
  return promise;
}

async function takeTurns(): Promise<void> {
  busy = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const startMs = performance.now(); next; next = waiting.shift()) {
      next();
      await handedOn();
      if (performance.now() - startMs > turnMs) break;
    }
    await nextTurn();
  }
  busy = false;
}

/** Resolves when whoever waited for what has just happened has gone on, still in this turn. */
function handedOn(): Promise<void> {
  // Ticks come one after the other, and then whatever promises have led to, before further ticks.
  return new Promise((resolve) => nextTick(() => queueMicrotask(() => nextTick(resolve))));
}
