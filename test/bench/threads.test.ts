import { describe, expect, it } from 'vitest';
import { isSetAside, keyOfCause, readBatches, readDigests } from '../../bench/causes/threads.ts';

const batches = readBatches();
const threads = batches.flatMap((batch) => batch.threads);

/** Keys that more than `most` of the items have. */
function repeated<Item>(items: Item[], keyOf: (item: Item) => string, most: number): string[] {
  return [...Map.groupBy(items, keyOf)].filter(([, same]) => same.length > most).map(([key]) => key);
}

describe('the collected threads', () => {
  it('are frozen: each batch has its recorded digest', () => {
    const found = batches.map(({ name, digest, threads }) => ({
      batch: name,
      threads: threads.length,
      digest,
    }));
    expect(found).toEqual(readDigests().map(({ date, ...recorded }) => recorded));
  });

  it('holds no thread twice', () => {
    expect(repeated(threads, (one) => one.thread, 1)).toEqual([]);
  });

  it('holds at most two threads with exactly the same cause', () => {
    const visible = threads.filter((one) => one.visible);
    expect(repeated(visible, keyOfCause, 2)).toEqual([]);
  });

  it('sets about a quarter aside, by the hash of the thread alone', () => {
    const share = threads.filter(isSetAside).length / threads.length;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.35);
    expect(isSetAside({ thread: 'golang/go/issues/71363' })).toBe(true);
    expect(isSetAside({ thread: 'nodejs/node/issues/50504' })).toBe(false);
  });
});
