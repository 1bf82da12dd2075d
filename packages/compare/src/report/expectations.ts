// Combines a policy's unmet expectations with the causes of a comparison: their order, and the advice on each.

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

/** The position of the first open cause for each subject. */
function placesBySubject(causes: readonly Cause[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  causes.forEach(({ section, keys: [key = ''], accepted }, place) => {
    const subject = subjectOf({ section, key });
    if (accepted === undefined && !places.has(subject)) places.set(subject, place);
  });
  return places;
}

const subjectOfCheck = (check: PolicyCheck) => subjectOf(shownBy(check)[0]);

/** Finds the cause whose repair meets an expectation, so that the two give one advice. */
export function causeFinder(causes: readonly Cause[]): (check: PolicyCheck) => Cause | undefined {
  const places = placesBySubject(causes);
  return (check) => {
    // The policy contains the variable's value, its cause does not.
    if (check.outcome !== 'violated' || (check.rule === 'env' && !check.metByA)) return undefined;
    return causes[places.get(subjectOfCheck(check)) ?? causes.length];
  };
}

/** The expectations that B does not meet, the one of the likeliest cause first. */
export function unmetOf({
  policy,
  causes,
}: {
  readonly policy: { readonly checks: readonly PolicyCheck[] } | null;
  readonly causes: readonly Cause[];
}): PolicyCheck[] {
  const places = placesBySubject(causes);
  const placeOf = (check: PolicyCheck) => places.get(subjectOfCheck(check)) ?? causes.length;
  return violations(policy?.checks ?? [])
    .map((check) => ({ check, place: placeOf(check) }))
    .sort((x, y) => x.place - y.place)
    .map(({ check }) => check);
}
