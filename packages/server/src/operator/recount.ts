// Counts the contents of projects and compares the numbers with the counters for the quotas.

import type { Executor } from '../infra/db/database.ts';
import { lockQuotas } from '../infra/db/project-quotas.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

/** The counters of a project: column and counted rows. Snapshots of runs count separately. */
const counters = {
  snapshots: ['snapshots_used', 'count(*) from snapshots where outcome is null'],
  runs: ['runs_used', 'count(*) from snapshots where outcome is not null'],
  snapshotBytes: ['snapshot_bytes_used', 'coalesce(sum(stored_bytes), 0) from snapshots where true'],
  files: ['files_used', 'count(*) from files where true'],
  storageBytes: ['storage_used_bytes', 'coalesce(sum(size_bytes), 0) from files where true'],
} as const;

type Usage = Readonly<Record<keyof typeof counters, number>>;

/** A project whose counters are wrong. */
export interface Miscount {
  readonly projectId: string;
  readonly counted: Usage;
  readonly actual: Usage;
}

const counts = Object.values(counters).map(([column, what]) => ({
  column,
  actual: `(select ${what} and project_id = project_quotas.project_id)`,
}));

const findMiscounts = defineSql<NoParams, Record<string, unknown>>(
  `select * from (
    select project_id, ${counts.map(({ column, actual }) => `${column}, ${actual} as actual_${column}`).join(', ')}
    from project_quotas
  ) as counts
  where ${counts.map(({ column }) => `${column} <> actual_${column}`).join(' or ')} order by project_id`,
);

const recount = defineSql<{ projectId: string }>(
  `update project_quotas set ${counts.map(({ column, actual }) => `${column} = ${actual}`).join(', ')}
  where project_id = :projectId`,
);

/** The projects whose counters differ from what they hold. */
export async function listMiscounts(executor: Executor): Promise<Miscount[]> {
  const usageOf = (row: Record<string, unknown>, prefix: string) =>
    Object.fromEntries(
      Object.entries(counters).map(([name, [column]]) => [name, Number(row[prefix + column])]),
    ) as Usage;
  return (await executor.all(findMiscounts)).map((row) => ({
    projectId: String(row.project_id),
    counted: usageOf(row, ''),
    actual: usageOf(row, 'actual_'),
  }));
}

/** Sets a project's counters to what it holds. Call it in a transaction. */
export async function correctCounters(executor: Executor, projectId: string): Promise<void> {
  // Creation and deletion lock this row too, so their changes are either counted here or still to come.
  await executor.get(lockQuotas, { projectId });
  await executor.run(recount, { projectId });
}
