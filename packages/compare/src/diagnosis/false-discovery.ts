// The false-discovery rate of Benjamini and Hochberg: how many of what is called a finding may be chance.

/**
 * The q-value of each p-value: the smallest false-discovery rate at which it would be called a finding
 * (Benjamini and Hochberg 1995, the "step-up" adjustment). Same order as given.
 */
export function falseDiscoveryRates(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((x, y) => (pValues[y] ?? 1) - (pValues[x] ?? 1));
  const rates = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  for (const [place, index] of order.entries()) {
    const rank = pValues.length - place;
    smallest = Math.min(smallest, ((pValues[index] as number) * pValues.length) / rank);
    rates[index] = smallest;
  }
  return rates;
}
