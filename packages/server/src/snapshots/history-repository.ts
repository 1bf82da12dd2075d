// Queries over many snapshots, without their contents.

import { defineSql } from '../infra/db/statement.ts';

/** Which snapshot, of which machine, and when; `created_at` in milliseconds since the epoch. */
interface SnapshotHead {
  id: string;
  machine_name: string;
  created_at: number;
}

/** The same, with the result and name of its run. */
export interface HistoryRow extends SnapshotHead {
  outcome: 'passed' | 'failed' | null;
  outcome_of: string | null;
}

export const historyColumns = ['id', 'machine_name', 'created_at', 'outcome', 'outcome_of'];

interface MachinePage {
  projectId: string;
  limit: number;
  offset: number;
}

/** The newest snapshot of each machine, by machine name, with how many the machine has. */
export const listNewestOfMachines = defineSql<MachinePage, SnapshotHead & { snapshots: number }>(
  ({ bytewise }) => `select newest.id, machine.machine_name, newest.created_at, machine.snapshots from (
    select project_id, machine_name, snapshots from machines where project_id = :projectId
    order by ${bytewise('machine_name')} limit :limit offset :offset
  ) as machine join snapshots as newest on newest.id = (
    select id from snapshots
    where snapshots.project_id = machine.project_id and snapshots.machine_name = machine.machine_name
    order by created_at desc, id desc limit 1
  ) order by ${bytewise('machine.machine_name')}`,
);

/** Machines whose name in lower case matches a pattern; `!` makes the next character one of the name. */
export const findMachines = defineSql<
  { projectId: string; pattern: string; limit: number },
  { machine_name: string }
>(
  `select machine_name from machines
  where project_id = :projectId and lower(machine_name) like :pattern escape '!'
  order by machine_name limit :limit`,
);

export const countMachines = defineSql<{ projectId: string }, { total: number }>(
  'select count(*) as total from machines where project_id = :projectId',
);

export const countOfMachine = defineSql<{ projectId: string; machineName: string }, { snapshots: number }>(
  'select snapshots from machines where project_id = :projectId and machine_name = :machineName',
);
