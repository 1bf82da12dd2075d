// Diagnoses stored runs. Snapshots are read a few at a time and forgotten once they are counted; between slices of work
// other requests get their turn. docs/specification.md §13.

import { addRun, type Diagnosis, findCauses, type Outcome, RunTable } from '@envsnap/compare/diagnosis';
import { diagnosisMaxRuns, findTest, type RunOutcome, runOutcome } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { createDiagnosisRepository, type RunRow } from './repository.ts';
import type { TurnTaking } from './turns.ts';

export interface DiagnosisRequest {
  readonly passed?: readonly string[] | undefined;
  readonly failed?: readonly string[] | undefined;
  readonly outcomeOf?: string | undefined;
  readonly machineName?: string | undefined;
  /** Only runs in which this test ran, each with the test's own result. */
  readonly test?: string | undefined;
  /** Most stored runs, the newest. */
  readonly last?: number | undefined;
}

export type DiagnosisService = ReturnType<typeof createDiagnosisService>;

/** Snapshots that are in memory at one time. */
const batchSize = 4;
/** Most tests named where a name is that of several. */
const testsListed = 10;

/** Diagnoses, on one connection. */
export function createDiagnosisService(
  executor: Executor,
  { dataKeys, turns }: { readonly dataKeys: DataKeys; readonly turns: TurnTaking },
) {
  const repository = createDiagnosisRepository(executor);

  return {
    /** Finds what separates the failing runs from the passing ones. Errors: `snapshot_not_found`. */
    diagnose: (projectId: string, request: DiagnosisRequest): Promise<Diagnosis> =>
      turns.one(async () => {
        const chosen = await chooseRuns(projectId, request);
        const runs = request.test === undefined ? chosen : await runsOfTest(projectId, chosen, request.test);
        const table = new RunTable();
        let left = runs.length;
        for (let start = 0; start < runs.length && !table.isFull; start += batchSize) {
          const batch = runs.slice(start, start + batchSize);
          await addBatch(table, projectId, batch);
          left -= batch.length;
        }
        await turns.pause();
        return findCauses(table, { leftOut: left });
      }),
  };

  async function addBatch(table: RunTable, projectId: string, batch: readonly ChosenRun[]): Promise<void> {
    const ids = batch.map(({ id }) => id);
    const rows = new Map((await repository.contents(projectId, ids)).map((row) => [row.id, row]));
    const cipher = await dataKeys.cipherOf(executor, projectId);
    for (const { id, outcome } of batch) {
      const row = rows.get(id);
      // Deleted since it was chosen.
      if (!row) continue;
      await turns.pause();
      const envVars = cipher.open(variablesPlace(row.id), row.env_ciphertext).toString('utf8');
      addRun(table, toEnvironment(row, envVars), {
        outcome,
        machineName: row.machine_name,
        createdAt: toTimestamp(row.created_at),
      });
    }
  }

  /** The runs in which a test ran, with the test's result for the run's. Errors: `validation_failed`. */
  async function runsOfTest(
    projectId: string,
    chosen: readonly ChosenRun[],
    test: string,
  ): Promise<ChosenRun[]> {
    const outcomes = new Map<string, RunOutcome>();
    for (let start = 0; start < chosen.length; start += batchSize) {
      await turns.pause();
      const ids = chosen.slice(start, start + batchSize).map(({ id }) => id);
      for (const { id, metadata } of await repository.metadata(projectId, ids)) {
        const outcome = runOutcome(JSON.parse(metadata) as Record<string, unknown>);
        if (outcome?.tests) outcomes.set(id, outcome);
      }
    }
    const found = findTest(outcomes.values(), test);
    if ('ambiguous' in found) {
      const names = found.ambiguous.slice(0, testsListed).join(', ');
      throw new AppError('validation_failed', 'Several tests have this name', [
        { path: 'test', message: `could be ${names}` },
      ]);
    }
    return chosen.flatMap(({ id }) => {
      const outcome = outcomes.get(id);
      const result = outcome ? found.resultOf(outcome) : 'not-run';
      return result === 'not-run' ? [] : [{ id, outcome: result }];
    });
  }

  async function chooseRuns(projectId: string, request: DiagnosisRequest): Promise<ChosenRun[]> {
    const { passed, failed, outcomeOf, machineName, last = diagnosisMaxRuns } = request;
    const named = [...namedRuns(passed, 'passed'), ...namedRuns(failed, 'failed')];
    await requireAll(projectId, request);
    const filter = { projectId, outcomeOf, machineName };
    const limit = Math.min(last, diagnosisMaxRuns);
    if (passed === undefined && failed === undefined) return repository.newestRuns(filter, limit);
    // Where only one side is named, the stored runs are the other.
    const other = passed === undefined ? 'passed' : failed === undefined ? 'failed' : undefined;
    const stored = other ? await repository.newestRuns({ ...filter, outcome: other }, limit) : [];
    const names = new Set(named.map(({ id }) => id));
    return [...named, ...stored.filter(({ id }) => !names.has(id))];
  }

  async function requireAll(
    projectId: string,
    { passed = [], failed = [] }: DiagnosisRequest,
  ): Promise<void> {
    const ids = [...passed, ...failed];
    if (ids.length === 0) return;
    const existing = await repository.existing(projectId, ids);
    const missing = (path: string, side: readonly string[]) =>
      side.flatMap((id, index) =>
        existing.has(id) ? [] : [{ path: `${path}.${index}`, message: 'does not exist in this project' }],
      );
    const details = [...missing('passed', passed), ...missing('failed', failed)];
    if (details.length > 0)
      throw new AppError('snapshot_not_found', 'Snapshot not found', details.slice(0, 20));
  }
}

interface ChosenRun {
  readonly id: string;
  readonly outcome: Outcome;
}

function namedRuns(ids: readonly string[] | undefined, outcome: Outcome): ChosenRun[] {
  return [...new Set(ids)].map((id) => ({ id, outcome }));
}

function toEnvironment(row: RunRow, envVars: string) {
  return {
    machineName: row.machine_name,
    os: row.os,
    arch: row.arch,
    runtimeVersions: JSON.parse(row.runtime_versions) as Record<string, string>,
    dependencies: JSON.parse(row.dependencies) as Record<string, Record<string, string>>,
    envVars: JSON.parse(envVars) as Record<string, string>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  };
}
