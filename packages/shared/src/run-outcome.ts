// `metadata.outcome`: the result of the run in an environment. Written in one form, and read in every earlier form too. Pure and
// without dependencies: captures, comparisons and the server share it.

import { field, textItemsOf } from './plain-object.ts';

export type RunResult = 'passed' | 'failed';

/** The tests of a run, as JUnit and CTRF reports name them. A test that did not run neither passed nor failed. */
export interface RunTests {
  /** Number of tests that passed at their first attempt. */
  readonly passed: number;
  readonly skipped: number;
  /** Names of tests that failed, sorted. Together with the flaky ones at most {@link testNamesKept} in {@link ranBytes}. */
  readonly failed: readonly string[];
  /** Names of tests that failed and passed within the run, sorted. */
  readonly flaky: readonly string[];
  /** Number of failed and flaky tests that are not named; absent if all are. */
  readonly failedMore?: number;
  readonly flakyMore?: number;
  /** Which tests ran. */
  readonly ran: {
    /** SHA-256 in hexadecimal digits of the sorted names, one per line: equal if the same tests ran. */
    readonly digest: string;
    /** The sorted names, if they fit into {@link ranBytes}. */
    readonly names?: readonly string[];
  };
}

/** How a run ended. Times in milliseconds. */
export interface RunOutcome {
  readonly result: RunResult;
  /** The name of the run; runs with one name are compared. */
  readonly of: string;
  /** Number of the attempt at the same job, starting at 1. */
  readonly attempt?: number;
  readonly durationMs?: number;
  /** The words of the command, if the run is named after it and no word is or may be a secret. */
  readonly command?: readonly string[];
  readonly tests?: RunTests;
}

/** Maximum number of names of failed and flaky tests together. */
export const testNamesKept = 1000;
/** Maximum bytes of a list of tests as JSON. It holds for the tests that ran, and for those that failed or were flaky. */
export const ranBytes = 32 * 1024;
/** Longest name of a run or a test that is kept, in characters. */
export const longestRunName = 255;

/** The default name of runs outside of CI. */
export const defaultRunName = 'default';

/**
 * The outcome of an environment's run, by its metadata; undefined if it has none. Snapshots of earlier releases hold the
 * result and the name as two texts.
 */
export function runOutcome(metadata: Readonly<Record<string, unknown>> | undefined): RunOutcome | undefined {
  const value = field(metadata, 'outcome');
  if (isResult(value)) return { result: value, of: nameOf(field(metadata, 'outcomeOf')) };
  const result = field(value, 'result');
  if (!isResult(result)) return undefined;
  const [attempt, durationMs] = [count(field(value, 'attempt')), count(field(value, 'durationMs'))];
  const command = textItemsOf(field(value, 'command'));
  const tests = testsOf(field(value, 'tests'));
  return {
    result,
    of: nameOf(field(value, 'of')),
    ...(attempt !== undefined && attempt > 0 && { attempt }),
    ...(durationMs !== undefined && { durationMs }),
    ...(command.length > 0 && { command }),
    ...(tests && { tests }),
  };
}

/** The result of one test in a run; `not-run` also if nothing says that it ran. */
export type TestResult = RunResult | 'not-run';

/** The result of one test in each run, or the candidates if the name is ambiguous. */
export type TestResults =
  | { readonly ambiguous: readonly string[] }
  | { readonly resultOf: (outcome: RunOutcome) => TestResult };

/**
 * Finds a test in these runs by its name, or by its class name and name with a dot between: reports name the class only if
 * two tests of a run have one name. A flaky test counts as failed, because one attempt in that environment failed.
 */
export function findTest(outcomes: Iterable<RunOutcome>, asked: string): TestResults {
  // The longest end of the text that is a test's name (names may have dots); the rest is its class.
  let plain = '';
  const qualified = new Set<string>();
  const ranWith = new Set<string>();
  for (const { tests } of outcomes) {
    if (!tests) continue;
    const names = [...tests.failed, ...tests.flaky, ...(tests.ran.names ?? [])];
    for (const name of names) {
      if (name.endsWith(`.${asked}`)) qualified.add(name);
      if (asked.endsWith(`.${name}`) && name.length > plain.length) plain = name;
    }
    // If the list of all names was too long to keep, an equal digest shows that the same tests ran.
    if (names.includes(asked)) ranWith.add(tests.ran.digest);
  }
  if (ranWith.size === 0 && qualified.size > 1) return { ambiguous: [...qualified].sort() };
  const [only] = qualified;
  const candidates = ranWith.size > 0 ? [asked] : only === undefined ? [plain] : [only];
  const matching = new Set([...candidates, ...(qualified.size === 1 ? qualified : [])]);
  return {
    resultOf({ tests }) {
      if (!tests) return 'not-run';
      const has = (names: readonly string[] = []) => names.some((name) => matching.has(name));
      if (has(tests.failed) || has(tests.flaky)) return 'failed';
      return has(tests.ran.names) || (!tests.ran.names && ranWith.has(tests.ran.digest))
        ? 'passed'
        : 'not-run';
    },
  };
}

function testsOf(value: unknown): RunTests | undefined {
  const ran = field(value, 'ran');
  const digest = field(ran, 'digest');
  const [passed, skipped] = [count(field(value, 'passed')), count(field(value, 'skipped'))];
  if (passed === undefined || skipped === undefined || typeof digest !== 'string') return undefined;
  const names = field(ran, 'names');
  const [failedMore, flakyMore] = [count(field(value, 'failedMore')), count(field(value, 'flakyMore'))];
  return {
    passed,
    skipped,
    failed: textItemsOf(field(value, 'failed')),
    flaky: textItemsOf(field(value, 'flaky')),
    ...(failedMore && { failedMore }),
    ...(flakyMore && { flakyMore }),
    ran: { digest, ...(Array.isArray(names) && { names: textItemsOf(names) }) },
  };
}

function isResult(value: unknown): value is RunResult {
  return value === 'passed' || value === 'failed';
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && value !== '' && value.length <= longestRunName ? value : defaultRunName;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
