// Compares two snapshots: pure, one pass over each section, output sorted by key in code-unit order. Used by the
// server and, without a server, by the CLI.

import type {
  AttributeDifference,
  ComparisonDiff,
  ComparisonSummary,
  DependencyDifference,
  DifferenceCounts,
  RuntimeDifference,
  VariableDifference,
} from './comparison.ts';
import { areComparable } from './opaque-value.ts';
import type { StringMap } from './plain-object.ts';

/** The compared parts of a snapshot. */
export interface ComparableSnapshot {
  readonly os: string | null;
  readonly arch: string | null;
  readonly runtimeVersions: StringMap;
  readonly dependencies: Record<string, StringMap>;
}

/**
 * How variables are compared. `names`: names only. `status`: values too, but none is returned. `values`: values are
 * returned. docs/specification.md §4.
 */
export type VariableComparison =
  | { readonly mode: 'names'; readonly a: readonly string[]; readonly b: readonly string[] }
  | {
      readonly mode: 'status' | 'values';
      readonly a: StringMap;
      readonly b: StringMap;
      /** Whether one key made the fingerprints of both sides; otherwise they cannot be compared. */
      readonly sameFingerprintKey: boolean;
    };

/** Compares two snapshots section by section. Entries are sorted by key; keys such as `__proto__` are ordinary. */
export function compareSnapshots(
  a: ComparableSnapshot,
  b: ComparableSnapshot,
  variables: VariableComparison,
): ComparisonDiff {
  return {
    os: compareAttribute(a.os, b.os),
    arch: compareAttribute(a.arch, b.arch),
    runtimes: compareRuntimes(a.runtimeVersions, b.runtimeVersions),
    dependencies: compareDependencies(a.dependencies, b.dependencies),
    envVars: compareVariables(variables),
  };
}

/** Counts a diff's entries by state; an os or arch on one side only counts as added or removed. */
export function summarizeComparison(diff: ComparisonDiff): ComparisonSummary {
  return {
    os: countStatuses([attributeStatus(diff.os)]),
    arch: countStatuses([attributeStatus(diff.arch)]),
    runtimes: countStatuses(diff.runtimes.map(attributeStatus)),
    dependencies: countStatuses(diff.dependencies.map((entry) => entry.status)),
    envVars: countStatuses(diff.envVars.map((entry) => entry.status)),
  };
}

type Status = DependencyDifference['status'];

/** State of an attribute or runtime: `added` if only B has it, `removed` if only A has it. */
export function attributeStatus(entry: AttributeDifference): Status {
  if (entry.match) return 'same';
  return entry.a === null ? 'added' : entry.b === null ? 'removed' : 'changed';
}

function countStatuses(statuses: readonly Status[]): DifferenceCounts {
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const status of statuses) counts[status] += 1;
  return counts;
}

function compareAttribute(a: string | null, b: string | null): AttributeDifference {
  return { a, b, match: a === b };
}

function compareRuntimes(a: StringMap, b: StringMap): RuntimeDifference[] {
  const differences: RuntimeDifference[] = [];
  mergeKeys(sortedKeys(a), sortedKeys(b), (key, inA, inB) => {
    differences.push({
      key,
      ...compareAttribute(inA ? (a[key] as string) : null, inB ? (b[key] as string) : null),
    });
  });
  return differences;
}

function compareDependencies(
  a: Record<string, StringMap>,
  b: Record<string, StringMap>,
): DependencyDifference[] {
  const differences: DependencyDifference[] = [];
  const empty: StringMap = {};
  mergeKeys(sortedKeys(a), sortedKeys(b), (file, fileInA, fileInB) => {
    const packagesA = fileInA ? (a[file] as StringMap) : empty;
    const packagesB = fileInB ? (b[file] as StringMap) : empty;
    mergeKeys(sortedKeys(packagesA), sortedKeys(packagesB), (name, inA, inB) => {
      const left = inA ? (packagesA[name] as string) : null;
      const right = inB ? (packagesB[name] as string) : null;
      differences.push({
        key: `${file}/${name}`,
        a: left,
        b: right,
        status: statusOf(inA, inB, left === right),
        file,
        package: name,
      });
    });
  });
  // Sorting the files does not sort the joined keys: `a-b/x` sorts before `a/x`.
  return differences.sort((x, y) => (x.key < y.key ? -1 : Number(x.key > y.key)));
}

function compareVariables(variables: VariableComparison): VariableDifference[] {
  const differences: VariableDifference[] = [];
  if (variables.mode === 'names') {
    mergeKeys([...variables.a].sort(), [...variables.b].sort(), (key, inA, inB) => {
      differences.push({ key, status: statusOf(inA, inB, true) });
    });
    return differences;
  }
  const { a, b, mode, sameFingerprintKey } = variables;
  mergeKeys(sortedKeys(a), sortedKeys(b), (key, inA, inB) => {
    const left = inA ? (a[key] as string) : null;
    const right = inB ? (b[key] as string) : null;
    const comparable = left === null || right === null || areComparable(left, right, sameFingerprintKey);
    const difference: VariableDifference = { key, status: statusOf(inA, inB, !comparable || left === right) };
    if (mode === 'values') Object.assign(difference, { a: left, b: right });
    if (!comparable) difference.comparable = false;
    differences.push(difference);
  });
  return differences;
}

/** The state of an entry: `added` if only B has it, `removed` if only A has it. */
export function statusOf(inA: boolean, inB: boolean, equal: boolean): Status {
  if (inA && inB) return equal ? 'same' : 'changed';
  return inB ? 'added' : 'removed';
}

/** Own keys in code-unit order. */
export const sortedKeys = (map: object): string[] => Object.keys(map).sort();

/** Walks two sorted lists of keys together and visits each key once, in order. */
export function mergeKeys(
  a: readonly string[],
  b: readonly string[],
  visit: (key: string, inA: boolean, inB: boolean) => void,
): void {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && (right === undefined || left < right)) {
      visit(left, true, false);
      i += 1;
    } else if (right !== undefined && (left === undefined || right < left)) {
      visit(right, false, true);
      j += 1;
    } else {
      visit(left as string, true, true);
      i += 1;
      j += 1;
    }
  }
}
