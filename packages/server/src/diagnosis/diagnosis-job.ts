// Reads runs into the table of a diagnosis, the first ones first, and diagnoses them.

import { addRun, findCauses, type Outcome, RunTable } from '@envsnap/compare/diagnosis';
import type { DiagnosisAnswer } from '@envsnap/shared';
import { findTest, type RunOutcome, runOutcome } from '@envsnap/shared/run-outcome';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import { type AskForRows, readStored, type StoredJob } from '../snapshots/snapshot-rows.ts';
import { snapshotOf, wholeColumns } from '../snapshots/stored-environment.ts';

export interface ChosenRun {
  readonly id: string;
  readonly outcome: Outcome;
}

export interface DiagnosisInput {
  readonly runs: readonly ChosenRun[];
  /** Only runs in which this test ran, with its result in place of the run's. */
  readonly test?: string | undefined;
  readonly tableBytes: number;
  readonly hidesVariables: boolean;
}

/** Maximum characters to read, and maximum characters of the runs' test results. */
const mostRead = 512 * 1024 ** 2;
const mostReadOfTests = 64 * 1024 ** 2;

/** Maximum number of tests that an error names if a name fits several. */
const testsListed = 10;

/** Diagnoses as many of the runs as the limits allow. Errors: `validation_failed` for the name of several tests. */
export const diagnoseRuns: StoredJob<DiagnosisInput, DiagnosisAnswer> = async (input, ask) => {
  const { test, tableBytes, hidesVariables } = input;
  const { runs, unread } =
    test === undefined ? { runs: input.runs, unread: 0 } : await runsOfTest(input.runs, test, ask);
  const table = new RunTable({ mostBytes: tableBytes });
  const ids = runs.map(({ id }) => id);
  let readLength = 0;
  let leftOut = unread;
  for await (const [place, row] of readStored(ask, ids, wholeColumns)) {
    if (table.isFull || readLength > mostRead) {
      leftOut += runs.length - place;
      break;
    }
    // Deleted since it was chosen.
    if (!row) continue;
    const { runtime_versions, metadata, dependencies, env_vars } = row;
    readLength += runtime_versions.length + metadata.length + dependencies.length + env_vars.length;
    const { outcome } = runs[place] as ChosenRun;
    addRun(table, snapshotOf((runs[place] as ChosenRun).id, row), {
      outcome,
      machineName: row.machine_name,
      createdAt: toTimestamp(row.created_at),
    });
  }
  const diagnosis = findCauses(table, { leftOut, hidesVariables });
  return {
    ...diagnosis,
    findings: diagnosis.findings.map((finding) => ({ ...finding, keys: [...finding.keys] })),
    notes: [...diagnosis.notes],
  };
};

/** The runs in which a test ran, each with the test's result in place of the run's, and how many could not be read. */
async function runsOfTest(
  chosen: readonly ChosenRun[],
  test: string,
  ask: AskForRows,
): Promise<{ runs: ChosenRun[]; unread: number }> {
  const outcomes = new Map<string, RunOutcome>();
  const ids = chosen.map(({ id }) => id);
  let readLength = 0;
  let unread = 0;
  for await (const [place, row] of readStored(ask, ids, ['metadata'])) {
    readLength += row?.metadata.length ?? 0;
    if (readLength > mostReadOfTests) {
      unread = ids.length - place;
      break;
    }
    const outcome = row && runOutcome(JSON.parse(row.metadata) as Record<string, unknown>);
    if (outcome?.tests) outcomes.set((chosen[place] as ChosenRun).id, outcome);
  }
  const found = findTest(outcomes.values(), test);
  if ('ambiguous' in found) {
    const names = found.ambiguous.slice(0, testsListed).join(', ');
    throw new AppError('validation_failed', 'Several tests have this name', [
      { path: 'test', message: `could be ${names}` },
    ]);
  }
  const runs = chosen.flatMap((run) => {
    const outcome = outcomes.get(run.id);
    const result = outcome ? found.resultOf(outcome) : 'not-run';
    return result === 'not-run' ? [] : [{ ...run, outcome: result }];
  });
  return { runs, unread };
}
