// A repository of a few kilobytes can cause any amount of work: entries, submodules, deltas and rules multiply. Each part grows
// tenfold, and the reader's processor time for both sizes is compared; its memory is limited.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GrowingRepository, growingRepositories } from './growth/git-folders.ts';

/** Heap of the reading process, and the memory that reading one folder may add. */
const heapMegabytes = 400;
const mostMegabytes = 200;

interface Cost {
  readonly name: string;
  readonly unknown: readonly string[];
  readonly megabytes: number;
  /** The reason why its time grows too fast. */
  readonly problem?: string;
}

/** Reads growing repositories in a process whose memory is limited. */
function costsOf(names: readonly string[]): readonly Cost[] {
  const root = mkdtempSync(path.join(tmpdir(), 'growing-'));
  const program = path.resolve(import.meta.dirname, '../fixtures/read-git-folders.ts');
  const options = [`--max-old-space-size=${heapMegabytes}`, '--conditions=envsnap-source', '--no-warnings'];
  const { stdout } = spawnSync(process.execPath, [...options, program, root, ...names], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

describe('the cost of a repository grows with what it holds, and no faster', () => {
  // Before a release, each part grows; in the default run, every fifth.
  const sampled = growingRepositories.filter((_, place) => place % 5 === 1);
  describe('a sample', () => expectGrowth(sampled));
  const others = growingRepositories.filter((each) => !sampled.includes(each));
  describe('the others', { tags: 'release' }, () => expectGrowth(others));

  function expectGrowth(repositories: readonly GrowingRepository[]): void {
    let costs: readonly Cost[];
    beforeAll(() => {
      costs = costsOf(repositories.map(({ name }) => name));
    }, 130_000);
    it.each(repositories)('$name', ({ name, unknown }) => {
      const cost = costs.find((each) => each.name === name);
      // Otherwise the reader did not end, or ran out of memory.
      if (!cost) throw new Error(`was not read; the one before it: ${costs.at(-1)?.name ?? 'none'}`);
      expect(cost.unknown).toEqual(unknown === undefined ? [] : [unknown]);
      expect(cost.megabytes).toBeLessThan(mostMegabytes);
      expect(cost.problem).toBeUndefined();
    });
  }
});
