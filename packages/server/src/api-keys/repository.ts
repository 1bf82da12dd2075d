// Rows of keys and memberships. A key and its membership are created and removed together (docs/specification.md §3).

import type { Role } from '@envsnap/shared';
import { rememberKey } from '../audit/sign-in-failures.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';

/** A key as its row has it; times in milliseconds since the epoch. */
export interface ApiKeyRow {
  id: string;
  label: string | null;
  role: Role;
  prefix: string;
  created_at: number;
  last_used_at: number | null;
  /** Null for a key that does not expire. */
  expires_at: number | null;
}

interface ExpiringKeyRow extends Pick<ApiKeyRow, 'id' | 'label' | 'role'> {
  project_id: string;
  expires_at: number;
}

/** The caller that a key belongs to, with the limits of its project. */
export interface PrincipalRow {
  id: string;
  project_id: string;
  role: Role;
  max_requests_per_minute: number;
  max_requests_per_day: number;
  payer: string | null;
}

interface NewKeyRow extends Omit<ApiKeyRow, 'last_used_at'> {
  project_id: string;
  key_hash: string;
}

interface NewMembershipRow {
  id: string;
  project_id: string;
  api_key_id: string;
  invited_by: string | null;
  joined_at: number;
}

export const keyColumns =
  'api_keys.id, api_keys.label, api_keys.role, api_keys.prefix, api_keys.created_at, last_used_at, expires_at';

export const insertKey = defineInsert<NewKeyRow>('api_keys');

export const insertMembership = defineInsert<NewMembershipRow>('memberships');

export const listKeys = defineSql<{ projectId: string }, ApiKeyRow>(
  `select ${keyColumns} from api_keys where project_id = :projectId order by created_at desc, id desc`,
);

export const findKey = defineSql<{ id: string; projectId: string }, ApiKeyRow>(
  ({ lock }) =>
    `select ${keyColumns} from api_keys where id = :id and project_id = :projectId ${lock('api_keys')}`,
);

export const withProject =
  'from api_keys join projects on projects.id = api_keys.project_id where deleted_at is null';

/** A key with its project. */
export type CurrentKeyRow = ApiKeyRow & { project_id: string; project_name: string };

export const findCurrent = defineSql<{ id: string }, CurrentKeyRow>(
  `select ${keyColumns}, project_id, projects.name as project_name ${withProject} and api_keys.id = :id`,
);

export interface ValidKeyRow {
  id: string;
  project_id: string;
  label: string | null;
}

/** Finds a key by its hash or its id, unless it has expired or its project is deleted. */
const defineFindValid = (column: 'key_hash' | 'api_keys.id') =>
  defineSql<{ value: string; nowMs: number }, ValidKeyRow>(
    `select api_keys.id, api_keys.project_id, label ${withProject}
      and ${column} = :value and (expires_at is null or expires_at > :nowMs)`,
  );

export const findValidByHash = defineFindValid('key_hash');
export const findValidById = defineFindValid('api_keys.id');

export const findMemberId = defineSql<{ apiKeyId: string }, { id: string }>(
  'select id from memberships where api_key_id = :apiKeyId',
);

export const countKeys = defineSql<{ projectId: string }, { total: number }>(
  'select count(*) as total from api_keys where project_id = :projectId',
);

const deleteKey = defineSql<{ id: string }>('delete from api_keys where id = :id');

/** Removes the key with its membership. A record of it remains, for later calls with it. */
export async function removeKey(executor: Executor, id: string, nowMs: number): Promise<void> {
  await executor.run(rememberKey, { id, endedAtMs: nowMs });
  await executor.run(deleteKey, { id });
}

/** Records that a key was used, unless that was already recorded after `staleMs`. */
export const touchKey = defineSql<{ id: string; nowMs: number; staleMs: number }>(
  `update api_keys set last_used_at = :nowMs
  where id = :id and (last_used_at is null or last_used_at <= :staleMs)`,
);

/**
 * Keys that expire before a time, have a life of more than `minLifeMs`, and have not been announced. Skips those that another
 * server has claimed. Run it in the transaction that announces them.
 */
export const claimExpiring = defineSql<
  { nowMs: number; beforeMs: number; minLifeMs: number; limit: number },
  ExpiringKeyRow
>(
  ({ lockFree }) => `update api_keys set expiry_announced_at = :nowMs where id in (
    select id from api_keys where expiry_announced_at is null and expires_at > :nowMs and expires_at <= :beforeMs
      and expires_at - created_at > :minLifeMs
    order by expires_at limit :limit ${lockFree('api_keys')})
  returning id, project_id, label, role, expires_at`,
);
