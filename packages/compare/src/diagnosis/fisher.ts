// Fisher's exact test for two-by-two tables: the probability that chance alone produces such a table, or a rarer one.

const logFactorials = [0, 0];

function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next += 1) {
    logFactorials.push((logFactorials[next - 1] as number) + Math.log(next));
  }
  return logFactorials[n] as number;
}

/** Tables whose probabilities differ by less than this share are equally likely; R's `fisher.test` allows the same. */
const relativeTolerance = 1e-7;

/** The two-sided p-value, as R's `fisher.test` computes it: the total probability of all tables with the same margins
 * that are no likelier than this one. The trait occurs in `hits` of `draws` failing runs and in `otherHits` of
 * `otherDraws` passing runs. All are whole numbers from 0; the result is from 0 to 1. */
export function fisherExact(hits: number, draws: number, otherHits: number, otherDraws: number): number {
  const margins = marginsOf(hits + otherHits, draws, otherDraws);
  const limit = probability(hits, margins) * (1 + relativeTolerance);
  let sum = 0;
  for (let count = margins.least; count <= margins.most; count += 1) {
    const chance = probability(count, margins);
    if (chance <= limit) sum += chance;
  }
  return Math.min(1, sum);
}

/** The smallest p-value of any table with these margins. A test that can never be significant is not counted. */
export function smallestPValue(allHits: number, draws: number, otherDraws: number): number {
  const { least, most } = marginsOf(allHits, draws, otherDraws);
  const atLeast = fisherExact(least, draws, allHits - least, otherDraws);
  return Math.min(atLeast, fisherExact(most, draws, allHits - most, otherDraws));
}

interface Margins {
  readonly allHits: number;
  readonly draws: number;
  readonly otherDraws: number;
  readonly least: number;
  readonly most: number;
  readonly logWays: number;
}

function marginsOf(allHits: number, draws: number, otherDraws: number): Margins {
  return {
    allHits,
    draws,
    otherDraws,
    least: Math.max(0, allHits - otherDraws),
    most: Math.min(allHits, draws),
    logWays: logChoose(draws + otherDraws, allHits),
  };
}

function probability(hits: number, { allHits, draws, otherDraws, logWays }: Margins): number {
  return Math.exp(logChoose(draws, hits) + logChoose(otherDraws, allHits - hits) - logWays);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
