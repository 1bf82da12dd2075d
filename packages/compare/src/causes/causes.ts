// Which differences most likely explain that something works in A and not in B: a ranking, each with its reason.

import type { Entry, EnvironmentComparison, SectionName } from '../model/model.ts';
import { causeText } from './cause-of-entry.ts';
import { checkoutCauses } from './checkout-causes.ts';
import { mergeCauses } from './merge-causes.ts';
import { dependencyCauses, installedCauses } from './package-causes.ts';
import { type SideNames, sideNames } from './side-names.ts';
import { entryWeight } from './weights.ts';

/** A likely cause: one entry, or several that are one thing to a reader. */
export interface Cause {
  /** 0 to 100, the likelier the higher. Only the order has a meaning. */
  readonly weight: number;
  readonly section: SectionName;
  /** Keys of the entries it stands for. */
  readonly keys: readonly string[];
  /** Entries of other sections that it stands for too: a time zone beside the variable `TZ`. */
  readonly also?: readonly { readonly section: SectionName; readonly key: string }[] | undefined;
  /** What differs, as part of a sentence: `DATABASE_URL is set on anna-mbp, not on ci-runner`. */
  readonly what: string;
  /** What to do about it, as part of a sentence: `set DATABASE_URL on ci-runner`. */
  readonly advice: string;
}

/**
 * The likely causes, the likeliest first; context and what differs between any two machines come last. Entries in
 * `apart` are merged among themselves only: what somebody has accepted must not speak for something that counts.
 */
export function rankCauses(
  comparison: EnvironmentComparison,
  apart: ReadonlySet<Entry> = new Set(),
): Cause[] {
  const names = sideNames(comparison);
  const single: Cause[] = [];
  const alone: Cause[] = [];
  for (const section of ['os', 'arch', 'system', 'facts', 'runtimes', 'toolchain', 'env', 'paths'] as const) {
    for (const entry of comparison.sections[section]) {
      if (entry.status === 'same') continue;
      (apart.has(entry) ? alone : single).push(causeOf(entry, comparison, names));
    }
  }
  const causes = [
    ...mergeCauses(single, comparison, names),
    ...mergeCauses(alone, comparison, names),
    ...dependencyCauses(comparison, names),
    ...installedCauses(comparison, names),
    ...checkoutCauses(comparison, names),
  ];
  return causes.sort((x, y) => y.weight - x.weight || (x.what < y.what ? -1 : x.what > y.what ? 1 : 0));
}

function causeOf(entry: Entry, { needs }: EnvironmentComparison, names: SideNames): Cause {
  const mentionedIn = entry.section === 'env' ? needs.variables.get(entry.key) : undefined;
  return {
    weight: entryWeight(entry, needs),
    section: entry.section,
    keys: [entry.key],
    ...causeText(entry, names, mentionedIn),
  };
}
