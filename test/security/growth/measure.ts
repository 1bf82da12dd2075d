// How what reads grows with what it reads. Processor time of this thread is compared with itself, so that a slow or busy machine
// changes nothing.

import { ParseProblem } from '../../../packages/capture/src/dependencies/parse-problem.ts';

/** How many times larger the large case is than the small one. */
export const times = 10;
/** How much longer a large case may take than ten small ones: as long where the time is linear, ten times where it is quadratic. */
const mostGrowth = 4;
/** Processor time in microseconds below which nothing is asked: too little to compare. */
const littleTime = 30_000;

async function costOf(run: () => unknown, rounds: number): Promise<number> {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ParseProblem) && !/(?:Error|Exception)$/.test((error as Error).name))
        throw error;
    }
  }
  const { user, system: kernel } = process.threadCpuUsage(before);
  return user + kernel;
}

/** What is wrong where a large case takes much longer than so many small ones; undefined if it does not. */
export async function growsFast(
  large: () => unknown,
  small: () => unknown,
  rounds = times,
): Promise<string | undefined> {
  const first = await costOf(large, 1);
  if (first < littleTime) return undefined;
  // Most grow as they should, which shows at once, or once what they run is compiled.
  const enough = (mostGrowth / 2) * (await costOf(small, rounds));
  if (first < enough || (await costOf(large, 1)) < enough) return undefined;
  // The least of many: whatever else a run costs, garbage and compilation too, is not the reader's. One small case would cost less
  // than a tick of the clock.
  const least = async (run: () => unknown, count: number) => {
    let cost = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 9; round += 1) cost = Math.min(cost, await costOf(run, count));
    return cost;
  };
  const [largeCost, smallCost] = [await least(large, 1), await least(small, rounds)];
  return largeCost >= littleTime && largeCost > mostGrowth * smallCost
    ? `${smallCost} µs for ${rounds} small, ${largeCost} µs for one large`
    : undefined;
}
