// Finds the name that somebody probably meant.

import type { Spend } from '../work-budget.ts';

/** Longest text for which a name is suggested: people mistype words, not paragraphs. */
const longestText = 128;
/** Greater than the length of any suggested name, so that a beginning counts as nearer than one edit. */
const longestName = 100_000;

/**
 * The candidate nearest to the text by edits (ignoring case), if it is near enough to suggest. The work grows with the number
 * of candidates and the square of their length, so untrusted names need `spend`.
 */
export function nearestName(text: string, candidates: readonly string[], spend?: Spend): string | undefined {
  if (text.length > longestText) return undefined;
  spend?.(candidates.length * candidateSteps);
  const lower = text.toLowerCase();
  const limit = Math.max(1, Math.floor(lower.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    // The shortest name that begins with the text.
    const distance =
      name.startsWith(lower) && lower.length > 1
        ? (name.length - lower.length) / longestName
        : edits(lower, name, bestDistance, spend);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Steps for one candidate, and for comparing two characters. */
const candidateSteps = 20;
const cellSteps = 8;

/** Insertions, deletions, replacements and swaps of neighbours between two words; stops counting at `limit`. */
function edits(a: string, b: string, limit: number, spend: Spend | undefined): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    spend?.(b.length * cellSteps);
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (row[j - 1] as number) + 1,
        (last[j] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    // A swap reaches back two rows; beyond them the distance never falls again.
    if (Math.min(...row) >= limit && Math.min(...last) >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
