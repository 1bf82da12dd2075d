// Counts anew what lists of snapshots are counted by, for the operator: finds projects where it is wrong, and rebuilds it.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';
import { blockSize, kindColumns } from './snapshot-counts.ts';

const columns = kindColumns.map(([column]) => column).join(', ');
const encoded = kindColumns.map(([column]) => `coalesce('=' || ${column}, '') as ${column}`).join(', ');

const findStale = defineStatement<NoParams, { project_id: string }>((qb) =>
  qb.raw(
    `select q.project_id from project_quotas q
    where (select count(*) from snapshots s where s.project_id = q.project_id) <> (
        select coalesce(sum(total), 0) from snapshot_blocks b where b.project_id = q.project_id and machine_name = '')
      or (select count(*) from snapshots s where s.project_id = q.project_id) <> (
        select coalesce(sum(snapshots), 0) from machines m where m.project_id = q.project_id)
      or machines_used <> (select count(*) from machines m where m.project_id = q.project_id)
    order by q.project_id`,
  ),
);

const lockQuotas = defineStatement<{ projectId: string }, { project_id: string }>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('project_id').where('project_id', p.projectId)),
);

const forget = ['snapshot_blocks', 'machines'].map((table) =>
  defineStatement<{ projectId: string }>((qb, p) => qb(table).where('project_id', p.projectId).delete()),
);

function fillBlocks(machineName: string) {
  return defineStatement<{ projectId: string }>((qb, p) =>
    qb.raw(
      `insert into snapshot_blocks (project_id, machine_name, ${columns}, first_at, last_at, total)
      select project_id, name, ${columns}, min(created_at), max(created_at), count(*)
      from (
        select project_id, ${machineName} as name, ${encoded}, created_at,
          (rank() over (partition by ${machineName}, ${columns} order by created_at) - 1) / ${blockSize} as block
        from snapshots where project_id = ?
      ) as ranked
      group by project_id, name, ${columns}, block`,
      [p.projectId],
    ),
  );
}

const fillMachines = defineStatement<{ projectId: string }>((qb, p) =>
  qb.raw(
    `insert into machines (project_id, machine_name, snapshots, newest_at, newest_id)
    select project_id, machine_name, snapshots, created_at, id
    from (
      select project_id, machine_name, created_at, id,
        count(*) over (partition by machine_name) as snapshots,
        row_number() over (partition by machine_name order by created_at desc, id desc) as place
      from snapshots where project_id = ?
    ) as ranked
    where place = 1`,
    [p.projectId],
  ),
);

const countMachines = defineStatement<{ projectId: string }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .update({ machines_used: qb('machines').count('*').where('project_id', p.projectId) }),
);

const fill = [fillBlocks("''"), fillBlocks('machine_name'), fillMachines, countMachines];

/** Projects whose lists do not count what is stored. */
export async function listStaleLists(executor: Executor): Promise<string[]> {
  return (await executor.all(findStale)).map((row) => row.project_id);
}

/** Counts the lists of a project anew. Call it in a transaction; it holds whoever adds or removes snapshots there. */
export async function rebuildLists(executor: Executor, projectId: string): Promise<void> {
  await executor.get(lockQuotas, { projectId });
  for (const statement of [...forget, ...fill]) await executor.run(statement, { projectId });
}
