// Shares the turns of the server's thread: what comes at one moment is not all done in one turn, in which nobody else is heard.

import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTick } from 'node:process';
import type { Readable } from 'node:stream';
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

const connections = new Set<Readable>();
/** Those that had their part of a turn, the one that goes on next before the others. */
const resting = new Set<Readable>();
let readingSinceMs: number | undefined;
let isPacing = false;

/** Lets a connection rest until the next turn when all of them together have had their part of this one. */
export function paceReads(stream: Readable): void {
  connections.add(stream);
  stream.once('close', () => connections.delete(stream));
  // Before others who listen, so that their work counts.
  stream.prependListener('data', async () => {
    readingSinceMs ??= beginReading();
    await handedOn();
    if (hasReadEnough()) for (const each of connections) resting.add(each.pause());
  });
}

function hasReadEnough(): boolean {
  return readingSinceMs !== undefined && performance.now() - readingSinceMs > turnMs;
}

function beginReading(): number {
  if (!isPacing) setImmediate(readOn);
  isPacing = true;
  return performance.now();
}

async function readOn(): Promise<void> {
  readingSinceMs = undefined;
  for (const each of [...resting]) {
    resting.delete(each);
    each.resume();
    await handedOn();
    if (hasReadEnough()) break;
  }
  isPacing = resting.size > 0 || readingSinceMs !== undefined;
  if (isPacing) setImmediate(readOn);
}
