// Finds what separates failing runs from passing ones: on the server for stored runs, here for files.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Diagnosis, Outcome } from '@envsnap/compare/diagnosis';
import { type ComparableEnvironment, nameList } from '@envsnap/compare/workspace';
import { findTest, runOutcome } from '@envsnap/shared/run-outcome';
import { settleRecordings } from '../../../plain/pending-recordings.js';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { failedName, listMachines, type SnapshotStore } from '../../runs/snapshot-store.ts';
import { expandFiles, isFile } from '../references/expand-files.ts';
import { resolveId, snapshotIds } from '../references/resolve-id.ts';
import {
  knownMachines,
  nothingStored,
  resolveSnapshot,
  resolveStored,
  type SnapshotSources,
} from '../references/resolve-snapshot.ts';
import {
  isStored,
  parseReference,
  type SnapshotReference,
  type StoredReference,
} from '../references/snapshot-reference.ts';

interface WhyRequest {
  /** References as they were written; undefined if there were none. */
  readonly passed: readonly string[] | undefined;
  readonly failed: readonly string[] | undefined;
  readonly outcomeOf: string | undefined;
  readonly machineName: string | undefined;
  readonly last: number | undefined;
  /** Only runs in which this test ran, each with the test's own result. */
  readonly test: string | undefined;
}

interface DiagnosedRun {
  readonly environment: ComparableEnvironment;
  readonly outcome: Outcome;
}

/** Maximum number of tests that are listed if a name is ambiguous. */
const testsListed = 10;
const atOnce = 4;

/** Diagnoses runs. Exit codes 2 and 4 as for the references of `compare`. */
export async function whyRuns(request: WhyRequest, sources: SnapshotSources): Promise<Diagnosis> {
  const named = {
    passed: request.passed && (await expandReferences(request.passed)),
    failed: request.failed && (await expandReferences(request.failed)),
  };
  const both = [...(named.passed ?? [])].find(([place]) => named.failed?.has(place));
  if (both) throw new CliError(`${both[1]} is in --passed and in --failed`, { code: 'invalid_reference' });
  const passed = named.passed && parseReferences(named.passed);
  const failed = named.failed && parseReferences(named.failed);
  if (areStored(passed) && areStored(failed)) return diagnoseStored(request, passed, failed, sources);
  if (!passed || !failed) throw missingSide(passed ? 'failed' : 'passed');
  refuseFilters(request);
  const { diagnose } = await import('@envsnap/compare/diagnosis');
  const load = async (references: readonly SnapshotReference[], outcome: Outcome) =>
    inTimeSlice(references, async (reference) => ({
      environment: await resolveSnapshot(reference, sources),
      outcome,
    }));
  const runs = [...(await load(passed, 'passed')), ...(await load(failed, 'failed'))];
  return diagnose(request.test === undefined ? runs : runsOfTest(runs, request.test));
}

function areStored(
  references: readonly SnapshotReference[] | undefined,
): references is readonly StoredReference[] | undefined {
  return references?.every(isStored) ?? true;
}

/** The named runs by their path, so a file that two patterns match is one run. Exit code 4 if a pattern matches no file. */
async function expandReferences(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    texts.map(async (text) => {
      const files = await expandFiles(text);
      if (files.length > 0) return files;
      const hint = 'envsnap capture --outcome failed --output FILE writes one.';
      throw notFound(`no file matches ${text}`, 'file_unreadable', hint);
    }),
  );
  return new Map(named.flat().map((text) => [path.resolve(text), text]));
}

function parseReferences(named: ReadonlyMap<string, string>): SnapshotReference[] {
  return [...named.values()].map((text) => parseReference(text, isFile));
}

/** If both sides are named, no flag may filter stored runs. Exit code 2. */
function refuseFilters({ outcomeOf, machineName, last }: WhyRequest): void {
  const filters = Object.entries({ '--outcome-of': outcomeOf, '--machine': machineName, '--last': last });
  const [flag] = filters.find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  throw new CliError(`${flag} filters stored runs, but both sides are named`, {
    code: 'invalid_flag',
    hint: `Leave ${flag} out.`,
  });
}

async function diagnoseStored(
  request: WhyRequest,
  passed: readonly StoredReference[] | undefined,
  failed: readonly StoredReference[] | undefined,
  sources: SnapshotSources,
): Promise<Diagnosis> {
  const store = await sources.store();
  await settleRecordings();
  if ('local' in store) return diagnoseLocal(request, passed, failed, store);
  const { client } = store;
  const idsOf = (references: readonly StoredReference[]) =>
    inTimeSlice(references, async (reference) =>
      reference.kind === 'id'
        ? resolveId(reference.text, snapshotIds(client))
        : (await resolveStored(reference, store)).id,
    );
  const { machineName, last, test } = request;
  const { of: outcomeOf, note } = await nameToDiagnose(request, store);
  const diagnosis = await client.snapshots.diagnose({
    passed: passed && (await idsOf(passed)),
    failed: failed && (await idsOf(failed)),
    outcomeOf,
    machineName,
    last,
    test,
  });
  if (test !== undefined && diagnosis.runs.passed + diagnosis.runs.failed === 0)
    throw testNotFound(test, 'the selected runs');
  return withNote(diagnosis, note);
}

/** Reads the runs stored on this machine. If only one side is named, they are the other one. */
async function diagnoseLocal(
  request: WhyRequest,
  passed: readonly StoredReference[] | undefined,
  failed: readonly StoredReference[] | undefined,
  store: Extract<SnapshotStore, { readonly local: unknown }>,
): Promise<Diagnosis> {
  if (passed && failed) refuseFilters(request);
  const { machineName, last, test } = request;
  const { of, note } = await nameToDiagnose(request, store);
  const { diagnose } = await import('@envsnap/compare/diagnosis');
  const named = async (references: readonly StoredReference[] = [], outcome: Outcome) =>
    inTimeSlice(references, async (reference) => ({
      environment: await resolveStored(reference, store),
      outcome,
    }));
  const sides = [...(await named(passed, 'passed')), ...(await named(failed, 'failed'))];
  const heads = passed && failed ? [] : [...store.local.list({ of, machineName })].slice(0, last);
  const stored = heads
    .filter(({ result }) => (result === 'passed' ? passed : failed) === undefined)
    .map((head) => ({ environment: store.local.load(head), outcome: head.result }));
  const runs = [...sides, ...stored];
  if (runs.length === 0) throw (await noSuchRun(of, machineName, store)) ?? nothingStored(store);
  const own = sides.length === 0 ? { of, command: commandOf(runs) } : undefined;
  return withNote(diagnose(test === undefined ? runs : runsOfTest(runs, test), own), note);
}

/** The words of the command, if all runs have the same. */
function commandOf(runs: readonly DiagnosedRun[]): readonly string[] | undefined {
  const [first, ...others] = runs.map(({ environment }) => runOutcome(environment.metadata)?.command);
  return others.every((each) => isDeepStrictEqual(each, first)) ? first : undefined;
}

/** The requested name, else that of the newest failed run whose name has passing runs too. */
async function nameToDiagnose(
  { outcomeOf, machineName, passed, failed, test }: WhyRequest,
  store: SnapshotStore,
): Promise<{ readonly of: string | undefined; readonly note?: string }> {
  if (outcomeOf !== undefined || passed || failed || test !== undefined) return { of: outcomeOf };
  let runName: string | undefined;
  let isAlone = false;
  if ('local' in store) {
    const heads = [...store.local.list({ machineName })];
    const passes = new Set(heads.filter(({ result }) => result === 'passed').map((head) => head.of));
    runName = heads.find((head) => head.result === 'failed' && passes.has(head.of))?.of;
    isAlone = heads.every((head) => head.of === runName);
  } else {
    runName = await failedName(store, machineName);
    const query = { outcome: 'passed', outcomeOf: runName, machineName, limit: 1 } as const;
    if (runName !== undefined && (await store.client.snapshots.list(query)).snapshots.length === 0)
      runName = undefined;
  }
  if (runName === undefined || isAlone) return { of: runName };
  return { of: runName, note: `Only runs of ${runName} were included; --outcome-of NAME picks another.` };
}

function withNote(diagnosis: Diagnosis, message: string | undefined): Diagnosis {
  if (message === undefined) return diagnosis;
  return { ...diagnosis, notes: [{ code: 'runs_left_out', message }, ...diagnosis.notes] };
}

/** The error if there are runs, but none with that name or of that machine; undefined if there are no runs. Exit code 4. */
async function noSuchRun(
  of: string | undefined,
  machineName: string | undefined,
  store: Extract<SnapshotStore, { readonly local: unknown }>,
): Promise<CliError | undefined> {
  const kept = [...store.local.list()];
  if (kept.length === 0) return undefined;
  const noRun = (what: string, hint: string) =>
    notFound(`no run${what} is recorded here`, 'snapshot_not_found', hint);
  const ofName = kept.filter((head) => of === undefined || head.of === of);
  if (ofName.length === 0)
    return noRun(` of ${of}`, `There are runs of ${nameList([...new Set(kept.map((head) => head.of))])}.`);
  if (machineName === undefined) return undefined;
  const machines = new Set(ofName.map((head) => head.machineName));
  return noRun(
    `${of === undefined ? '' : ` of ${of}`} of machine "${machineName}"`,
    knownMachines(
      machineName,
      (await listMachines(store)).filter((machine) => machines.has(machine.machineName)),
    ),
  );
}

/** The runs in which a test ran, each with the test's own result. Exit code 2 if several tests have the name, 4 if none has. */
function runsOfTest(runs: readonly DiagnosedRun[], test: string): DiagnosedRun[] {
  const outcomes = new Map(
    runs.flatMap(({ environment }) => {
      const outcome = runOutcome(environment.metadata);
      return outcome?.tests ? [[environment, outcome] as const] : [];
    }),
  );
  const found = findTest(outcomes.values(), test);
  if ('ambiguous' in found) {
    throw new CliError(`several tests are called "${test}"`, {
      code: 'ambiguous_test',
      hint: `Name one: ${found.ambiguous.slice(0, testsListed).join(', ')}.`,
    });
  }
  const ran = [...outcomes].flatMap(([environment, outcome]) => {
    const result = found.resultOf(outcome);
    return result === 'not-run' ? [] : [{ environment, outcome: result }];
  });
  if (ran.length > 0 || runs.length === 0) return ran;
  throw testNotFound(test, `${runs.length} runs`);
}

function testNotFound(test: string, runs: string): CliError {
  const hint =
    "A run knows its tests only if you pass their report: envsnap run --junit 'reports/*.xml' -- COMMAND.";
  return notFound(`no test called "${test}" ran in any of ${runs}`, 'test_not_found', hint);
}

function notFound(message: string, code: string, hint: string): CliError {
  return new CliError(message, { code, exitCode: exitCodes.notFound, hint });
}

async function inTimeSlice<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return results;
}

function missingSide(side: Outcome): CliError {
  return new CliError(`--${side} is missing: name what to compare these files with`, {
    code: 'missing_flag',
    hint: `For example: envsnap why --passed 'good/*.json' --failed 'bad/*.json'`,
  });
}
