// The comparison of two snapshots, by number of packages; a tenth of them differ. Captures are sorted; the shuffled case shows
// the cost of a snapshot from another source.

import { compareSnapshots } from '@envsnap/shared';
import { type Figure, median, type SuiteResult } from '../result.ts';

const rounds = 15;

function createSide(packages: number, order: 'sorted' | 'shuffled', changed: (index: number) => boolean) {
  const entries = Array.from({ length: packages }, (_, index): [string, string] => [
    `@scope-${index % 100}/package-${index}`,
    changed(index) ? `${index}.2.4` : `${index}.2.3`,
  ]);
  if (order === 'sorted') entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node: '24.1.0' },
    dependencies: { 'package-lock.json': Object.fromEntries(entries) },
  };
}

/** Measures 1,000, 10,000 and 50,000 packages per side. */
export async function run(): Promise<SuiteResult> {
  const figures: Figure[] = [];
  for (const [packages, order] of [
    [1000, 'sorted'],
    [10_000, 'sorted'],
    [50_000, 'sorted'],
    [50_000, 'shuffled'],
  ] as const) {
    const a = createSide(packages, order, () => false);
    const b = createSide(packages, order, (index) => index % 10 === 0);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedMs = performance.now();
      compareSnapshots(a, b, { mode: 'names', a: [], b: [] });
      times.push(performance.now() - startedMs);
    }
    figures.push({
      name: `${packages.toLocaleString('en')} packages a side, ${order}`,
      value: median(times),
      unit: 'ms',
      ...(packages === 50_000 ? { aim: '< 100 ms' } : {}),
    });
  }
  return { suite: 'compare', rounds, figures };
}
