// The public surface of the diagnosis: which differences separate failing runs from passing ones. docs/specification.md §13.

import type { ComparableEnvironment } from '../model/model.ts';
import { findCauses } from './find-causes.ts';
import type { Diagnosis, Outcome } from './model.ts';
import { addRun } from './read-features.ts';
import { RunTable } from './run-table.ts';

export { findCauses } from './find-causes.ts';
export { mixLists } from './mix-lists.ts';
export {
  type Diagnosis,
  type DiagnosisNote,
  type Finding,
  findingLimit,
  type Outcome,
  type Run,
} from './model.ts';
export { addRun } from './read-features.ts';
export { RunTable } from './run-table.ts';
export { type SearchResult, type Suspect, searchCause, type TrialResult } from './search-cause.ts';
export { tellRate } from './tell.ts';

export function diagnose(
  runs: readonly { readonly environment: ComparableEnvironment; readonly outcome: Outcome }[],
): Diagnosis {
  const table = new RunTable();
  for (const { environment, outcome } of runs) {
    if (table.isFull) break;
    const { machineName, createdAt } = environment;
    addRun(table, environment, { outcome, machineName, createdAt: createdAt ?? null });
  }
  return findCauses(table, { leftOut: runs.length - table.runs.length });
}
