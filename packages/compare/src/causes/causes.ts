// Which differences most likely explain that something works in A and not in B: a ranking, each with its reason.

import { withEvidence } from '../failure/find-evidence.ts';
import type { Failure } from '../failure/read-failure.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { type Cause, type DraftCause, placesOfDraft } from './cause.ts';
import { causeText } from './cause-of-entry.ts';
import { checkoutCauses } from './checkout-causes.ts';
import { installedCauses } from './installed-causes.ts';
import { mergeCauses } from './merge-causes.ts';
import { dependencyCauses } from './package-causes.ts';
import { type SideNames, sideNames } from './side-names.ts';
import { differenceWeight } from './weights.ts';

/**
 * The likely causes, the likeliest first, those before all others that the output of the failure names; context and what differs between any two machines come last. Entries in
 * `apart` are merged among themselves only: what somebody has accepted must not stand for something that counts.
 */
export function rankCauses(
  comparison: EnvironmentComparison,
  apart: Pick<ReadonlySet<Entry>, 'has'> = new Set(),
  failure?: Failure,
): Cause[] {
  const names = sideNames(comparison);
  const single: DraftCause[] = [];
  const alone: DraftCause[] = [];
  for (const section of ['os', 'arch', 'system', 'facts', 'runtimes', 'toolchain', 'env', 'paths'] as const) {
    for (const entry of comparison.sections[section]) {
      if (entry.status === 'same') continue;
      (apart.has(entry) ? alone : single).push(causeOf(entry, comparison, names));
    }
  }
  const found = [
    ...mergeCauses(single, comparison, names),
    ...mergeCauses(alone, comparison, names),
    ...dependencyCauses(comparison, names),
    ...installedCauses(comparison, names),
    ...checkoutCauses(comparison, names),
  ];
  const causes = found
    .sort((x, y) => y.weight - x.weight || (x.what < y.what ? -1 : x.what > y.what ? 1 : 0))
    .map((draft): Cause => {
      const { weight: score, ...rest } = draft;
      return { ...rest, score, members: placesOfDraft(draft), repair: null };
    });
  return failure ? withEvidence(causes, comparison, failure) : causes;
}

/** How far B may raise a limit by itself; undefined where that is not known, and for what is no limit. */
function hardLimitOf(
  { section, key }: Entry,
  { facts }: EnvironmentComparison['sections'],
): string | undefined {
  return section === 'facts'
    ? (facts.find((other) => other.key === `${key}Hard`)?.b ?? undefined)
    : undefined;
}

function causeOf(entry: Entry, { needs, sections }: EnvironmentComparison, names: SideNames): DraftCause {
  const mentionedIn = entry.section === 'env' ? needs.variables.get(entry.key) : undefined;
  return {
    weight: differenceWeight(entry, needs),
    section: entry.section,
    kind: entry.status === 'same' ? 'changed' : entry.status,
    keys: [entry.key],
    ...causeText(entry, names, { mentionedIn, hardLimit: hardLimitOf(entry, sections) }),
  };
}
