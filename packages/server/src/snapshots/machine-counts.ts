// Counts the snapshots of each machine, in the transaction that adds or removes one: the list of machines counts nothing.

import type { Executor } from '../infra/db/database.ts';
import { lockQuotas } from '../infra/db/project-quotas.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

interface OfMachine {
  projectId: string;
  machineName: string;
}

export const addToMachine = defineStatement<OfMachine>((qb, p) =>
  qb('machines')
    .insert({ project_id: p.projectId, machine_name: p.machineName, snapshots: 1 })
    .onConflict(['project_id', 'machine_name'])
    .merge({ snapshots: qb.raw('machines.snapshots + 1') }),
);

const take = defineStatement<OfMachine>((qb, p) =>
  qb('machines').where({ project_id: p.projectId, machine_name: p.machineName }).decrement('snapshots', 1),
);

const dropEmpty = defineStatement<OfMachine>((qb, p) =>
  qb('machines')
    .where({ project_id: p.projectId, machine_name: p.machineName })
    .where('snapshots', '<=', 0)
    .delete(),
);

/** Counts one snapshot less, at the latest with the commit; the last one takes the machine with it. */
export function takeFromMachine(executor: Executor, machine: OfMachine): void {
  executor.write(take, machine);
  executor.write(dropEmpty, machine);
}

const findStale = defineStatement<NoParams, { project_id: string }>((qb) =>
  qb.raw(
    `select project_id from (
      select project_id, machine_name, snapshots from machines
      union all select project_id, machine_name, -count(*) from snapshots group by project_id, machine_name
    ) as both_counts
    where project_id in (select project_id from project_quotas)
    group by project_id, machine_name having sum(snapshots) <> 0`,
  ),
);

const forget = defineStatement<{ projectId: string }>((qb, p) =>
  qb('machines').where('project_id', p.projectId).delete(),
);

const fill = defineStatement<{ projectId: string }>((qb, p) =>
  qb.raw(
    `insert into machines (project_id, machine_name, snapshots)
    select project_id, machine_name, count(*) from snapshots where project_id = ? group by project_id, machine_name`,
    [p.projectId],
  ),
);

/** Projects whose machines count other snapshots than are stored. */
export async function listStaleMachines(executor: Executor): Promise<string[]> {
  return [...new Set((await executor.all(findStale)).map((row) => row.project_id))].sort();
}

/** Counts the machines of a project anew. Call it in a transaction; it holds whoever adds or removes snapshots there. */
export async function recountMachines(executor: Executor, projectId: string): Promise<void> {
  await executor.get(lockQuotas, { projectId });
  await executor.run(forget, { projectId });
  await executor.run(fill, { projectId });
}
