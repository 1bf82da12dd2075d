// Judges a snapshot's versions and facts by the policy that it carries. Separate from the matrix, because most callers
// show that without a policy.

import { printAddress } from '@envsnap/shared/address';
import { createWorkBudget } from '@envsnap/shared/work-budget';
import type { ComparableEnvironment } from '../model/model.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyOutcome } from './policy.ts';
import { carriedPolicy, type LoadedPolicy, PolicyError } from './policy-file.ts';

/** Address to outcome; empty for a snapshot without a policy. */
export type OwnOutcomes = ReadonlyMap<string, PolicyOutcome>;

/** The outcomes of each snapshot, all within one budget. Variables are left out. */
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

/** A policy with mistakes says nothing here: `compare` and `check` name them. */
function readCarried(snapshot: ComparableEnvironment): LoadedPolicy | undefined {
  try {
    return carriedPolicy(snapshot);
  } catch (error) {
    if (error instanceof PolicyError) return undefined;
    throw error;
  }
}
