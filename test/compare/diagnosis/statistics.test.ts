// The statistics of the diagnosis compared with published values and exact arithmetic.

import { describe, expect, it } from 'vitest';
import { falseDiscoveryRates } from '../../../packages/compare/src/diagnosis/find-causes.ts';
import { fisherExact, smallestPValue } from '../../../packages/compare/src/diagnosis/fisher.ts';

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i += 1) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return k < 0 || k > n ? 0n : ways;
}

/** The two-sided p-value in whole numbers. */
function exact(hits: number, draws: number, otherHits: number, otherDraws: number): number {
  const all = hits + otherHits;
  const ways = (count: number) => choose(draws, count) * choose(otherDraws, all - count);
  let sum = 0n;
  for (let count = 0; count <= draws; count += 1) if (ways(count) <= ways(hits)) sum += ways(count);
  return Number((sum * 10n ** 18n) / choose(draws + otherDraws, all)) / 1e18;
}

describe("Fisher's exact test", () => {
  // R 4.3: fisher.test(matrix(c(…), 2))$p.value
  it.each([
    [3, 4, 1, 4, 0.4857142857],
    [8, 10, 1, 6, 0.03496503497],
    [1, 10, 11, 14, 0.002759456185],
    [12, 12, 0, 31, 6.519466559e-11],
    [10, 10, 0, 10, 1.082508822e-5],
    [3, 3, 0, 3, 0.1],
  ])('gives what R gives for %i of %i against %i of %i', (hits, draws, otherHits, otherDraws, expected) => {
    expect(fisherExact(hits, draws, otherHits, otherDraws)).toBeCloseTo(expected, 9);
    expect(fisherExact(hits, draws, otherHits, otherDraws) / expected).toBeCloseTo(1, 8);
  });

  it('agrees with exact arithmetic on every table of up to 9 and 7 runs', () => {
    for (let draws = 1; draws <= 9; draws += 1) {
      for (let hits = 0; hits <= draws; hits += 1) {
        for (let otherHits = 0; otherHits <= 7; otherHits += 1)
          expect(fisherExact(hits, draws, otherHits, 7)).toBeCloseTo(exact(hits, draws, otherHits, 7), 10);
      }
    }
  });

  it('knows the smallest p-value that margins allow', () => {
    expect(smallestPValue(3, 3, 3)).toBeCloseTo(0.1, 12);
    expect(smallestPValue(1, 10, 10)).toBeCloseTo(1, 12);
    expect(smallestPValue(10, 10, 10)).toBeCloseTo(1.0825e-5, 9);
  });
});

describe('the false-discovery rate', () => {
  it('is what R’s p.adjust(method = "BH") gives', () => {
    expect(falseDiscoveryRates([0.01, 0.04, 0.03, 0.005])).toEqual([0.02, 0.04, 0.04, 0.02]);
    expect(falseDiscoveryRates([0.5, 0.0001, 0.9]).map((rate) => rate.toFixed(4))).toEqual([
      '0.7500',
      '0.0003',
      '0.9000',
    ]);
    expect(falseDiscoveryRates([])).toEqual([]);
  });
});
