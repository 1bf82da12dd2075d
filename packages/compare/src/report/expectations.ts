// The expectations of a policy beside the causes of a comparison: what is not met, in which order, and which cause advises on it.

import type { Cause } from '../causes/cause.ts';
import { toolOfKey } from '../model/model.ts';
import type { Shown } from '../policy/accepted.ts';
import { shownBy } from '../policy/check-policy.ts';
import type { PolicyCheck } from '../policy/policy.ts';

export function violations(checks: readonly PolicyCheck[]): PolicyCheck[] {
  return checks.filter((check) => check.outcome === 'violated');
}

export function uncheckedExpectations(checks: readonly PolicyCheck[]): number {
  return checks.filter(({ outcome }) => outcome === 'unknown').length;
}

/** The common subject of an expectation and a difference: `node` for a runtime and for its declared version. */
export function subjectOf({ section, key }: Shown[0]): string {
  return section === 'runtimes' || section === 'toolchain' ? toolOfKey(key) : key;
}

/** The place of the open cause that an expectation also speaks of; behind all of them if there is none. */
function placeOfCause(check: PolicyCheck, causes: readonly Cause[]): number {
  const subject = subjectOf(shownBy(check)[0]);
  const place = causes.findIndex(
    ({ section, keys: [key = ''], accepted }) =>
      accepted === undefined && subjectOf({ section, key }) === subject,
  );
  return place < 0 ? causes.length : place;
}

/** The cause whose repair meets an expectation, so that the two give one advice. */
export function causeBehind(check: PolicyCheck, causes: readonly Cause[]): Cause | undefined {
  // The policy names the value of a variable, its cause does not.
  if (check.outcome !== 'violated' || (check.rule === 'env' && !check.metByA)) return undefined;
  return causes[placeOfCause(check, causes)];
}

/** What B does not meet, that of the likeliest cause first. */
export function unmetOf({
  policy,
  causes,
}: {
  readonly policy: { readonly checks: readonly PolicyCheck[] } | null;
  readonly causes: readonly Cause[];
}): PolicyCheck[] {
  const unmet = violations(policy?.checks ?? []);
  return unmet
    .map((check) => ({ check, place: placeOfCause(check, causes) }))
    .sort((x, y) => x.place - y.place)
    .map(({ check }) => check);
}
