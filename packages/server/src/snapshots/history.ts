// Reads over many snapshots: the newest of each machine, and when a value changed. Here it is found out which snapshots these
// are; jobs read what is in them.

import type { Executor } from '../infra/db/database.ts';
import type { JsonText } from '../infra/json-text.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import type { followValue, HistoryAnswer } from './history-job.ts';
import { createHistoryRepository } from './history-repository.ts';
import type { listMachineValues, MachinesAnswer } from './machines-job.ts';
import type { SnapshotFilter } from './snapshot-lists.ts';
import type { JobContext, StoredJobs } from './stored-rows.ts';

/** The jobs that these reads need. */
export type HistoryJobs = StoredJobs<{
  machines: typeof listMachineValues;
  history: typeof followValue;
}>;

export interface MachineListRequest {
  readonly keys: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

export interface HistoryRequest {
  readonly key: string;
  readonly machineName?: string | undefined;
  /** Most snapshots looked at, the newest ones. */
  readonly snapshots: number;
}

/** Reads over many snapshots, on one connection. */
export function createSnapshotHistory(executor: Executor, jobs: HistoryJobs) {
  const repository = createHistoryRepository(executor);

  return {
    /** The newest snapshots that match, without what is in them. */
    async heads(filter: SnapshotFilter, limit: number) {
      const rows = await repository.newest(filter, limit);
      return rows.map(({ id, machine_name, created_at, outcome, outcome_of }) => ({
        id,
        machineName: machine_name,
        createdAt: toTimestamp(created_at),
        run: outcome && { result: outcome, of: outcome_of ?? '' },
      }));
    },

    /** A page of machines by name. */
    async machines(
      { keys, limit, offset }: MachineListRequest,
      context: JobContext,
    ): Promise<JsonText<MachinesAnswer>> {
      const { projectId } = context;
      const [rows, total] = await Promise.all([
        repository.newestOfMachines(projectId, limit, offset),
        repository.countMachines(projectId),
      ]);
      const heads = rows.map(({ id, machine_name, created_at, snapshots }) => {
        return { id, machineName: machine_name, createdAt: created_at, snapshots };
      });
      return jobs.machines({ heads, keys, page: { total, limit, offset } }, context);
    },

    /** When a value changed, for each machine, over the newest snapshots. */
    async history(
      { key, machineName, snapshots }: HistoryRequest,
      context: JobContext,
    ): Promise<JsonText<HistoryAnswer>> {
      const { projectId } = context;
      const [rows, total] = await Promise.all([
        repository.newest({ projectId, machineName }, snapshots),
        repository.countSnapshots(projectId, machineName),
      ]);
      const heads = rows.map(({ id, machine_name, created_at, outcome, revision }) => {
        return { id, machineName: machine_name, createdAt: created_at, outcome, revision };
      });
      return jobs.history({ key, heads, total }, context);
    },
  };
}
