// Puts how a run ended into the snapshot of its environment, within the limits of a snapshot.

import { createHash } from 'node:crypto';
import {
  defaultRunName,
  longestRunName,
  type RunOutcome,
  type RunTests,
  ranBytes,
  testNamesKept,
} from '@envsnap/shared/run-outcome';
import type { CapturedSnapshot } from './capture-types.ts';

/** The tests of a run by name; {@link withOutcome} cuts the counts and lists. */
export interface TestsOfRun {
  readonly passed: number;
  readonly skipped?: number;
  readonly failed: readonly string[];
  /** Tests that failed and passed within the run. */
  readonly flaky?: readonly string[];
  /** Names of all tests that ran, in any order. Default: those that failed or were flaky. */
  readonly ran?: readonly string[];
}

/** How a run ended, as its caller knows it. `of` is by default the CI job of the snapshot, else `default`. */
export interface OutcomeOfRun extends Partial<Omit<RunOutcome, 'result' | 'tests'>> {
  readonly result: RunOutcome['result'];
  readonly tests?: TestsOfRun;
}

/** The snapshot with `metadata.outcome`. Names longer than 255 characters are cut. */
export function withOutcome<Snapshot extends Pick<CapturedSnapshot, 'metadata'>>(
  snapshot: Snapshot,
  { result, of, attempt, durationMs, command, tests }: OutcomeOfRun,
): Snapshot & { readonly metadata: Snapshot['metadata'] & { readonly outcome: RunOutcome } } {
  const outcome: RunOutcome = {
    result,
    of: (of || jobOf(snapshot.metadata)).slice(0, longestRunName),
    ...(attempt !== undefined && { attempt }),
    ...(durationMs !== undefined && { durationMs: Math.round(durationMs) }),
    ...(command && { command }),
    ...(tests && { tests: boundedTests(tests) }),
  };
  return { ...snapshot, metadata: { ...snapshot.metadata, outcome } };
}

function jobOf({ ci }: Record<string, unknown>): string {
  const { job } = (ci ?? {}) as { job?: unknown };
  return typeof job === 'string' && job !== '' ? job : defaultRunName;
}

function boundedTests({ passed, skipped = 0, ...tests }: TestsOfRun): RunTests {
  const [failed, flaky] = [sortedNames(tests.failed), sortedNames(tests.flaky ?? [])];
  const room = { names: testNamesKept, bytes: ranBytes };
  const [keptFailed, keptFlaky] = [namesWithin(failed, room), namesWithin(flaky, room)];
  const names = sortedNames(tests.ran ?? [...failed, ...flaky]);
  const digest = createHash('sha256').update(names.join('\n')).digest('hex');
  const fits = Buffer.byteLength(JSON.stringify(names)) <= ranBytes;
  return {
    passed,
    skipped,
    failed: keptFailed,
    flaky: keptFlaky,
    ...(failed.length > keptFailed.length && { failedMore: failed.length - keptFailed.length }),
    ...(flaky.length > keptFlaky.length && { flakyMore: flaky.length - keptFlaky.length }),
    ran: { digest, ...(fits && { names }) },
  };
}

/** The first names that fit into the remaining room, which shrinks accordingly. */
function namesWithin(names: readonly string[], room: { names: number; bytes: number }): string[] {
  const fitting: string[] = [];
  for (const name of names) {
    room.names -= 1;
    room.bytes -= Buffer.byteLength(JSON.stringify(name)) + 1;
    if (room.names < 0 || room.bytes < 0) break;
    fitting.push(name);
  }
  return fitting;
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.slice(0, longestRunName).toWellFormed()))].sort();
}
