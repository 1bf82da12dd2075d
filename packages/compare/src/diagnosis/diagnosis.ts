// The public surface of the diagnosis: which differences separate failing runs from passing ones. docs/specification.md §13.

import type { ComparableEnvironment } from '../model/model.ts';
import { findCauses } from './find-causes.ts';
import type { Diagnosis, Outcome } from './model.ts';
import { addRun } from './read-features.ts';
import { RunTable } from './run-table.ts';
import type { OwnRuns } from './suggest.ts';

export { findCauses } from './find-causes.ts';
export { rateText } from './finding-text.ts';
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

export function diagnose(
  runs: readonly { readonly environment: ComparableEnvironment; readonly outcome: Outcome }[],
  own?: OwnRuns,
): Diagnosis {
  const table = new RunTable();
  for (const { environment, outcome } of runs) {
    if (table.isFull) break;
    const { machineName, createdAt } = environment;
    addRun(table, environment, { outcome, machineName, createdAt: createdAt ?? null });
  }
  return findCauses(table, { leftOut: runs.length - table.runs.length, own });
}

interface ListMix {
  readonly inserted: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly orderOfA: boolean;
}

export function mixLists(a: readonly string[], b: readonly string[], mix: ListMix): string[] {
  const inA = new Set(a);
  const inB = new Set(b);
  const mixed = (mix.orderOfA ? a : b).filter((entry) => inA.has(entry) && inB.has(entry));
  for (const entry of a) {
    if (!inB.has(entry) && mix.inserted.has(entry)) insertAfterNeighbour(mixed, a, entry);
  }
  for (const entry of b) {
    if (!inA.has(entry) && !mix.removed.has(entry)) insertAfterNeighbour(mixed, b, entry);
  }
  return mixed;
}

function insertAfterNeighbour(mixed: string[], own: readonly string[], entry: string): void {
  for (let place = own.indexOf(entry) - 1; place >= 0; place -= 1) {
    const found = mixed.indexOf(own[place] as string);
    if (found >= 0) {
      mixed.splice(found + 1, 0, entry);
      return;
    }
  }
  mixed.unshift(entry);
}
