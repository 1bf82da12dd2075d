// Compares two stored snapshots: in the thread of jobs, or where they are small at once.

import type { operations, ResponseOf, StringMap } from '@envsnap/shared';
import { compareSnapshots, summarizeComparison, type VariableComparison } from '@envsnap/shared/compare';
import { fingerprintKeyOf } from '@envsnap/shared/opaque-value';
import type { StoredColumn, StoredJob, StoredSnapshot } from './stored-rows.ts';

/** What is compared of the variables: names, values without showing them, or values. */
export type VariableMode = VariableComparison['mode'];

export interface ComparisonInput {
  readonly snapshotA: string;
  readonly snapshotB: string;
  readonly variables: VariableMode;
}

export type ComparisonAnswer = ResponseOf<typeof operations.compareSnapshots>;

type ComparedColumn = Exclude<StoredColumn, 'machine_name' | 'created_at' | 'env_names' | 'env_vars'>;

/** A side: its variables by name, or with their values. */
export type ComparedSnapshot = Pick<StoredSnapshot, ComparedColumn> &
  Partial<Pick<StoredSnapshot, 'env_names' | 'env_vars'>>;

/** Compares in the thread. Errors: `snapshot_not_found`, for one that is not there any more. */
export const compareInThread: StoredJob<ComparisonInput, ComparisonAnswer> = async (input, ask) => {
  const variables = input.variables === 'names' ? 'env_names' : 'env_vars';
  const columns: StoredColumn[] = ['os', 'arch', 'runtime_versions', 'metadata', 'dependencies', variables];
  const read = async (id: string) => {
    const [row] = await ask({ ids: [id], columns, required: true });
    return row as ComparedSnapshot;
  };
  return compareStored(await read(input.snapshotA), await read(input.snapshotB), input);
};

/** Compares two snapshots as they are stored. */
export function compareStored(
  a: ComparedSnapshot,
  b: ComparedSnapshot,
  { snapshotA, snapshotB, variables }: ComparisonInput,
): ComparisonAnswer {
  const diff = compareSnapshots(toComparable(a), toComparable(b), variablesOf(a, b, variables));
  return { snapshotA, snapshotB, diff, summary: summarizeComparison(diff) };
}

function toComparable(row: ComparedSnapshot) {
  return {
    os: row.os,
    arch: row.arch,
    runtimeVersions: JSON.parse(row.runtime_versions) as StringMap,
    dependencies: JSON.parse(row.dependencies) as Record<string, StringMap>,
  };
}

function variablesOf(a: ComparedSnapshot, b: ComparedSnapshot, mode: VariableMode): VariableComparison {
  if (mode === 'names') {
    return {
      mode,
      a: JSON.parse(a.env_names ?? '[]') as string[],
      b: JSON.parse(b.env_names ?? '[]') as string[],
    };
  }
  return {
    mode,
    sameFingerprintKey: keyOf(a) === keyOf(b),
    a: JSON.parse(a.env_vars ?? '{}') as StringMap,
    b: JSON.parse(b.env_vars ?? '{}') as StringMap,
  };
}

/** The key of a row's fingerprints; undefined when its capture named none. */
function keyOf(row: ComparedSnapshot): string | undefined {
  return fingerprintKeyOf(JSON.parse(row.metadata));
}
