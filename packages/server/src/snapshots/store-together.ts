// Stores the snapshots of one moment in one statement, where the database gains by it: those that nothing stands against.
// It checks what the transaction of a creation checks, and changes what that changes (service.ts, perform.ts); whatever it
// passes over, such as a full quota or a webhook that listens, is decided there. docs/decisions/0141.

import { operations } from '@envsnap/shared';
import { type NewStoredAnswer, storedAnswerColumns } from '../idempotency/repository.ts';
import type { Database } from '../infra/db/database.ts';
import { defineGatheredChange } from '../infra/db/gathered-change.ts';
import { listenerPattern } from '../webhooks/outbox.ts';
import { type NewSnapshotRow, newSnapshotColumns } from './repository.ts';
import { addToBlocks, blockTables, kindColumns } from './snapshot-blocks.ts';
import { addMachines } from './snapshot-counts.ts';

/** What a creation's transaction would check and store beside the snapshot. */
export interface CreationClaim {
  readonly apiKeyId: string;
  /** The answer for retries; undefined without an `Idempotency-Key`. */
  readonly answer: NewStoredAnswer | undefined;
}

type AnswerColumn = keyof typeof storedAnswerColumns;

interface Circumstances {
  api_key_id: string;
  named_key_id: string | null;
  answered_at: number | null;
}

type Creation = NewSnapshotRow &
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

const createSnapshots = defineGatheredChange<Creation, { stored: boolean }>(
  {
    ...newSnapshotColumns,
    ...storedAnswerColumns,
    ...{ api_key_id: 'uuid', named_key_id: 'uuid', answered_at: 'bigint' },
  },
  'project_id',
  (qb, dialect) => {
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
        select distinct given.project_id from given join webhooks on webhooks.project_id = given.project_id
        where active and events like '${listenerPattern('snapshot.created')}'
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
          and given.project_id not in (select project_id from listened)
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
      )
      select call_number, true as stored from stored union all
      select call_number, false from given join listened on listened.project_id = given.project_id`,
      [dialect.tryLock(qb.raw('given.scope'))],
    );
  },
);

/** Bytes of a snapshot from which it is stored by itself: the snapshots of one statement are sent as one packet. */
const mostBytes = 128 * 1024;
/** How long a project with a webhook that listens is not tried again, in milliseconds. */
const listenedMs = 10_000;
/** Projects remembered as such at most. */
const mostListened = 10_000;

/**
 * Stores a snapshot, and the answer for retries, if nothing stands against it. False when nothing was stored.
 * `namedKeyId` is the fingerprint key that the snapshot names. Errors: `database_unavailable`.
 */
export type StoreTogether = (
  row: NewSnapshotRow,
  namedKeyId: string | undefined,
  claim: CreationClaim,
) => Promise<boolean>;

/** Creates what stores snapshots together; undefined where each is better stored by itself. */
export function createStoreTogether({ changeTogether }: Database): StoreTogether | undefined {
  if (!changeTogether) return undefined;
  /** Projects whose snapshots the statement passes over, and until when; only to save the try. */
  const listened = new Map<string, number>();

  return async (row, namedKeyId, { apiKeyId, answer }) => {
    const { project_id: projectId, created_at: nowMs } = row;
    if ((listened.get(projectId) ?? 0) > nowMs || bytesOf(row) > mostBytes) return false;
    const found = await changeTogether(createSnapshots, {
      ...row,
      api_key_id: apiKeyId,
      named_key_id: namedKeyId ?? null,
      answered_at: answer?.created_at ?? null,
      scope: answer?.scope ?? null,
      fingerprint: answer?.fingerprint ?? null,
      status_code: answer?.status_code ?? null,
      response: answer?.response ?? null,
      response_encrypted: answer?.response_encrypted ?? null,
      expires_at: answer?.expires_at ?? null,
    });
    if (found?.stored === false) {
      if (listened.size >= mostListened) listened.clear();
      listened.set(projectId, nowMs + listenedMs);
    }
    return found?.stored === true;
  };
}

function bytesOf(row: NewSnapshotRow): number {
  const { dependencies, env_ciphertext, env_names, metadata, runtime_versions } = row;
  return (
    dependencies.length + env_ciphertext.length + env_names.length + metadata.length + runtime_versions.length
  );
}
