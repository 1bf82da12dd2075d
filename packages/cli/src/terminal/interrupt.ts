// Ctrl-C and SIGTERM: run what has to be undone, then end the program.

import { exitCodes } from '../errors/exit-codes.ts';

/** Undoes or finishes work. Returns true when it has printed the command's result itself. */
type Cleanup = () => unknown | Promise<unknown>;

const cleanups = new Set<Cleanup>();
let stopping = false;

/**
 * Registers work to do when the user interrupts (remove a half-written file, stop a receiver). Returns a function that
 * takes the registration back.
 */
export function onInterrupt(cleanup: Cleanup): () => void {
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
  };
}

/** Ends the program on SIGINT (exit code 130) and SIGTERM (143) after the clean-up; a second signal ends it at once. */
export function handleInterrupts(report: () => void): void {
  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) process.exit(exitCode);
    stopping = true;
    const results = await Promise.allSettled([...cleanups].map(async (cleanup) => cleanup()));
    const reported = results.some((result) => result.status === 'fulfilled' && result.value === true);
    if (!reported) report();
    process.exit(exitCode);
  };
  process.on('SIGINT', () => void stop(exitCodes.interrupted));
  process.on('SIGTERM', () => void stop(128 + 15));
}
