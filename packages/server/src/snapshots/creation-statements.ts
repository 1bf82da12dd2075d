// The statements that store the snapshots of one moment: those that nothing stands against, with their webhooks' event or in
// projects where nobody listens. They check what the transaction of a creation checks, and change what that changes
// (service.ts, perform.ts). docs/decisions/0141, 0167.

import { operations } from '@envsnap/shared';
import type { Knex } from 'knex';
import { type NewStoredAnswer, storedAnswerColumns } from '../idempotency/repository.ts';
import type { Dialect } from '../infra/db/dialect.ts';
import { defineGatheredChange } from '../infra/db/gathered-change.ts';
import { addDeliveries, addEvents, listensTo } from '../webhooks/outbox.ts';
import { type NewSnapshotRow, newSnapshotColumns } from './repository.ts';
import { addToBlocks, blockTables, kindColumns } from './snapshot-blocks.ts';
import { addMachines } from './snapshot-counts.ts';

type AnswerColumn = keyof typeof storedAnswerColumns;

interface Circumstances {
  api_key_id: string;
  named_key_id: string | null;
  answered_at: number | null;
}

/** The event of a creation in a project where a webhook listens. */
interface Announcement {
  event_id: string;
  event_payload: string;
  event_traceparent: string | null;
  event_at: number;
}

/** One call's values. */
export type Creation = NewSnapshotRow &
  Circumstances & {
    [Column in AnswerColumn]: NewStoredAnswer[Column] | null;
  };

const { access } = operations.createSnapshot;
const snapshotColumns = Object.keys(newSnapshotColumns).join(', ');
const answerColumns = Object.keys(storedAnswerColumns) as AnswerColumn[];

/** Counts what is stored in each table of blocks. */
const countedInBlocks = blockTables.map((table) => {
  const source = {
    ...{ projectId: 'stored.project_id', machineName: 'stored.machine_name', createdAt: 'stored.created_at' },
    kind: kindColumns.map(([column]) => `coalesce('=' || stored.${column}, '')`),
  };
  const counting = addToBlocks(table, source, (rows) =>
    rows.map((row) => `select ${row} from stored`).join(' union all '),
  );
  return `${table.name}_counted as (${counting})`;
});

const creationColumns = {
  ...newSnapshotColumns,
  ...storedAnswerColumns,
  api_key_id: 'uuid',
  named_key_id: 'uuid',
  answered_at: 'bigint',
} as const;

const announcementColumns = {
  event_id: 'uuid',
  event_payload: 'text',
  event_traceparent: 'text',
  event_at: 'bigint',
} as const satisfies Record<keyof Announcement, string>;

const listens = listensTo('snapshot.created');

/** What a statement does about the webhooks of its projects. */
interface Audience {
  /** The table `listened`: calls whose project has a webhook that listens. */
  readonly listened: string;
  /** A condition on a call. */
  readonly allows: string;
  /** Further tables, each with a comma before it. */
  readonly stores: string;
  /** A row for each call that is passed over because somebody listens. */
  readonly tells: string;
}

/** Passes over the projects where somebody listens: most have nobody, and a smaller statement costs less. */
const nobody: Audience = {
  listened: `select distinct given.call_number from given
    join webhooks on webhooks.project_id = given.project_id where ${listens}`,
  allows: 'given.call_number not in (select call_number from listened)',
  stores: '',
  tells: 'union all select call_number, false from listened',
};

/** Queues the event. A webhook that somebody is deleting is locked: then the call is passed over. */
const listeners: Audience = {
  listened: `select given.call_number, webhooks.id as webhook_id from given
    join webhooks on webhooks.project_id = given.project_id
    where ${listens} for key share of webhooks skip locked`,
  allows: `(select count(*) from webhooks where webhooks.project_id = given.project_id and ${listens})
    = (select count(*) from listened where listened.call_number = given.call_number)`,
  stores: `, event as (
      ${addEvents(`select event_id, project_id, 'snapshot.created', event_payload, event_traceparent, event_at
        from stored where call_number in (select call_number from listened)`)}
    ), delivery as (
      ${
        // Their ids ascend as the event's does: its time and counter, and random bits of their own.
        addDeliveries(`select (left(event_id::text, 19) || right(gen_random_uuid()::text, 17))::uuid,
          project_id, webhook_id, event_id, 'pending', event_at, event_at
          from stored join listened on listened.call_number = stored.call_number`)
      }
    )`,
  tells: '',
};

/** For projects where nobody is known to listen; a call that somebody listens to is told with `stored: false`. */
export const storeQuietly = defineGatheredChange<Creation, { stored: boolean }>(
  creationColumns,
  'project_id',
  (qb, dialect) => createSnapshots(qb, dialect, nobody),
);

/** For all others. */
export const storeAndAnnounce = defineGatheredChange<Creation & Announcement, { stored: boolean }>(
  { ...creationColumns, ...announcementColumns },
  'project_id',
  (qb, dialect) => createSnapshots(qb, dialect, listeners),
);

function createSnapshots(qb: Knex, dialect: Dialect, audience: Audience): Knex.Raw {
  // In the order in which transactions lock them; nothing is waited for, so that no two servers can block each other.
  const locks = dialect.lockTables(
    [
      { table: 'projects', against: 'deletion' },
      { table: 'api_keys', against: 'change' },
      { table: 'quotas', against: 'everything' },
    ],
    { free: true },
  );
  // Counts are changed by those who hold the quotas' row and change it too. Where that row is no longer what it was when
  // this statement began, the blocks and machines that the statement sees may not be the latest either.
  return qb.raw(
    `listened as materialized (
        ${audience.listened}
      ), allowed as materialized (
        select given.call_number from given
        join projects on projects.id = given.project_id and deleted_at is null
        join api_keys on api_keys.id = given.api_key_id and api_keys.project_id = given.project_id
          and role in (${access.map((role) => `'${role}'`).join(', ')})
        join project_quotas as quotas on quotas.project_id = given.project_id
          and snapshots_used < max_snapshots
          and (named_key_id is null or fingerprint_key_id is null or named_key_id = fingerprint_key_id)
        join project_quotas as seen on seen.project_id = given.project_id
        where quotas.xmin = seen.xmin
          and ${audience.allows}
          and (given.scope is null or ?)
          and not exists (select from idempotency_keys where idempotency_keys.scope = given.scope)
        ${locks}
      ), claimed as (
        insert into idempotency_keys (project_id, created_at, ${answerColumns.join(', ')})
        select project_id, answered_at, ${answerColumns.join(', ')} from given
        where scope is not null and call_number in (select call_number from allowed)
        on conflict (scope) do nothing returning scope
      ), stored as materialized (
        select * from given where call_number in (select call_number from allowed)
          and (scope is null or scope in (select scope from claimed))
      ), snapshot as (
        insert into snapshots (${snapshotColumns}) select ${snapshotColumns} from stored
      ), quota as (
        update project_quotas set snapshots_used = snapshots_used + 1,
          machines_used = machines_used + case when exists (
            select from machines
            where machines.project_id = stored.project_id and machines.machine_name = stored.machine_name
          ) then 0 else 1 end
        from stored where project_quotas.project_id = stored.project_id
      ), ${countedInBlocks.join(', ')}, machine as (
        ${addMachines('select project_id, machine_name, 1, created_at, id from stored')}
      )${audience.stores}
      select call_number, true as stored from stored ${audience.tells}`,
    [dialect.tryLock(qb.raw('given.scope'))],
  );
}
