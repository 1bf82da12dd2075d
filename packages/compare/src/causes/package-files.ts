// Counts the packages of each dependency file, and finds out whether only one file differs.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import type { EnvironmentComparison } from '../model/model.ts';

export interface PackageFiles {
  readonly sizes: ReadonlyMap<string, number>;
  /** The only one of several files whose packages differ; undefined if there is none, or more than one. */
  readonly only: string | undefined;
}

const known = new WeakMap<EnvironmentComparison, PackageFiles>();

/** The number of packages in each file, counted once per comparison, because there may be 100,000. */
export function packageFiles(comparison: EnvironmentComparison): PackageFiles {
  const files = known.get(comparison) ?? countPackages(comparison);
  known.set(comparison, files);
  return files;
}

function countPackages({ sections }: EnvironmentComparison): PackageFiles {
  const sizes = new Map<string, number>();
  const drifted = new Set<string>();
  for (const { file = '', status } of sections.dependencies) {
    sizes.set(file, (sizes.get(file) ?? 0) + 1);
    if (status !== 'same' && packageDatabaseOf(file) === undefined) drifted.add(file);
  }
  const [only] = drifted;
  return { sizes, only: sizes.size > 1 && drifted.size === 1 ? only : undefined };
}
