// Compares two stored snapshots, entry by entry, and applies the rules as the command line does: always in a thread, because the
// rules are loaded there.

import { causeToDocument } from '@envsnap/compare/formats/json';
import { unmetOf } from '@envsnap/compare/workspace';
import { judgeStored } from '@envsnap/compare/workspace/machines/verdict';
import { mostCauses, type operations, type ResponseOf, type Snapshot } from '@envsnap/shared';
import { compareSnapshots, summarizeComparison, type VariableComparison } from '@envsnap/shared/compare';
import { fingerprintKeyOf } from '@envsnap/shared/opaque-value';
import type { StoredJob, StoredSnapshot } from './snapshot-rows.ts';
import { readEnvironment, snapshotOf } from './stored-environment.ts';

/** How the response shows variables: names, whether their values differ, or values. */
type VariableMode = VariableComparison['mode'];

export interface ComparisonInput {
  readonly snapshotA: string;
  readonly snapshotB: string;
  readonly variables: VariableMode;
}

/** The snapshots themselves, if they are small. */
export interface RowsComparison extends ComparisonInput {
  readonly rows: { readonly a: ComparedRow; readonly b: ComparedRow };
}

export type ComparedRow = Omit<StoredSnapshot, 'env_names'>;

export type ComparisonAnswer = ResponseOf<typeof operations.compareSnapshots>;

export const compareInThread: StoredJob<ComparisonInput, ComparisonAnswer> = async (input, ask) =>
  compare(await readEnvironment(ask, input.snapshotA), await readEnvironment(ask, input.snapshotB), input);

export async function compareRows({ rows, ...input }: RowsComparison): Promise<ComparisonAnswer> {
  return compare(snapshotOf(input.snapshotA, rows.a), snapshotOf(input.snapshotB, rows.b), input);
}

function compare(a: Snapshot, b: Snapshot, { snapshotA, snapshotB, variables }: ComparisonInput) {
  const diff = compareSnapshots(a, b, variablesOf(a, b, variables));
  return { snapshotA, snapshotB, diff, summary: summarizeComparison(diff), ...judge(a, b) };
}

function judge(
  a: Snapshot,
  b: Snapshot,
): Pick<ComparisonAnswer, 'verdict' | 'counting' | 'causes' | 'notes'> {
  const { report, policyProblem } = judgeStored(a, b);
  const unmet = unmetOf(report);
  const notes = [
    ...(policyProblem === null ? [] : [{ code: 'policy_unusable', message: policyProblem }]),
    ...unmet.map(({ message }) => ({ code: 'expectation_unmet', message })),
    ...report.comparison.notes,
  ];
  return {
    // The command refuses such a policy. A caller that reads only the verdict must not pass a build that the policy should stop.
    verdict: policyProblem === null ? report.verdict : 'failed',
    counting: report.counting.size,
    causes: report.causes.slice(0, mostCauses).map(causeToDocument),
    notes: notes.slice(0, mostCauses),
  };
}

function variablesOf(a: Snapshot, b: Snapshot, mode: VariableMode): VariableComparison {
  if (mode === 'names') return { mode, a: Object.keys(a.envVars), b: Object.keys(b.envVars) };
  const sameFingerprintKey = fingerprintKeyOf(a.metadata) === fingerprintKeyOf(b.metadata);
  return { mode, sameFingerprintKey, a: a.envVars, b: b.envVars };
}
