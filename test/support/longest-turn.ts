// Measures how long a test's thread is blocked at a stretch.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Processor time of the longest turn of this thread while something runs, in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let done = false;
  let longest = 0;
  const watched = work().finally(() => {
    done = true;
  });
  while (!done) {
    const before = process.threadCpuUsage();
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await watched;
  return longest;
}
