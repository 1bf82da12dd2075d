// Compares two snapshots by reference, and says which differences count.

import { hostname } from 'node:os';
import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import {
  type ComparisonReport,
  type ComparisonRules,
  createComparer,
  environmentOf,
  type LoadedPolicy,
  PatternError,
} from '@envsnap/compare/workspace';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { settleRecordings } from '../../../plain/pending-recordings.js';
import { CliError } from '../../errors/cli-error.ts';
import { failedName, type SnapshotStore } from '../../runs/snapshot-store.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { isFile } from '../references/expand-files.ts';
import { resolveSnapshot, type SnapshotSources } from '../references/resolve-snapshot.ts';
import { isStored, parseReference, type SnapshotReference } from '../references/snapshot-reference.ts';
import { explainFailure } from './explain-failure.ts';
import { baselineOf, describePolicyError, type FoundPolicy } from './load-policy.ts';
import { reportFromBelow } from './repairs-from-below.ts';

export interface Pair {
  readonly a: PairSide;
  readonly b: PairSide;
  readonly stored: boolean;
}

export interface PairSide {
  readonly text: string;
  readonly reference: SnapshotReference;
  /** The reference to the failed run, if this side was chosen because of it. */
  readonly failedRun?: string | undefined;
}

/** Parses the arguments of compare; the second side is this machine by default. */
export function parsePair(a: string | PairSide, b: string | undefined): Pair {
  const side = (text: string) => ({ text, reference: parseReference(text, isFile) });
  const sides = { a: typeof a === 'string' ? side(a) : a, b: side(b ?? 'local') };
  return { ...sides, stored: isStored(sides.a.reference) || isStored(sides.b.reference) };
}

/** The sides to compare. Without an argument, A is the policy's baseline or else the usual one. */
export async function choosePair(
  a: string | undefined,
  b: string | undefined,
  policy: FoundPolicy | undefined,
  store: () => Promise<SnapshotStore>,
): Promise<Pair> {
  return parsePair(a ?? baselineOf(policy) ?? (await usualSide(await store())), b);
}

/** After a failed run, its last run that passed here; otherwise the last snapshot of this machine. */
async function usualSide(store: SnapshotStore): Promise<PairSide> {
  const machineName = hostname();
  const run = await lastRunHere(store, machineName);
  if (!run) return { text: `latest:${machineName}`, reference: { kind: 'latest', machineName } };
  const reference = { kind: 'run', result: 'passed', of: run.of, machineName: run.machineName } as const;
  // Others may have failed on a server in the meantime.
  const name = 'client' in store ? `:${run.of}` : '';
  return {
    text: `last-passed${name}`,
    reference,
    failedRun: run.hasFailed ? `last-failed${name}` : undefined,
  };
}

/** The run to explain: without a server the last one that failed, otherwise the last snapshot if it is a failed run. */
async function lastRunHere(
  store: SnapshotStore,
  machineName: string,
): Promise<{ of: string; hasFailed: boolean; machineName: string | undefined } | undefined> {
  await settleRecordings();
  if ('local' in store) {
    const [newest] = store.local.list();
    if (!newest) return undefined;
    const runName = (await failedName(store)) ?? newest.of;
    const [last = newest] = store.local.list({ of: runName });
    return { of: runName, hasFailed: last.result === 'failed', machineName: undefined };
  }
  const { snapshots } = await store.client.snapshots.list({ machineName, limit: 1 });
  const outcome = runOutcome(snapshots[0]?.metadata);
  return outcome?.result === 'failed' ? { of: outcome.of, hasFailed: true, machineName } : undefined;
}

/** Loads both sides at the same time: this machine is captured while the server responds. */
export async function loadSides({ a, b }: Pair, sources: SnapshotSources) {
  return Promise.all([resolveSnapshot(a.reference, sources), resolveSnapshot(b.reference, sources)]);
}

/**
 * Loads both sides, compares them and says what counts. Rules are checked before anything is loaded. If both sides are stored and
 * there is no policy, the policy in B applies, unless `carried` is false. `above`: the project relative to the working folder, for
 * repairs of B in it.
 */
export async function compareReferences(
  pair: Pair,
  sources: SnapshotSources,
  rules: ComparisonRules,
  { carried = true, above }: { readonly carried?: boolean; readonly above?: string | undefined } = {},
): Promise<ComparisonReport> {
  const explanations =
    rules.failure && pair.b.reference.kind === 'local'
      ? (await explainFailure(rules.failure, process.cwd())).filter(({ isPossible }) => !isPossible)
      : undefined;
  const judged = {
    ...rules,
    explanations,
    labels: { a: pair.a.text, b: pair.b.text },
    saysLacking: [pair.a, pair.b].some(({ reference }) => reference.kind === 'process'),
  };
  const compare = readRules(judged);
  const [a, b] = await loadSides(pair, sources);
  if (rules.showValues === true) requireValues(pair, a, b);
  const bothStored = isStored(pair.a.reference) && isStored(pair.b.reference);
  const policy = carried && rules.policy === undefined && bothStored ? await carriedBy(b) : undefined;
  const comparer = policy === undefined ? compare : readRules({ ...judged, policy });
  const report = interruptible(() => comparer(a, b));
  return (await isHere(pair.b, sources)) ? reportFromBelow(report, above) : report;
}

/** Whether B is this project: as it is now, or in a run that is recorded here. */
async function isHere({ reference }: PairSide, { store }: SnapshotSources): Promise<boolean> {
  return reference.kind === 'local' || (reference.kind === 'run' && 'local' in (await store()));
}

/** The policy in a stored snapshot. Exit code 2 if it cannot be used. */
async function carriedBy(environment: ComparableEnvironment): Promise<LoadedPolicy | undefined> {
  if (environmentOf(environment).policy === undefined) return undefined;
  const { carriedPolicy } = await import('@envsnap/compare/policy');
  try {
    return interruptible(() => carriedPolicy(environment));
  } catch (error) {
    throw describePolicyError(error, true);
  }
}

/** Values can only be shown if both sides have them. */
function requireValues(pair: Pair, a: ComparableEnvironment, b: ComparableEnvironment): void {
  const isNamesOnly = (side: ComparableEnvironment) => environmentOf(side).capture.namesOnly;
  const without = isNamesOnly(a) ? pair.a : isNamesOnly(b) ? pair.b : undefined;
  if (without === undefined) return;
  const message = `--show-values needs values on both sides, but ${without.text} was captured without values`;
  const hint = 'Capture it with --env-values safe (the default), or compare without --show-values.';
  throw new CliError(message, { code: 'values_unreadable', hint });
}

function readRules(rules: ComparisonRules) {
  try {
    return createComparer(rules);
  } catch (error) {
    if (error instanceof PatternError) throw new CliError(error.message, { code: 'usage' });
    throw error;
  }
}
