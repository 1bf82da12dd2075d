// Ctrl-C: runs what has to be undone, then ends the program with exit code 130.

import { exitCodes } from './exit-codes.ts';

const cleanups = new Set<() => void | Promise<void>>();
let interrupted = false;

/**
 * Registers work to do when the user interrupts (remove a half-written file, stop a receiver). Returns a function that
 * takes the registration back.
 */
export function onInterrupt(cleanup: () => void | Promise<void>): () => void {
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
  };
}

/** Handles SIGINT for the whole program; `report` prints what is to be printed. A second SIGINT ends at once. */
export function handleInterrupts(report: () => void): void {
  process.on('SIGINT', () => {
    if (interrupted) process.exit(exitCodes.interrupted);
    interrupted = true;
    void Promise.allSettled([...cleanups].map(async (cleanup) => cleanup())).then(() => {
      report();
      process.exit(exitCodes.interrupted);
    });
  });
}
