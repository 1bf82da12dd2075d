// Finds the difference between two environments that makes a command fail here: measures both sides, searches, proves.

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { searchCause, type TrialResult } from '@envsnap/compare/diagnosis';
import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import type { CliError } from '../../errors/cli-error.ts';
import { type Change, type NotTried, runsExpected, type Side } from './bisect-change.ts';
import { cannotBeFound, type FailsIf, hasCode, neverJudged, skipsAlways } from './bisect-exit-codes.ts';
import { localLimits } from './bisect-facts.ts';
import { type CommandEnd, endRunningCommands, runCommand } from './bisect-run.ts';
import { invocationOf, newSetting, type RunSetting } from './bisect-setting.ts';
import { digestOfChanges, type JudgedRun, type KeptRun } from './stored-bisection.ts';

interface BisectOptions {
  readonly changes: readonly Change[];
  readonly notTried: readonly NotTried[];
  readonly command: readonly string[];
  readonly cwd: string;
  /** This machine as it is, for the limits with which runs begin. */
  readonly local: ComparableEnvironment;
  readonly env: NodeJS.ProcessEnv;
  /** How often each side runs before a conclusion. */
  readonly runs: number;
  readonly timeoutMs: number;
  readonly failsIf: FailsIf;
  readonly onProgress?: (event: BisectProgress) => void;
  /** Runs that were made before this bisection was stopped; they are not repeated. */
  readonly earlier?: readonly KeptRun[];
  readonly onRun?: (run: KeptRun) => void;
}

export type BisectProgress =
  | {
      readonly kind: 'side-measured';
      readonly side: Side;
      readonly rate: FailureRate;
      /** How many differences A's side has. */
      readonly differences: number;
    }
  | {
      readonly kind: 'run';
      /** From 1 on. */
      readonly number: number;
      /** About how many runs there will be. */
      readonly expected: number;
      /** Average time of a run in milliseconds; undefined before the first has ended. */
      readonly eachMs: number | undefined;
      readonly suspected: readonly Change[];
    };

export interface FailureRate {
  readonly failed: number;
  /** Runs that passed or failed, without those that were skipped or could not be judged. */
  readonly runs: number;
  /** How the last failing run ended: `exit code 1`, `SIGSEGV`, `timed out`; null if none failed. */
  readonly how: string | null;
}

export type BisectVerdict = 'proven' | 'unproven' | 'alike' | 'flaky' | 'nothing-to-try';

export interface BisectOutcome {
  readonly verdict: BisectVerdict;
  /** Sets of differences, each of which alone makes the command fail. */
  readonly causes: readonly (readonly Change[])[];
  /** The side on which the command fails; null if both sides have the same result. */
  readonly failingSide: Side | null;
  readonly sides: Readonly<Partial<Record<Side, FailureRate>>>;
  readonly runs: number;
  /** How many runs the command skipped with exit code 125. */
  readonly skipped: number;
  readonly notTried: readonly NotTried[];
  /** Folder with the output of each run; null if nothing was run. */
  readonly outputFolder: string | null;
}

/** The outcome before anything was run. */
const nothingRun = {
  causes: [],
  failingSide: null,
  sides: {},
  runs: 0,
  skipped: 0,
  outputFolder: null,
};

/** Writes only into a new temporary folder. Exit code 2 if no run of a side can be judged. */
export async function bisect(options: BisectOptions): Promise<BisectOutcome> {
  const { changes, notTried } = options;
  if (changes.length === 0) return { verdict: 'nothing-to-try', ...nothingRun, notTried };
  const folder = await mkdtemp(path.join(tmpdir(), 'envsnap-bisect-'));
  unfinished.add(folder);
  try {
    const outcome = await withFolder(options, folder);
    unfinished.delete(folder);
    return outcome;
  } catch (error) {
    await abandonBisections();
    throw error;
  }
}

const unfinished = new Set<string>();

/** Ends what is running and removes what was written; for Ctrl-C. */
export async function abandonBisections(): Promise<void> {
  endRunningCommands();
  const folders = [...unfinished];
  unfinished.clear();
  // A home folder that is read-only for a run must become writable before it can be removed.
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
}

async function withFolder(options: BisectOptions, folder: string): Promise<BisectOutcome> {
  const first = await attempt(options, folder);
  const doubtful = options.changes.filter(({ doubt }) => doubt !== undefined);
  if (first.verdict !== 'alike' || doubtful.length === 0) return first;
  // A failure only because A's folders do not exist here would hide everything else.
  const notTried = doubtful.map(({ id, doubt = '' }) => ({ key: id, reason: doubt }));
  const changes = options.changes.filter((change) => !doubtful.includes(change));
  if (changes.length === 0) return first;
  const second = await attempt({ ...options, changes }, folder, first);
  return { ...second, notTried: [...second.notTried, ...notTried] };
}

/** Measures, searches and proves with these differences. The runs of `before` are reused. */
async function attempt(
  options: BisectOptions,
  folder: string,
  before: RunCounts = { runs: 0, skipped: 0 },
): Promise<BisectOutcome> {
  const { changes, notTried, runs: repetitions } = options;
  const trials = createTrials(options, folder, before);
  const all = new Set(changes);
  const none = new Set<Change>();
  const sides: Partial<Record<Side, FailureRate>> = {};
  const outcome = (verdict: BisectVerdict, more: Partial<BisectOutcome> = {}): BisectOutcome => ({
    verdict,
    ...nothingRun,
    sides,
    ...trials.counts(),
    notTried,
    outputFolder: folder,
    ...more,
  });
  const measure = async (side: Side): Promise<FailureRate> => {
    const rate = await trials.measure(side === 'a' ? all : none, repetitions);
    const { failed = 0, runs = 0, how = null } = sides[side] ?? {};
    const whole = { failed: failed + rate.failed, runs: runs + rate.runs, how: rate.how ?? how };
    sides[side] = whole;
    return whole;
  };
  const notFound: boolean[] = [];
  for (const side of ['b', 'a'] as const) {
    const rate = await measure(side);
    notFound.push(trials.wasNotFound());
    if (side === 'a' && notFound.every(Boolean)) throw cannotBeFound(options.command);
    if (rate.runs === 0) {
      // The reason may be folders of A that do not exist here: leave them out next time.
      if (side === 'a' && isDoubtfulInPart(changes)) return outcome('alike');
      throw trials.nothingJudged(side);
    }
    options.onProgress?.({ kind: 'side-measured', side, rate, differences: changes.length });
    if (isMixed(rate)) return outcome('flaky');
  }
  const { a, b } = sides as Record<Side, FailureRate>;
  if (a.failed > 0 === b.failed > 0) {
    if (changes.some(({ doubt }) => doubt !== undefined)) return outcome('alike');
    // Two sides that seem alike may be a flaky command: run them again before saying so.
    for (const side of ['b', 'a'] as const) if (isMixed(await measure(side))) return outcome('flaky');
    return outcome('alike');
  }
  const failingSide: Side = a.failed > 0 ? 'a' : 'b';
  trials.knowFailure();
  // The search adds differences of the failing side. A run applies those that have A's value.
  const onSideA = (differences: ReadonlySet<Change>) =>
    failingSide === 'a' ? differences : new Set(changes.filter((change) => !differences.has(change)));
  const found = await searchCause(changes, {
    run: (differences) => trials.once(onSideA(differences)),
    onStep: trials.expect,
  });
  if (found.proven) return outcome('proven', { causes: found.causes, failingSide });
  // A search usually contradicts itself because the command does not always have the same result.
  for (const side of ['b', 'a'] as const) if (isMixed(await measure(side))) return outcome('flaky');
  return outcome('unproven', { causes: found.causes, failingSide });
}

function isDoubtfulInPart(changes: readonly Change[]): boolean {
  const doubtful = changes.filter(({ doubt }) => doubt !== undefined);
  return doubtful.length > 0 && doubtful.length < changes.length;
}

function isMixed({ failed, runs }: FailureRate): boolean {
  return failed > 0 && failed < runs;
}

type RunCounts = Pick<BisectOutcome, 'runs' | 'skipped'>;

function createTrials(options: BisectOptions, folder: string, before: RunCounts) {
  const { changes, command, cwd, timeoutMs, failsIf, earlier = [] } = options;
  let { runs, skipped } = before;
  let last: JudgedRun | undefined;
  let suspected = changes;
  let expected = runs + runsExpected(changes.length, options.runs);
  const took: number[] = [];
  const failures = new Set<string>();
  let failuresKnown = false;

  async function run(onSideA: ReadonlySet<Change>): Promise<JudgedRun> {
    const set = digestOfChanges(onSideA);
    const known = earlier[runs]?.set === set ? earlier[runs] : undefined;
    runs += 1;
    const judged = known ?? (await runNow(onSideA));
    if (!known) options.onRun?.({ ...judged, set });
    last = judged;
    if (judged.result === 'skipped') skipped += 1;
    return judged;
  }

  async function runNow(onSideA: ReadonlySet<Change>): Promise<JudgedRun> {
    const eachMs = took.length === 0 ? undefined : took.reduce((sum, ms) => sum + ms) / took.length;
    const number = runs;
    options.onProgress?.({ kind: 'run', number, expected: Math.max(expected, number), eachMs, suspected });
    const setting = newSetting(options.env);
    localLimits(options.local, setting);
    for (const change of changes) change.apply(setting, onSideA.has(change) ? 'a' : 'b');
    const runFolder = path.join(folder, `run-${String(runs).padStart(2, '0')}`);
    const home = await makeHome(setting, runFolder);
    const startedMs = performance.now();
    const end = await runCommand(invocationOf(setting, command, home), {
      cwd,
      timeoutMs,
      outputFolder: runFolder,
    });
    took.push(performance.now() - startedMs);
    if (home !== undefined) await removeHome(home);
    // Ctrl-C ended the run and is about to end the program: ignore the run and start no other.
    if (!unfinished.has(folder)) return new Promise(() => undefined);
    return judge(end, failsIf);
  }

  return {
    counts: (): RunCounts => ({ runs, skipped }),
    /** The remaining suspects, and about how many runs are left. */
    expect(now: readonly Change[], left: number): void {
      suspected = now;
      expected = runs + left;
    },
    wasNotFound: () => last?.notFound === true,
    /** Why no run of a side could be judged, from the last run. */
    nothingJudged(side: Side): CliError {
      if (last?.result !== 'unclear') return skipsAlways(side);
      if (last.notFound) return cannotBeFound(command, `side ${side.toUpperCase()}`);
      return neverJudged(side, last.how);
    },
    /** From now on, a failure of another kind than those seen so far is unclear. */
    knowFailure(): void {
      failuresKnown = true;
    },
    async measure(onSideA: ReadonlySet<Change>, repetitions: number): Promise<FailureRate> {
      let failed = 0;
      let judged = 0;
      let how: string | null = null;
      // A missing command is not tried again.
      for (let each = 0; each < repetitions && !(each > 0 && last?.notFound); each += 1) {
        const ended = await run(onSideA);
        if (ended.result === 'skipped' || ended.result === 'unclear') continue;
        judged += 1;
        if (ended.result === 'passed') continue;
        failed += 1;
        how = ended.how;
        if (!failuresKnown) failures.add(ended.kind);
      }
      return { failed, runs: judged, how };
    },
    async once(onSideA: ReadonlySet<Change>): Promise<TrialResult> {
      const { result, kind } = await run(onSideA);
      if (result === 'passed') return 'passed';
      return result === 'failed' && failures.has(kind) ? 'failed' : 'unclear';
    },
  };
}

function judge(end: CommandEnd, failsIf: FailsIf): JudgedRun {
  const ended = { how: howItEnded(end), notFound: hasCode(end, 127, failsIf) };
  if (hasCode(end, 125, failsIf)) return { ...ended, result: 'skipped', kind: '' };
  const kind = kindOfFailure(end);
  if (hasFailed(end, failsIf)) return { ...ended, result: 'failed', kind };
  // A run that was cut short might have met --fails-if later.
  const isCutShort = failsIf.kind !== 'any-failure' && kind !== 'exit';
  return { ...ended, result: isCutShort ? 'unclear' : 'passed', kind: '' };
}

function hasFailed(end: CommandEnd, failsIf: FailsIf): boolean {
  if (failsIf.kind === 'exit') return end.exitCode === failsIf.code;
  if (failsIf.kind === 'output') return failsIf.test(end.output);
  return end.exitCode !== 0;
}

/** Distinguishes programs that cannot be started, signals and timeouts from the command's own failures. */
function kindOfFailure({ exitCode, signal, timedOut }: CommandEnd): string {
  if (timedOut) return 'timeout';
  if (signal !== null) return signal;
  return exitCode === 126 || exitCode === 127 ? `exit ${exitCode}` : 'exit';
}

function howItEnded({ exitCode, signal, timedOut }: CommandEnd): string {
  if (timedOut) return 'timed out';
  if (exitCode === 127) return 'exit code 127: not found';
  return signal ?? `exit code ${exitCode}`;
}

async function makeHome({ home }: RunSetting, runFolder: string): Promise<string | undefined> {
  if (!home) return undefined;
  const folder = path.join(runFolder, home.blank ? 'home of é user' : 'home');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (home.readOnly) await chmod(folder, 0o500);
  return folder;
}

async function removeHome(home: string): Promise<void> {
  await chmod(home, 0o700).catch(() => undefined);
  await rm(home, { recursive: true, force: true });
}
