// Ctrl-C and SIGTERM: clean up, then end the program.

import { exitCodes } from '../errors/cli-error.ts';

/** Undoes or finishes work. Returns true if it has printed the command's result, `stuck` if work continues. */
type Cleanup = () => unknown | Promise<unknown>;

const cleanups = new Set<Cleanup>();
let stopping = false;
let tellInterrupted: () => void = () => undefined;
const signals = ['SIGINT', 'SIGTERM'] as const;
const handlers: Partial<Record<(typeof signals)[number], () => void>> = {};

/** Registers a clean-up for an interruption. Returns a function that removes it. */
export function onInterrupt(cleanup: Cleanup): () => void {
  if (cleanups.size === 0) listen();
  cleanups.add(cleanup);
  return () => {
    if (cleanups.delete(cleanup) && cleanups.size === 0) giveSignalsBack();
  };
}

/** Waits for something outside of the program; Ctrl-C ends it with the exit code and the document of an interruption. */
export async function waitingFor<T>(work: () => Promise<T>): Promise<T> {
  const forget = onInterrupt(() => undefined);
  try {
    return await work();
  } finally {
    forget();
  }
}

/** Prints the message or document of an interruption. Set once, at the start. */
export function reportInterrupts(report: () => void): void {
  tellInterrupted = report;
}

/**
 * Ends the program on SIGINT (exit code 130) and SIGTERM (143) after the clean-up; a second signal ends it at once. Only while
 * there is something to clean up or wait for: otherwise a signal ends the program directly, however busy it is.
 */
function listen(): void {
  const stop = async (signal: (typeof signals)[number], exitCode: number): Promise<void> => {
    if (stopping) endBy(signal);
    stopping = true;
    const results = await Promise.all(
      [...cleanups].map(async (cleanup) => cleanup()).map((done) => done.catch(() => undefined)),
    );
    if (!results.includes(true)) tellInterrupted();
    // `process.exit` would wait for a thread that does not respond.
    if (results.includes('stuck')) endBy(signal);
    process.exit(exitCode);
  };
  handlers.SIGINT = () => void stop('SIGINT', exitCodes.interrupted);
  handlers.SIGTERM = () => void stop('SIGTERM', 128 + 15);
  for (const signal of signals) process.on(signal, handlers[signal] as () => void);
}

/** Restores the default effect of signals. */
function giveSignalsBack(): void {
  for (const signal of signals) if (handlers[signal]) process.off(signal, handlers[signal]);
}

/** Ends the program by the signal, whatever its threads are doing. */
function endBy(signal: (typeof signals)[number]): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Runs work that blocks the event loop: signals end the program at once, because a handler could not run. */
export function interruptible<T>(work: () => T): T {
  giveSignalsBack();
  try {
    return work();
  } finally {
    if (cleanups.size > 0) listen();
  }
}
