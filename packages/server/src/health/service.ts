// The health of a project, for the start page of the console, `GET /machine/health` and `envsnap status`.
// docs/specification.md §19.

import type { RunAround, SnapshotChange } from '@envsnap/console/stored';
import type { MachineHealth, ProjectHealth, RunHealth } from '@envsnap/shared';
import { healthLimits } from '@envsnap/shared/catalogue/limits';
import { failingFirst, stateOfMachine, worstFirst } from '@envsnap/shared/machine-state';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import { countMachines, listNewestOfMachines } from '../snapshots/history-repository.ts';
import type { JobContext } from '../snapshots/snapshot-rows.ts';
import { listFailingWebhooks } from '../webhooks/repository.ts';
import * as rows from './repository.ts';
import { type VerdictJobs, verdictOf } from './verdicts.ts';

/** Machines from which the last captured ones are chosen. */
const mostMachines = 1000;

export function createHealthService(executor: Executor, { jobs }: { readonly jobs: VerdictJobs }) {
  async function machines(context: JobContext): Promise<MachineHealth[]> {
    const { projectId } = context;
    const all = await executor.all(listNewestOfMachines, { projectId, limit: mostMachines, offset: 0 });
    const newest = all.toSorted((a, b) => b.created_at - a.created_at).slice(0, healthLimits.machines);
    const found = await executor.all(rows.listPrevious, { ids: newest.map(({ id }) => id) });
    const previous = new Map(found.map((row) => [row.id, row.previous_id]));
    const machines: MachineHealth[] = [];
    for (const { id, machine_name: machineName, created_at } of newest) {
      const previousSnapshotId = previous.get(id) ?? null;
      const pair = { snapshotId: id, againstId: previousSnapshotId ?? id, kind: 'machine' } as const;
      const verdict = await verdictOf(executor, jobs, pair, context);
      if (!verdict) continue;
      const createdAt = toTimestamp(created_at);
      machines.push(stateOfMachine({ machineName, snapshotId: id, createdAt, previousSnapshotId }, verdict));
    }
    return worstFirst(machines);
  }

  async function runs(context: JobContext): Promise<RunHealth[]> {
    const { projectId } = context;
    const byName = Map.groupBy(
      await executor.all(rows.listRunsByName, { projectId }),
      (row) => row.outcome_of,
    );
    const runs: RunHealth[] = [];
    for (const [of, last] of [...byName].slice(0, healthLimits.names)) {
      runs.push({
        of,
        last: last.map(({ id, outcome, created_at }) => {
          return { id, result: outcome, createdAt: toTimestamp(created_at) };
        }),
        ...(await failureOf(last[0] as rows.RunRow, context)),
      });
    }
    return failingFirst(runs);
  }

  /** Since when the runs of a name fail, and the likeliest cause of the newest failure. */
  async function failureOf(
    newest: rows.RunRow,
    context: JobContext,
  ): Promise<Omit<RunHealth, 'of' | 'last'>> {
    if (newest.outcome === 'passed')
      return { failingSince: null, failedRuns: 0, lastPassedId: null, cause: null };
    const { lastPassedId, failedRuns, sinceMs } = await rows.findFailureRow(
      executor,
      context.projectId,
      newest,
    );
    const pair = lastPassedId && { snapshotId: newest.id, againstId: lastPassedId, kind: 'run' as const };
    const verdict = pair ? await verdictOf(executor, jobs, pair, context) : undefined;
    return {
      failingSince: toTimestamp(sinceMs ?? newest.created_at),
      failedRuns,
      lastPassedId,
      cause: verdict?.causes[0] ?? null,
    };
  }

  return {
    /** The changes at each of these snapshots since the previous one of the same machine. */
    async changes(ids: readonly string[], context: JobContext): Promise<SnapshotChange[]> {
      const changes: SnapshotChange[] = [];
      for (const { id, previous_id } of await executor.all(rows.listPrevious, { ids })) {
        const pair = { snapshotId: id, againstId: previous_id ?? id, kind: 'machine' } as const;
        const verdict = await verdictOf(executor, jobs, pair, context);
        if (verdict)
          changes.push({
            id,
            previousId: previous_id,
            counting: verdict.counting,
            cause: verdict.causes[0] ?? null,
          });
      }
      return changes;
    },

    async aroundRun(projectId: string, id: string): Promise<RunAround | undefined> {
      const run = await executor.get(rows.findRun, { projectId, id });
      if (!run) return undefined;
      const place = { projectId, of: run.outcome_of, createdAt: run.created_at, id };
      const neighbours = await executor.get(rows.findNeighbours, place);
      const { lastPassedId, failedRuns, sinceMs } = await rows.findFailureRow(executor, projectId, run);
      return {
        of: run.outcome_of,
        result: run.outcome,
        beforeId: neighbours?.before_id ?? null,
        afterId: neighbours?.after_id ?? null,
        lastPassedId,
        failing:
          run.outcome === 'failed'
            ? { runs: failedRuns, since: toTimestamp(sinceMs ?? run.created_at) }
            : null,
      };
    },

    /**
     * The health of the project of the context. Pairs that have no verdict yet are compared now, one after the other, in the job
     * thread.
     */
    async read(context: JobContext): Promise<ProjectHealth> {
      const { projectId } = context;
      const quotas = ofExisting(await executor.get(findQuotas, { projectId }));
      const failing = await executor.all(listFailingWebhooks, { projectId });
      return {
        machines: await machines(context),
        machineCount: (await executor.get(countMachines, { projectId }))?.total ?? 0,
        runs: await runs(context),
        quotas: {
          snapshots: { used: quotas.snapshots_used, max: quotas.max_snapshots },
          runs: { used: quotas.runs_used, max: quotas.max_runs },
          files: { used: quotas.files_used, max: quotas.max_files },
          storageBytes: { used: quotas.storage_used_bytes, max: quotas.max_storage_bytes },
          snapshotBytes: { used: quotas.snapshot_bytes_used, max: quotas.max_snapshot_bytes },
        },
        webhooks: { failing: failing.length, ids: failing.map(({ id }) => id) },
      };
    },
  };
}
