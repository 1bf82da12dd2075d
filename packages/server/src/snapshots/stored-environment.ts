// Reads whole stored snapshots in the thread of jobs, and judges two of them as the command line does.

import {
  type ComparableEnvironment,
  type ComparisonReport,
  type ComparisonRules,
  compareEnvironments,
} from '@envsnap/compare';
import { carriedPolicy, PolicyError } from '@envsnap/compare/policy';
import type { Snapshot } from '@envsnap/shared';
import { toTimestamp } from '../infra/timestamp.ts';
import type { AskForRows, StoredColumn, StoredSnapshot } from './stored-rows.ts';

const columns: readonly StoredColumn[] = [
  ...(['machine_name', 'created_at', 'os', 'arch', 'runtime_versions'] as const),
  ...(['metadata', 'dependencies', 'env_vars'] as const),
];

/** Reads a snapshot with its variables. Errors: `snapshot_not_found`, for one that is not there any more. */
export async function readEnvironment(ask: AskForRows, id: string): Promise<Snapshot> {
  const [row] = (await ask({ ids: [id], columns, required: true })) as readonly StoredSnapshot[];
  return environmentOfRow(id, row as StoredSnapshot);
}

/** Parses a snapshot's row. */
export function environmentOfRow(id: string, row: Omit<StoredSnapshot, 'env_names'>): Snapshot {
  const { machine_name, created_at, os, arch, ...json } = row;
  return {
    id,
    machineName: machine_name,
    createdAt: toTimestamp(created_at),
    os,
    arch,
    runtimeVersions: JSON.parse(json.runtime_versions) as Record<string, string>,
    dependencies: JSON.parse(json.dependencies) as Record<string, Record<string, string>>,
    envVars: JSON.parse(json.env_vars) as Record<string, string>,
    metadata: JSON.parse(json.metadata) as Record<string, unknown>,
  };
}

/** A judged comparison. */
interface StoredVerdict {
  readonly report: ComparisonReport;
  /** Why the policy that B carries could not be used; null where it could, or where B carries none. */
  readonly policyProblem: string | null;
}

/** Compares and judges by the policy that B carries, if it does. */
export function judgeStored(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  rules: Pick<ComparisonRules, 'labels'> = {},
): StoredVerdict {
  const { policy, problem } = policyOf(b);
  return { report: compareEnvironments(a, b, { ...rules, policy }), policyProblem: problem };
}

function policyOf(side: ComparableEnvironment) {
  try {
    return { policy: carriedPolicy(side), problem: null };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return { policy: undefined, problem: error.message };
  }
}
