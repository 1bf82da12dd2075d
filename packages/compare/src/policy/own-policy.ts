// Judges a snapshot's versions and facts by the policy in it. Separate from the matrix, which most callers show without
// a policy.

import { printAddress } from '@envsnap/shared/address';
import { createWorkBudget } from '@envsnap/shared/work-budget';
import type { ComparableEnvironment } from '../model/model.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyOutcome } from './policy.ts';
import { carriedPolicy, type LoadedPolicy, PolicyError } from './policy-file.ts';

/** Address → outcome; empty for a snapshot without a policy. */
export type OwnOutcomes = ReadonlyMap<string, PolicyOutcome>;

/** The outcomes of each snapshot, with one budget for all. Variables are left out. */
export function ownOutcomes(snapshots: readonly ComparableEnvironment[]): OwnOutcomes[] {
  const budget = createWorkBudget();
  return snapshots.map((snapshot) => {
    const carried = readCarried(snapshot);
    if (carried === undefined) return new Map();
    const { runtimes, facts, system } = carried.policy.expect ?? {};
    const expect = { ...(runtimes && { runtimes }), ...(facts && { facts }), ...(system && { system }) };
    const checks = checkPolicy({ ...carried, policy: { ...carried.policy, expect } }, snapshot, budget);
    return new Map(
      checks.flatMap(({ rule, key, outcome }) =>
        rule === 'runtimes' || rule === 'facts' || rule === 'system'
          ? [[printAddress({ section: rule, name: key }), outcome]]
          : [],
      ),
    );
  });
}

/** A policy with mistakes is ignored here; `compare` and `check` report them. */
function readCarried(snapshot: ComparableEnvironment): LoadedPolicy | undefined {
  try {
    return carriedPolicy(snapshot);
  } catch (error) {
    if (error instanceof PolicyError) return undefined;
    throw error;
  }
}
