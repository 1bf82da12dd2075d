// Readers of strangers' texts take time that grows linearly with the text: each reader gets its own sample with one piece of its
// grammar repeated, at two sizes ten apart. Readers that take a folder get one in which each part is repeated.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { installedRow, installedRows } from '../../packages/capture/src/installed/collect-installed.ts';
import { capturing, type GrowingFolder, growingFolders } from './growth/folders.ts';
import { growsFast, times } from './growth/measure.ts';
import { grown, piecesOf, type Read, type Reader, readers } from './growth/readers.ts';

/** Characters of the large text: the least at which a quadratic reader is noticed, and the number before a release. */
const lengths = { least: 45_000, release: 60_000 };

/** The pieces for which the time grows faster than the text. */
async function growsFastWith(
  reader: Reader,
  largeLength: number,
  pieces = piecesOf(reader),
): Promise<string[]> {
  const { sample, read } = reader;
  const found: string[] = [];
  for (const piece of pieces) {
    const large = grown(sample, piece, largeLength);
    const small = grown(sample, piece, largeLength / times);
    const problem = await growsFast(
      () => read(large),
      () => read(small),
    );
    if (problem) found.push(`${JSON.stringify(piece)}: ${problem}`);
  }
  return found;
}

describe('the time of a reader grows with its text, and no faster', () => {
  const named = readers.map((reader, place) => [reader.name, reader, place] as const);

  it.each(named)('%s, with one piece in twenty-four', async (_, reader, place) => {
    // Readers of one format share a sample: each uses other pieces of it.
    const pieces = piecesOf(reader).filter((_piece, index) => index % 24 === place % 24);
    expect(await growsFastWith(reader, lengths.least, pieces)).toEqual([]);
  });

  it.each(named)('%s, with every piece', { tags: 'release' }, async (_, reader) => {
    expect(await growsFastWith(reader, lengths.release)).toEqual([]);
  });

  it('is what this test would notice', { tags: 'release' }, async () => {
    const quadratic: Read = (text) => /\s+$/.test(`${text.slice(0, text.length / 4)}x`);
    const found = await growsFastWith({ name: 'x', sample: '', read: quadratic }, lengths.least, ['a', ' ']);
    expect(found).not.toEqual([]);
  });
});

describe('the time and memory of a capture grow with its folder, and no faster', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  /** Files below this size, in bytes, are not measured. */
  const littleMemory = 96 * 1024 * 1024;

  // Before a release, each reader has its folder.
  for (const [place, folder] of growingFolders.entries())
    it(folder.name, { tags: place % 10 === 1 ? [] : 'release' }, () => growsNoFaster(folder));

  async function growsNoFaster({ files, largest, isOfLinks }: GrowingFolder): Promise<void> {
    const [large, small] = [capturing(files(largest)), capturing(files(largest / times))];
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    let retained: Awaited<ReturnType<typeof large>> | undefined;
    const hold = async () => {
      retained = await large();
    };
    // Links have no content: many of them cost as much as a few.
    expect(await growsFast(hold, small, isOfLinks ? 1 : times)).toBeUndefined();
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(littleMemory);
    expect(Object.keys(retained?.installed ?? {})).toEqual(expect.any(Array));
  }

  it('for every reader of what is installed', () => {
    const covered = new Set(
      growingFolders.flatMap(({ files }) => Object.keys(files(1)).map((file) => installedRow(file))),
    );
    expect(installedRows.filter((row) => !covered.has(row))).toEqual([]);
  });

  it('is what this test would notice', { tags: 'release' }, async () => {
    const quadratic = (count: number) => () => {
      const known: number[] = [];
      for (let index = 0; index < count; index += 1) if (!known.includes(index)) known.push(index);
    };
    expect(await growsFast(quadratic(30_000), quadratic(3000))).toBeDefined();
  });
});
