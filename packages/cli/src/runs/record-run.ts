// Records a run: captures its environment while it runs, stores that with the result, and finds what differs from the last run of
// this name that passed.

import type { CapturedSnapshot } from '@envsnap/capture';
import { judgeValue } from '@envsnap/capture/workspace/variables/secret-values';
import type { ComparableEnvironment, ComparisonReport } from '@envsnap/compare/workspace';
import { type RunOutcome, runOutcome } from '@envsnap/shared/run-outcome';
import { recordingTurn } from '../../plain/pending-recordings.js';
import { captureMachine, projectFolder } from '../actions/capture-machine.ts';
import { explainFailure } from '../actions/comparison/explain-failure.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { folderBelow, reportFromBelow } from '../actions/comparison/repairs-from-below.ts';
import { storeFingerprintKey } from '../connection/fingerprint-key.ts';
import { exitCodes } from '../errors/cli-error.ts';
import { describeError, type ErrorReport } from '../errors/error-report.ts';
import type { FirstFailure } from './explain-first-failure.ts';
import type { MissingCommand } from './find-missing-command.ts';
import { installedSince } from './installed-since.ts';
import { findTestReports, readTestReports } from './read-test-reports.ts';
import { newestRun, type SnapshotStore } from './snapshot-store.ts';

interface RunStart {
  readonly of: string | undefined;
  readonly machineName: string | undefined;
  readonly junit: readonly string[];
  readonly ctrf: readonly string[];
  readonly command: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The connection flags, for the next command. */
  readonly connection: readonly string[];
}

export interface RunEnd {
  /** Null if a signal ended it; 126 or 127 if it could not be started. */
  readonly exitCode: number | null;
  /** Whether there is no such command, so that nothing ran. */
  readonly isMissing?: boolean;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The end of each stream; absent if it could not be read. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Whether somebody waits for the message. */
  readonly answers: boolean;
  /** The destination of the message; null if nobody waits. */
  readonly screen: { readonly isTTY: boolean; readonly columns: number } | null;
}

export interface RecordedRun {
  /** Null if it could not be stored. */
  readonly id: string | null;
  readonly refusal: ErrorReport | null;
  readonly outcome: RunOutcome;
  readonly failedNames: readonly string[];
  readonly start: RunStart;
  readonly end: RunEnd;
  /** The last run of this name that passed; null if none has, or if this one passed. */
  readonly against: ComparableEnvironment | null;
  readonly report: ComparisonReport | null;
  /** The explanation of a failure without a comparison. */
  readonly first: FirstFailure | null;
  /** Explanations of the failure from this machine, one sentence each. */
  readonly explanations: readonly string[];
  /** The command that was not found, which is why nothing is compared. */
  readonly missing: MissingCommand | null;
  /** How a command names the last run of this name that passed. */
  readonly reference: string;
  readonly problems: readonly string[];
}

/** Undefined if `end` says that nothing is to be recorded. Calls `onReportsRead` when the test reports are no longer needed. */
export async function recordRun(
  start: RunStart,
  end: Promise<RunEnd | undefined>,
  store: SnapshotStore,
  onReportsRead: (end: RunEnd) => void,
): Promise<RecordedRun | undefined> {
  const key = await storeFingerprintKey(store);
  const { folder, found: above } = await projectFolder({ dir: undefined, workspace: undefined });
  const { machineName, of, startedAt } = start;
  const reports = end.then(async (ended) => {
    const isNamed = start.junit.length + start.ctrf.length > 0;
    // `run` ends before the recording of a run that passed, so the next run may overwrite its reports.
    const isSearched = !isNamed && ended?.answers === true && ended.exitCode !== 0 && !ended.isMissing;
    const read =
      ended && (await (isSearched ? findTestReports(startedAt) : readTestReports(start, startedAt)));
    if (ended) onReportsRead(ended);
    return read;
  });
  const [captured, ended, read, { withOutcome }] = await Promise.all([
    captureMachine({
      dir: folder,
      within: folderBelow(above),
      startedAt,
      // If there are few variables, as under cron, the command had no others.
      ofProcess: true,
      ...key,
      ...(machineName !== undefined && { machineName }),
    }).then((done) => ({ ...done, doneAt: Date.now() })),
    end,
    reports,
    import('@envsnap/capture'),
  ]);
  if (!ended || !read) return undefined;
  const { snapshot } = captured;
  const { tests, failureText } = read;
  const problems = [...read.problems];
  const result = ended.exitCode === 0 ? 'passed' : 'failed';
  const named = withOutcome(snapshot, { result, of: of ?? runNameOf(start.command) });
  const command = of === undefined && commandToKeep(start.command);
  const { outcome } = withOutcome(snapshot, {
    result,
    of: named.metadata.outcome.of,
    attempt: attemptOf(named, store),
    durationMs: ended.durationMs,
    ...(command && { command }),
    ...(tests && { tests }),
  }).metadata;
  const run = { ...snapshot, metadata: { ...snapshot.metadata, outcome } };
  // On a server, other runs may fail in the meantime. Only here is the newest failed run this one.
  const reference = of === undefined && 'local' in store ? 'last-passed' : `last-passed:${outcome.of}`;
  const { failedNames } = read;
  const alone = {
    outcome,
    failedNames,
    start,
    end: ended,
    problems,
    reference,
    against: null,
    report: null,
    first: null,
    explanations: [],
  };
  const output = [failureText, ended.stdout, ended.stderr].filter((text) => text).join('\n');
  const missing =
    result === 'failed' && ended.answers
      ? await missingCommand({ start, end: ended }, output, run, folder)
      : null;
  if (ended.isMissing) return { ...alone, id: null, refusal: null, missing };
  // Read before this run is stored, because storing may remove the oldest run.
  const against =
    result === 'failed' && ended.answers && !missing
      ? await newestRun(store, { result: 'passed', of: outcome.of })
      : undefined;
  await recordingTurn();
  const endedAt = startedAt + ended.durationMs;
  // A failure is explained nevertheless; a run that passed would become a wrong baseline.
  const isReadLater = result === 'passed' && captured.doneAt > endedAt;
  const changed = isReadLater ? await installedSince(folder, snapshot, endedAt) : undefined;
  const kept = changed === undefined ? await addTo(store, run) : { id: null, refusal: tooLate(changed) };
  const recorded = { ...alone, ...kept, missing };
  if (result === 'passed' || !ended.answers || missing) return recorded;
  const { createComparer, explanationsOf, readFailure } = await import('@envsnap/compare/workspace');
  const policy = await loadPolicy('.', undefined).catch((error: unknown) => {
    problems.push(`the policy was not applied: ${describeError(error).message}`);
    return undefined;
  });
  const failure = output === '' ? undefined : readFailure(output);
  const explanations = failure ? await explainFailure(failure, process.cwd()) : [];
  if (!against) {
    const { explainFirstFailure } = await import('./explain-first-failure.ts');
    const first = explainFirstFailure(snapshot, policy, failure, explanations, above);
    return { ...recorded, explanations: first.explanations, first };
  }
  const labels = { a: 'the run that passed', b: 'this run' };
  // Values of this machine may be shown on its own screen.
  const showValues = 'local' in store && 'safe';
  const sure = explanations.filter(({ isPossible }) => !isPossible);
  const rules = {
    labels,
    policy: policy?.loaded,
    explains: true,
    failure,
    showValues,
    explanations: sure,
  } as const;
  const report = reportFromBelow(createComparer(rules)(against, run), above);
  return { ...recorded, explanations: explanationsOf(report.comparison), against, report };
}

/** The command that was not found: the run's own, or one that its output names, if there is a known way to get it. */
async function missingCommand(
  { start, end }: { readonly start: RunStart; readonly end: RunEnd },
  output: string,
  run: CapturedSnapshot,
  folder: string,
): Promise<MissingCommand | null> {
  const { commandNotFoundIn, findMissingCommand, findMissingScript } = await import(
    './find-missing-command.ts'
  );
  if (end.exitCode !== 127) return findMissingScript(start.command, process.cwd());
  if (end.isMissing) return findMissingCommand(start.command, run, folder);
  const name = commandNotFoundIn(output);
  const found = name === undefined ? null : await findMissingCommand([name], run, folder);
  return found?.known.some((known) => !known.endsWith('?')) ? found : null;
}

function tooLate(file: string): ErrorReport {
  const message = `${file} changed after the command ended, but before envsnap read it`;
  return { code: 'changed_meanwhile', message, exitCode: exitCodes.failed, hint: 'Run the command again.' };
}

/** Stores a run. A refused one can still be compared, because a viewer may read runs that passed. */
async function addTo(store: SnapshotStore, run: CapturedSnapshot) {
  try {
    const { id } = 'client' in store ? await store.client.snapshots.create(run) : store.local.add(run);
    return { id, refusal: null };
  } catch (error) {
    return { id: null, refusal: describeError(error) };
  }
}

/** Which attempt at one job this is: from the CI service, or else the number of runs of one commit that failed in a row. */
function attemptOf(
  { metadata }: { readonly metadata: Record<string, unknown> },
  store: SnapshotStore,
): number {
  const { GITHUB_RUN_ATTEMPT, BUILDKITE_RETRY_COUNT } = process.env;
  const reported =
    Number(GITHUB_RUN_ATTEMPT) || (BUILDKITE_RETRY_COUNT ? Number(BUILDKITE_RETRY_COUNT) + 1 : 0);
  if (Number.isInteger(reported) && reported > 0) return reported;
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

const longestName = 100;
const longestCommand = 1000;

/** The words of a command, at most 100 characters. They end before the first secret: a name is stored and shown. */
export function runNameOf(command: readonly string[], longest = longestName): string {
  let name = '';
  for (const word of wordsOf(command)) {
    const longer = name === '' ? word : `${name} ${word}`;
    if (judgeValue(word, false) ?? judgeValue(longer, false))
      return cut(`${name} [redacted]`.trim(), longest);
    if (longer.length > longest) return cut(longer, longest);
    name = longer;
  }
  return name;
}

/** The whole command, so that a next step can repeat it; undefined if a word may be a secret. */
function commandToKeep(command: readonly string[]): readonly string[] | undefined {
  return runNameOf(command, longestCommand) === wordsOf(command).join(' ') ? command : undefined;
}

function wordsOf(command: readonly string[]): string[] {
  return command.flatMap((each) => each.split(/\s+/)).filter((each) => each !== '');
}

function cut(name: string, longest: number): string {
  return name.slice(0, longest).toWellFormed();
}
