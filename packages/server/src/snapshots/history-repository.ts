// Queries over many snapshots: which there are, and not what is in them.

import { defineStatement } from '../infra/db/statement.ts';

/** Which snapshot, of which machine, and when; `created_at` in milliseconds since the epoch. */
interface SnapshotHead {
  id: string;
  machine_name: string;
  created_at: number;
}

/** The same, with how the run ended that it is of, and what that is called. */
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
export const listNewestOfMachines = defineStatement<MachinePage, SnapshotHead & { snapshots: number }>(
  (qb, p, dialect) =>
    qb.raw(
      `select newest.id, machine.machine_name, newest.created_at, machine.snapshots from (
      select project_id, machine_name, snapshots from machines where project_id = ?
      order by ${dialect.bytewise('machine_name')} limit ? offset ?
    ) as machine join snapshots as newest on newest.id = (
      select id from snapshots
      where snapshots.project_id = machine.project_id and snapshots.machine_name = machine.machine_name
      order by created_at desc, id desc limit 1
    ) order by ${dialect.bytewise('machine.machine_name')}`,
      [p.projectId, p.limit, p.offset],
    ),
);

/** Machines whose name in lower case matches a pattern; `!` makes the next character one of the name. */
export const findMachines = defineStatement<
  { projectId: string; pattern: string; limit: number },
  { machine_name: string }
>((qb, p) =>
  qb('machines')
    .select('machine_name')
    .where('project_id', p.projectId)
    .whereRaw(`lower(machine_name) like ? escape '!'`, [p.pattern])
    .orderBy('machine_name')
    .limitTo(p.limit),
);

export const countMachines = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('machines').count({ total: '*' }).where('project_id', p.projectId),
);

export const countOfMachine = defineStatement<
  { projectId: string; machineName: string },
  { snapshots: number }
>((qb, p) =>
  qb('machines').select('snapshots').where({ project_id: p.projectId, machine_name: p.machineName }),
);
