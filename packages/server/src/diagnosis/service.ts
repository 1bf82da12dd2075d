// Diagnoses stored runs: selects them, and lets a job read them. docs/specification.md §13.

import type { Outcome } from '@envsnap/compare/diagnosis';
import { type DiagnosisAnswer, diagnosisMaxRuns, type operations, type RequestOf } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql } from '../infra/db/statement.ts';
import { costOfByte } from '../infra/http/byte-budget.ts';
import type { JsonText } from '../infra/json-text.ts';
import { createSnapshotLists, type SnapshotFilter } from '../snapshots/snapshot-lists.ts';
import type { JobContext, StoredJobs } from '../snapshots/snapshot-rows.ts';
import type { ChosenRun, diagnoseRuns } from './diagnosis-job.ts';

type DiagnosisRequest = RequestOf<typeof operations.diagnose>['body'];

const listExisting = defineSql<{ projectId: string; ids: readonly string[] }, { id: string }>(
  ({ anyOf, unindexed }) =>
    `select id from snapshots where ${anyOf('id', 'ids')} and ${unindexed('project_id')} = :projectId`,
);

interface DiagnosisDeps {
  readonly jobs: StoredJobs<{ diagnose: typeof diagnoseRuns }>;
  readonly tableBytes: number;
}

export function createDiagnosisService(executor: Executor, { jobs, tableBytes }: DiagnosisDeps) {
  const newestRuns = (filter: SnapshotFilter, limit: number) =>
    createSnapshotLists(executor).newest<ChosenRun & { created_at: number }>(
      ['id', 'outcome', 'created_at'],
      { ...filter, hasOutcome: true },
      limit,
    );

  return {
    /** Finds what separates the failing runs from the passing ones. Errors: `snapshot_not_found`, `validation_failed`. */
    async diagnose(
      request: DiagnosisRequest,
      context: JobContext,
      hidesVariables = false,
    ): Promise<JsonText<DiagnosisAnswer>> {
      const runs = await chooseRuns(context.projectId, request);
      return jobs.diagnose(
        { runs, test: request.test, tableBytes, hidesVariables },
        context,
        tableBytes / costOfByte,
      );
    },
  };

  async function chooseRuns(projectId: string, request: DiagnosisRequest): Promise<ChosenRun[]> {
    const { passed, failed, outcomeOf, machineName, last = diagnosisMaxRuns } = request;
    await requireAll(projectId, request);
    const namedRuns = (ids: readonly string[] | undefined, outcome: Outcome): ChosenRun[] =>
      [...new Set(ids)].map((id) => ({ id, outcome }));
    const named = [...namedRuns(passed, 'passed'), ...namedRuns(failed, 'failed')];
    const filter = { projectId, outcomeOf, machineName };
    const limit = Math.min(last, diagnosisMaxRuns);
    if (passed === undefined && failed === undefined) return newestRuns(filter, limit);
    // If only one side is named, the stored runs are the other.
    const other = passed === undefined ? 'passed' : failed === undefined ? 'failed' : undefined;
    const stored = other ? await newestRuns({ ...filter, outcome: other }, limit) : [];
    const names = new Set(named.map(({ id }) => id));
    return [...named, ...stored.filter(({ id }) => !names.has(id))];
  }

  async function requireAll(
    projectId: string,
    { passed = [], failed = [] }: DiagnosisRequest,
  ): Promise<void> {
    const ids = [...passed, ...failed];
    if (ids.length === 0) return;
    const rows = await executor.all(listExisting, { projectId, ids });
    const existing = new Set(rows.map(({ id }) => id));
    const missing = (path: string, side: readonly string[]) =>
      side.flatMap((id, index) =>
        existing.has(id) ? [] : [{ path: `${path}.${index}`, message: 'does not exist in this project' }],
      );
    const details = [...missing('passed', passed), ...missing('failed', failed)];
    if (details.length > 0)
      throw new AppError('snapshot_not_found', 'Snapshot not found', details.slice(0, 20));
  }
}
