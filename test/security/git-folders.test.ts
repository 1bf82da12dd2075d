// A repository of a few kilobytes can stand for any amount of work: entries, submodules, deltas and rules that multiply. Each part
// grows tenfold, and the processor time of the reader is compared with itself; its memory is limited.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { growingRepositories } from './growth/git-folders.ts';

/** Heap of the process that reads, and what reading one folder may add to its memory. */
const heapMegabytes = 400;
const mostMegabytes = 200;

interface Cost {
  readonly name: string;
  readonly unknown: readonly string[];
  readonly megabytes: number;
  /** Why its time grows too fast. */
  readonly problem?: string;
}

let root: string;
let costs: readonly Cost[];
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'growing-'));
  const program = path.resolve(import.meta.dirname, '../fixtures/read-git-folders.ts');
  const options = [`--max-old-space-size=${heapMegabytes}`, '--conditions=envsnap-source', '--no-warnings'];
  const { stdout } = spawnSync(process.execPath, [...options, program, root], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  costs = lines.map((line) => JSON.parse(line));
}, 130_000);
describe('the cost of a repository grows with what it holds, and no faster', () => {
  it.each(growingRepositories.map((folder) => [folder.name, folder] as const))('%s', (name, { unknown }) => {
    const cost = costs.find((each) => each.name === name);
    // Otherwise the reader never ended, or its memory was full.
    if (!cost) throw new Error(`was not read; the one before it: ${costs.at(-1)?.name ?? 'none'}`);
    expect(cost.unknown).toEqual(unknown === undefined ? [] : [unknown]);
    expect(cost.megabytes).toBeLessThan(mostMegabytes);
    expect(cost.problem).toBeUndefined();
  });
});
