// What reads a stranger's text takes time that grows with the text: each reader gets its own sample with one piece of its
// grammar repeated, at two sizes ten apart. Processor time of this thread is compared with itself, so that a slow or busy
// machine changes nothing.

import { describe, expect, it } from 'vitest';
import { ParseProblem } from '../../packages/capture/src/dependencies/parse-problem.ts';
import { grown, piecesOf, type Read, type Reader, readers } from './growth/readers.ts';

const largeLength = 60_000;
const times = 10;
/** How much longer a text may take than ten texts of a tenth: as long where the time is linear, ten times where it is quadratic. */
const mostGrowth = 4;
/** Processor time in microseconds below which nothing is asked: too little to compare. */
const littleTime = 30_000;

async function costOf(read: Read, text: string, rounds = 1): Promise<number> {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    try {
      await read(text);
    } catch (error) {
      if (!(error instanceof ParseProblem) && !/(?:Error|Exception)$/.test((error as Error).name))
        throw error;
    }
  }
  const { user, system: kernel } = process.threadCpuUsage(before);
  return user + kernel;
}

/** The pieces with which the time grows faster than the text. */
async function growsFastWith({ sample, read }: Reader, pieces = piecesOf(sample)): Promise<string[]> {
  const found: string[] = [];
  for (const piece of pieces) {
    const large = grown(sample, piece, largeLength);
    if ((await costOf(read, large)) < littleTime) continue;
    const small = grown(sample, piece, largeLength / times);
    // The least of several: whatever else a run costs is not the reader's. One small text would cost less than a tick of the clock.
    const least = async (text: string, rounds: number) =>
      Math.min(
        await costOf(read, text, rounds),
        await costOf(read, text, rounds),
        await costOf(read, text, rounds),
      );
    const [largeCost, smallCost] = [await least(large, 1), await least(small, times)];
    if (largeCost >= littleTime && largeCost > mostGrowth * smallCost)
      found.push(`${JSON.stringify(piece)}: ${smallCost} µs for ten, ${largeCost} µs for one`);
  }
  return found;
}

describe('the time of a reader grows with its text, and no faster', () => {
  it.each(readers.map((reader) => [reader.name, reader] as const))(
    '%s',
    async (_, reader) => {
      expect(await growsFastWith(reader)).toEqual([]);
    },
    120_000,
  );

  it('is what this test would notice', async () => {
    const quadratic: Read = (text) => /\s+$/.test(`${text.slice(0, text.length / 4)}x`);
    expect(await growsFastWith({ name: 'x', sample: '', read: quadratic }, ['a', ' '])).not.toEqual([]);
  });
});
