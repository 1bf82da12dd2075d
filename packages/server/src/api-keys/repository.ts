// Rows of keys and memberships. A key and its membership are made and removed together (docs/specification.md §3).

import type { Role } from '@envsnap/shared';
import { rememberKey } from '../audit/sign-in-failures.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { newestFirst } from '../infra/list-parts.ts';

/** A key as its row has it; times in milliseconds since the epoch. */
export interface ApiKeyRow {
  id: string;
  label: string | null;
  role: Role;
  prefix: string;
  created_at: number;
  last_used_at: number | null;
  /** Null for a key that stays until it is revoked. */
  expires_at: number | null;
}

/** A key that ends soon. */
interface ExpiringKeyRow extends Pick<ApiKeyRow, 'id' | 'label' | 'role'> {
  project_id: string;
  expires_at: number;
}

/** The caller that a key stands for, with the limits of its project. */
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

const columns = [
  'api_keys.id',
  'api_keys.label',
  'api_keys.role',
  'api_keys.prefix',
  'api_keys.created_at',
  'last_used_at',
  'expires_at',
];

export const insertKey = defineStatement<NewKeyRow>((qb, p) => qb('api_keys').insert(p));

export const insertMembership = defineStatement<NewMembershipRow>((qb, p) => qb('memberships').insert(p));

export const listKeys = defineStatement<{ projectId: string }, ApiKeyRow>((qb, p) =>
  qb('api_keys').select(columns).where('project_id', p.projectId).orderBy(newestFirst),
);

/** Locks the row in a transaction. */
export const findKey = defineStatement<{ id: string; projectId: string }, ApiKeyRow>((qb, p, dialect) =>
  dialect.lockRows(qb('api_keys').select(columns).where({ id: p.id, project_id: p.projectId })),
);

/** A key with its project, where that is there. */
export const findCurrent = defineStatement<
  { id: string },
  ApiKeyRow & { project_id: string; project_name: string }
>((qb, p) =>
  qb('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .select(...columns, 'project_id', 'projects.name as project_name')
    .where('api_keys.id', p.id)
    .whereNull('deleted_at'),
);

/** A key that opens something. */
export interface ValidKeyRow {
  id: string;
  project_id: string;
  label: string | null;
}

/** Finds a key by its hash or its id, unless it or its project has ended. */
function defineFindValid(column: 'key_hash' | 'api_keys.id') {
  return defineStatement<{ value: string; nowMs: number }, ValidKeyRow>((qb, p) =>
    qb('api_keys')
      .join('projects', 'projects.id', 'api_keys.project_id')
      .select('api_keys.id', 'api_keys.project_id', 'label')
      .where(column, p.value)
      .whereNull('deleted_at')
      .andWhere((condition) =>
        condition.whereNull('api_keys.expires_at').orWhere('api_keys.expires_at', '>', p.nowMs),
      ),
  );
}

export const findValidByHash = defineFindValid('key_hash');
export const findValidById = defineFindValid('api_keys.id');

export const findMemberId = defineStatement<{ apiKeyId: string }, { id: string }>((qb, p) =>
  qb('memberships').select('id').where('api_key_id', p.apiKeyId),
);

export const countKeys = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('api_keys').count({ total: '*' }).where('project_id', p.projectId),
);

const deleteKey = defineStatement<{ id: string }>((qb, p) => qb('api_keys').where('id', p.id).delete());

/** Removes the key; its membership goes with it. What it was is remembered, for those who call with it later. */
export async function removeKey(executor: Executor, id: string, nowMs: number): Promise<void> {
  await executor.run(rememberKey, { id, endedAtMs: nowMs });
  await executor.run(deleteKey, { id });
}

/** Records that a key was used, unless it was recorded after `staleMs`. */
export const touchKey = defineStatement<{ id: string; nowMs: number; staleMs: number }>((qb, p) =>
  qb('api_keys')
    .where('id', p.id)
    .andWhere((condition) => condition.whereNull('last_used_at').orWhere('last_used_at', '<=', p.staleMs))
    .update({ last_used_at: p.nowMs }),
);

/**
 * Keys that end before a time, were made for longer than `minLifeMs`, and that nobody has been notified of. Those that
 * another server has claimed are passed over. Run it in the transaction that notifies.
 */
export const claimExpiring = defineStatement<
  { nowMs: number; beforeMs: number; minLifeMs: number; limit: number },
  ExpiringKeyRow
>((qb, p, dialect) =>
  qb('api_keys')
    .whereIn(
      'id',
      dialect.lockFreeRows(
        qb('api_keys')
          .select('id')
          .whereRaw('expiry_announced_at is null')
          .where('expires_at', '>', p.nowMs)
          .where('expires_at', '<=', p.beforeMs)
          .whereRaw('expires_at - created_at > ?', [p.minLifeMs])
          .orderBy('expires_at')
          .limitTo(p.limit),
      ),
    )
    .update({ expiry_announced_at: p.nowMs })
    .returning(['id', 'project_id', 'label', 'role', 'expires_at']),
);
