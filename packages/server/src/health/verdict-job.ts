// Judges a snapshot against an earlier one, in the job thread, for the health of a project and its notices.

import { type Relation, verdictOn } from '@envsnap/compare/workspace/machines/verdict';
import type { SnapshotVerdict } from '@envsnap/shared/machine-state';
import type { StoredJob } from '../snapshots/snapshot-rows.ts';
import { readEnvironment } from '../snapshots/stored-environment.ts';

export interface VerdictInput {
  readonly snapshotId: string;
  /** The previous snapshot, or the run that passed; the same id if there is none. */
  readonly againstId: string;
  readonly kind: Relation;
}

/** Errors: `snapshot_not_found`, if one no longer exists. */
export const judgeSnapshot: StoredJob<VerdictInput, SnapshotVerdict> = async (
  { snapshotId, againstId, kind },
  ask,
) => {
  const b = await readEnvironment(ask, snapshotId);
  return verdictOn(againstId === snapshotId ? b : await readEnvironment(ask, againstId), b, kind);
};
