// Judges a snapshot against an earlier one, in the job thread, for the health of a project and its notices.

import {
  type ComparisonReport,
  placesOf,
  violations,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import type { ShortCause } from '@envsnap/shared';
import type { StoredJob } from '../snapshots/snapshot-rows.ts';
import { judgeStored, readEnvironment } from '../snapshots/stored-environment.ts';

export interface VerdictInput {
  readonly snapshotId: string;
  /** The previous snapshot, or the run that passed; the same id if there is none. */
  readonly againstId: string;
  /** How the two are related, which decides their names in sentences. */
  readonly kind: 'machine' | 'run';
}

export interface SnapshotVerdict {
  /** How many differences count; null if the comparison took too much of the server's time. */
  readonly counting: number | null;
  /** The first expectation of its own policy that the newer one fails; null if it fails none. */
  readonly violation: ShortCause | null;
  /** The likeliest causes of what counts, at most {@link mostCauses}. */
  readonly causes: readonly ShortCause[];
}

const mostCauses = 3;
const longestSentence = 500;

/** Without names of machines, which would make the same cause differ between runners. */
export const sideLabels = {
  machine: { a: 'the snapshot before', b: 'this snapshot', at: { a: 'before', b: 'now' } },
  run: {
    a: 'the run that passed',
    b: 'this run',
    at: { a: 'in the run that passed', b: 'in this run' },
  },
} as const;

/** Errors: `snapshot_not_found`, if one no longer exists. */
export const judgeSnapshot: StoredJob<VerdictInput, SnapshotVerdict> = async (
  { snapshotId, againstId, kind },
  ask,
) => {
  const b = await readEnvironment(ask, snapshotId);
  const a = againstId === snapshotId ? b : await readEnvironment(ask, againstId);
  const { report } = judgeStored(a, b, { labels: sideLabels[kind] });
  const [violated] = violations(report.policy?.checks ?? []);
  return {
    counting: report.counting.size,
    violation: violated ? shortCause({ what: violated.message, advice: violated.advice }) : null,
    causes: countingCauses(report).slice(0, mostCauses).map(shortCause),
  };
};

function shortCause({ what, advice }: ShortCause): ShortCause {
  return { what: short(what), advice: short(advice) };
}

function countingCauses({ causes, counting }: ComparisonReport): ShortCause[] {
  const keys = new Set([...counting].map(({ section, key }) => `${section}\n${key}`));
  return causes.filter((cause) => placesOf(cause).some(({ section, key }) => keys.has(`${section}\n${key}`)));
}

function short(sentence: string): string {
  const text = withoutTerminalHints(sentence);
  return text.length > longestSentence ? `${text.slice(0, longestSentence).toWellFormed()}…` : text;
}
