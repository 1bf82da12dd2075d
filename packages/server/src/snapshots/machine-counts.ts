// Counts the snapshots of each machine, in the transaction that adds or removes one, so the list of machines counts nothing.

import type { Executor } from '../infra/db/database.ts';
import { lockQuotas } from '../infra/db/project-quotas.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

interface OfMachine {
  projectId: string;
  machineName: string;
}

const ofMachine = 'project_id = :projectId and machine_name = :machineName';

export const addToMachine = defineSql<OfMachine>(
  `insert into machines (project_id, machine_name, snapshots) values (:projectId, :machineName, 1)
  on conflict (project_id, machine_name) do update set snapshots = machines.snapshots + 1`,
);

const take = defineSql<OfMachine>(`update machines set snapshots = snapshots - 1 where ${ofMachine}`);

const dropEmpty = defineSql<OfMachine>(`delete from machines where ${ofMachine} and snapshots <= 0`);

/** Counts one snapshot less, at the latest with the commit; the last one removes the machine. */
export function takeFromMachine(executor: Executor, machine: OfMachine): void {
  executor.write(take, machine);
  executor.write(dropEmpty, machine);
}

const findStale = defineSql<NoParams, { project_id: string }>(
  `select project_id from (
    select project_id, machine_name, snapshots from machines
    union all select project_id, machine_name, -count(*) from snapshots group by project_id, machine_name
  ) as both_counts
  where project_id in (select project_id from project_quotas)
  group by project_id, machine_name having sum(snapshots) <> 0`,
);

const forget = defineSql<{ projectId: string }>('delete from machines where project_id = :projectId');

const fill = defineSql<{ projectId: string }>(
  `insert into machines (project_id, machine_name, snapshots)
  select project_id, machine_name, count(*) from snapshots where project_id = :projectId
  group by project_id, machine_name`,
);

export async function listStaleMachines(executor: Executor): Promise<string[]> {
  return [...new Set((await executor.all(findStale)).map((row) => row.project_id))].sort();
}

/** Recounts the machines of a project. Call it in a transaction; it blocks changes of snapshots there. */
export async function recountMachines(executor: Executor, projectId: string): Promise<void> {
  await executor.get(lockQuotas, { projectId });
  await executor.run(forget, { projectId });
  await executor.run(fill, { projectId });
}
