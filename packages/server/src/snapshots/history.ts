// Reads over many snapshots: the newest of each machine, and when a value changed. Selects the snapshots here; jobs read their
// contents.

import type { SearchResults } from '@envsnap/console/stored';
import type { operations, RequestOf } from '@envsnap/shared';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import type { JsonText } from '../infra/json-text.ts';
import type { followValue, HistoryAnswer } from './history-job.ts';
import * as rows from './history-repository.ts';
import type { listMachineValues, MachinesAnswer } from './machines-job.ts';
import type { SearchAnswer, searchSnapshots } from './search-job.ts';
import { createSnapshotLists, type SnapshotFilter } from './snapshot-lists.ts';
import type { JobContext, StoredJobs } from './snapshot-rows.ts';

export type HistoryJobs = StoredJobs<{
  machines: typeof listMachineValues;
  search: typeof searchSnapshots;
  history: typeof followValue;
}>;

export interface MachineListRequest {
  readonly keys: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

type HistoryRequest = RequestOf<typeof operations.getHistory>['query'];

const searchedMachines = 200;
const namedMachines = 50;

export function createSnapshotHistory(executor: Executor, jobs: HistoryJobs) {
  const lists = createSnapshotLists(executor);
  const newest = (filter: SnapshotFilter, limit: number) =>
    lists.newest<rows.HistoryRow>(rows.historyColumns, filter, limit);

  async function countSnapshots(projectId: string, machineName: string | undefined): Promise<number> {
    if (machineName === undefined) return lists.countProject(projectId);
    return (await executor.get(rows.countOfMachine, { projectId, machineName }))?.snapshots ?? 0;
  }

  return {
    async heads(filter: SnapshotFilter, limit: number) {
      return (await newest(filter, limit)).map(({ id, machine_name, created_at, outcome, outcome_of }) => ({
        id,
        machineName: machine_name,
        createdAt: toTimestamp(created_at),
        run: outcome && { result: outcome, of: outcome_of ?? '' },
      }));
    },

    async machines(
      { keys, limit, offset }: MachineListRequest,
      context: JobContext,
    ): Promise<JsonText<MachinesAnswer>> {
      const { projectId } = context;
      const [found, count] = await Promise.all([
        executor.all(rows.listNewestOfMachines, { projectId, limit, offset }),
        executor.get(rows.countMachines, { projectId }),
      ]);
      const heads = found.map(({ id, machine_name, created_at, snapshots }) => {
        return { id, machineName: machine_name, createdAt: created_at, snapshots };
      });
      return jobs.machines({ heads, keys, page: { total: count?.total ?? 0, limit, offset } }, context);
    },

    /** Searches names for a text: machines, and entries in the newest snapshots of the first machines. */
    async search(q: string, context: JobContext): Promise<SearchResults> {
      const { projectId } = context;
      const pattern = `%${q.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
      const [named, newestOf, count] = await Promise.all([
        q === '' ? [] : executor.all(rows.findMachines, { projectId, pattern, limit: namedMachines + 1 }),
        executor.all(rows.listNewestOfMachines, { projectId, limit: searchedMachines, offset: 0 }),
        executor.get(rows.countMachines, { projectId }),
      ]);
      const heads = newestOf.map(({ id, machine_name: machineName }) => ({ id, machineName }));
      const answer = JSON.parse((await jobs.search({ q, heads }, context)).text) as SearchAnswer;
      return {
        ...answer,
        machines: named.slice(0, namedMachines).map(({ machine_name }) => machine_name),
        isCut: answer.isCut || named.length > namedMachines,
        searched: heads.length,
        total: count?.total ?? 0,
      };
    },

    async history(
      { key, machineName, snapshots }: HistoryRequest,
      context: JobContext,
    ): Promise<JsonText<HistoryAnswer>> {
      const { projectId } = context;
      const [found, total] = await Promise.all([
        newest({ projectId, machineName }, snapshots),
        countSnapshots(projectId, machineName),
      ]);
      const heads = found.map(({ id, machine_name, created_at, outcome }) => {
        return { id, machineName: machine_name, createdAt: created_at, outcome };
      });
      return jobs.history({ key, heads, total }, context);
    },
  };
}
