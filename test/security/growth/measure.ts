// Measures how a reader's time grows with its input. Only processor times of this thread are compared with each other, so that a
// slow or busy machine changes nothing.

import { ParseProblem } from '../../../packages/capture/src/dependencies/parse-problem.ts';

/** How many times larger the large case is than the small one. */
export const times = 10;
/** How much longer a large case may take than ten small ones; ten times as long if the time is quadratic. */
const mostGrowth = 4;
/** Processor time in microseconds below which nothing is judged: too little to compare. */
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

/** The problem if a large case takes much longer than the same amount of small ones; else undefined. */
export async function growsFast(
  large: () => unknown,
  small: () => unknown,
  rounds = times,
): Promise<string | undefined> {
  const first = await costOf(large, 1);
  if (first < littleTime) return undefined;
  // Most grow linearly, which shows at once or after their code is compiled.
  const enough = (mostGrowth / 2) * (await costOf(small, rounds));
  if (first < enough || (await costOf(large, 1)) < enough) return undefined;
  // The least of many: other costs, such as garbage collection and compilation, are not the reader's. One small case would cost
  // less than a tick of the clock.
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
