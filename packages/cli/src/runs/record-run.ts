// Records a run: captures its environment while it goes on, keeps it with how it ended, and finds what differs from the last run
// of its name that passed.

import type { CapturedSnapshot } from '@envsnap/capture';
import type { ComparableEnvironment, ComparisonReport } from '@envsnap/compare/workspace';
import { type RunOutcome, runOutcome } from '@envsnap/shared/run-outcome';
import { recordingTurn } from '../../bin/pending-recordings.js';
import { captureMachine } from '../actions/capture-machine.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { projectFolder } from '../actions/project-folder.ts';
import { storeFingerprintKey } from '../actions/references/snapshot-sources.ts';
import { describeError, type ErrorReport } from '../errors/error-report.ts';
import { readTestReports } from './read-test-reports.ts';
import { newestRun, type SnapshotStore } from './snapshot-store.ts';

/** A run that has begun. */
interface RunStart {
  readonly of: string | undefined;
  readonly machineName: string | undefined;
  readonly junit: readonly string[];
  readonly ctrf: readonly string[];
  readonly command: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The flags that lead to the store, for the next command. */
  readonly connection: readonly string[];
}

/** How it ended. */
export interface RunEnd {
  /** Null when a signal ended it; 126 and 127 when it could not be started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The last of each stream; absent where it could not be seen. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Whether somebody waits for what there is to say. */
  readonly answers: boolean;
  /** What the answer is written to; null where nobody waits. */
  readonly screen: { readonly isTTY: boolean; readonly columns: number } | null;
}

/** A run that was recorded. */
export interface RecordedRun {
  /** Null where it could not be stored. */
  readonly id: string | null;
  /** Why it could not. */
  readonly refusal: ErrorReport | null;
  readonly outcome: RunOutcome;
  readonly start: RunStart;
  readonly end: RunEnd;
  /** The last run of this name that passed; null where none has, and where this one passed. */
  readonly against: ComparableEnvironment | null;
  /** What differs from it. */
  readonly report: ComparisonReport | null;
  readonly problems: readonly string[];
}

/**
 * Records a run; undefined when `end` says that there is nothing to record. `onReportsRead` is called once the reports of its
 * tests are no longer needed.
 */
export async function recordRun(
  start: RunStart,
  end: Promise<RunEnd | undefined>,
  store: SnapshotStore,
  onReportsRead: (end: RunEnd) => void,
): Promise<RecordedRun | undefined> {
  const key = await storeFingerprintKey(store);
  const { folder } = await projectFolder({ dir: undefined, workspace: undefined });
  const { machineName, of, startedAt } = start;
  const reports = end.then(async (ended) => {
    const read = ended && (await readTestReports(start, start.startedAt));
    if (ended) onReportsRead(ended);
    return read;
  });
  const [{ snapshot }, ended, read, { withOutcome }] = await Promise.all([
    captureMachine({
      dir: folder,
      startedAt,
      // Few variables, as cron leaves them, are those that the command had.
      ofProcess: true,
      ...key,
      ...(machineName !== undefined && { machineName }),
    }),
    end,
    reports,
    import('@envsnap/capture'),
  ]);
  if (!ended || !read) return undefined;
  const { tests, failureText } = read;
  const problems = [...read.problems];
  const result = ended.exitCode === 0 ? 'passed' : 'failed';
  const named = withOutcome(snapshot, { result, ...(of !== undefined && { of }) });
  const { outcome } = withOutcome(snapshot, {
    result,
    of: named.metadata.outcome.of,
    attempt: attemptOf(named, store),
    durationMs: ended.durationMs,
    ...(tests && { tests }),
  }).metadata;
  const run = { ...snapshot, metadata: { ...snapshot.metadata, outcome } };
  // Asked for before this run is stored: the store may remove the oldest.
  const against =
    result === 'failed' && ended.answers
      ? await newestRun(store, { result: 'passed', of: outcome.of })
      : undefined;
  await recordingTurn();
  const stored = await addTo(store, run);
  const recorded = { ...stored, outcome, start, end: ended, problems };
  if (!against) return { ...recorded, against: null, report: null };
  const { createComparer, readFailure } = await import('@envsnap/compare/workspace');
  const policy = await loadPolicy('.', undefined).catch((error: unknown) => {
    problems.push(`the policy was not applied: ${describeError(error).message}`);
    return undefined;
  });
  const labels = { a: 'the run that passed', b: 'this run' };
  const output = [failureText, ended.stdout, ended.stderr].filter((text) => text).join('\n');
  const failure = output === '' ? undefined : readFailure(output);
  const report = createComparer({ labels, policy: policy?.loaded, explains: true, failure })(against, run);
  return { ...recorded, against, report };
}

/** Stores a run. One that is refused is worth comparing all the same: a viewer may read what passed. */
async function addTo(store: SnapshotStore, run: CapturedSnapshot) {
  try {
    const { id } = 'client' in store ? await store.client.snapshots.create(run) : store.local.add(run);
    return { id, refusal: null };
  } catch (error) {
    return { id: null, refusal: describeError(error) };
  }
}

/** Which attempt at one job this is: as the CI service says, else the number of runs of one commit that failed in a row. */
function attemptOf(
  { metadata }: { readonly metadata: Record<string, unknown> },
  store: SnapshotStore,
): number {
  const { GITHUB_RUN_ATTEMPT, BUILDKITE_RETRY_COUNT } = process.env;
  const told = Number(GITHUB_RUN_ATTEMPT) || (BUILDKITE_RETRY_COUNT ? Number(BUILDKITE_RETRY_COUNT) + 1 : 0);
  if (Number.isInteger(told) && told > 0) return told;
  const commit = commitOf(metadata);
  const { of } = runOutcome(metadata) ?? {};
  if ('client' in store || commit === undefined || of === undefined) return 1;
  let attempt = 1;
  for (const head of store.local.list({ of })) {
    if (head.result === 'passed' || commitOf(store.local.load(head).metadata) !== commit) break;
    attempt += 1;
  }
  return attempt;
}

function commitOf({ git }: Record<string, unknown>): unknown {
  return (git as { commit?: unknown } | undefined)?.commit;
}
