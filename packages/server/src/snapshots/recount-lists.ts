// Counts anew what lists of snapshots are counted by, for the operator: finds projects where it is wrong, and rebuilds it.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';
import { allMachines, anyValue, type BlockTable, blockTables, kindColumns } from './snapshot-blocks.ts';

const columns = kindColumns.map(([column]) => column).join(', ');
const encoded = kindColumns.map(([column]) => `coalesce('=' || ${column}, '') as ${column}`).join(', ');
const every = kindColumns.map(([column]) => `'${anyValue}' as ${column}`).join(', ');

const stored = '(select count(*) from snapshots s where s.project_id = q.project_id)';
/** What the series of all snapshots, and those of all kinds, count together. */
const countedInBlocks = blockTables.flatMap(({ name }) =>
  ['=', '<>'].map(
    (isEveryKind) => `(select coalesce(sum(total), 0) from ${name} b
      where b.project_id = q.project_id and machine_name = '' and os ${isEveryKind} '${anyValue}')`,
  ),
);

const findStale = defineStatement<NoParams, { project_id: string }>((qb) =>
  qb.raw(
    `select q.project_id from project_quotas q
    where ${countedInBlocks.map((counted) => `${stored} <> ${counted} or `).join('')}
      ${stored} <> (
        select coalesce(sum(snapshots), 0) from machines m where m.project_id = q.project_id)
      or machines_used <> (select count(*) from machines m where m.project_id = q.project_id)
    order by q.project_id`,
  ),
);

const lockQuotas = defineStatement<{ projectId: string }, { project_id: string }>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('project_id').where('project_id', p.projectId)),
);

const forget = [...blockTables.map(({ name }) => name), 'machines'].map((table) =>
  defineStatement<{ projectId: string }>((qb, p) => qb(table).where('project_id', p.projectId).delete()),
);

/** How the machine and the kind of each series are made from a snapshot. */
const seriesColumns = {
  all: `'${allMachines}' as machine_name, ${every}`,
  kind: `'${allMachines}' as machine_name, ${encoded}`,
  machine: `machine_name, ${encoded}`,
};

function fillBlocks({ name, size, series }: BlockTable) {
  return series.map((one) =>
    defineStatement<{ projectId: string }>((qb, p) =>
      qb.raw(
        `insert into ${name} (project_id, machine_name, ${columns}, first_at, last_at, total)
        select project_id, machine_name, ${columns}, min(created_at), max(created_at), count(*)
        from (
          select project_id, machine_name, ${columns}, created_at,
            (rank() over (partition by machine_name, ${columns} order by created_at) - 1) / ${size} as block
          from (
            select project_id, ${seriesColumns[one]}, created_at from snapshots where project_id = ?
          ) as own
        ) as ranked
        group by project_id, machine_name, ${columns}, block`,
        [p.projectId],
      ),
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

const fill = [...blockTables.flatMap(fillBlocks), fillMachines, countMachines];

/** Projects whose lists do not count what is stored. */
export async function listStaleLists(executor: Executor): Promise<string[]> {
  return (await executor.all(findStale)).map((row) => row.project_id);
}

/** Counts the lists of a project anew. Call it in a transaction; it holds whoever adds or removes snapshots there. */
export async function rebuildLists(executor: Executor, projectId: string): Promise<void> {
  await executor.get(lockQuotas, { projectId });
  for (const statement of [...forget, ...fill]) await executor.run(statement, { projectId });
}
