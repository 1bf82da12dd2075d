// Rows of keys and memberships. A key and its membership are made and removed together (docs/specification.md §3).

import type { Role } from '@envsnap/shared';
import { rememberKey } from '../audit/sign-in-failures.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

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
export interface ExpiringKeyRow {
  id: string;
  project_id: string;
  label: string | null;
  role: Role;
  expires_at: number;
}

/** The caller that a key stands for, with the limits of its project. */
export interface PrincipalRow {
  id: string;
  project_id: string;
  role: Role;
  max_requests_per_minute: number;
  max_requests_per_day: number;
}

interface NewKey {
  id: string;
  projectId: string;
  keyHash: string;
  prefix: string;
  label: string | null;
  role: Role;
  nowMs: number;
  expiresAtMs: number | null;
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

const insertKey = defineStatement<NewKey>((qb, p) =>
  qb('api_keys').insert({
    id: p.id,
    project_id: p.projectId,
    key_hash: p.keyHash,
    prefix: p.prefix,
    label: p.label,
    role: p.role,
    created_at: p.nowMs,
    expires_at: p.expiresAtMs,
  }),
);

const insertMembership = defineStatement<{
  id: string;
  projectId: string;
  apiKeyId: string;
  invitedBy: string | null;
  nowMs: number;
}>((qb, p) =>
  qb('memberships').insert({
    id: p.id,
    project_id: p.projectId,
    api_key_id: p.apiKeyId,
    invited_by: p.invitedBy,
    joined_at: p.nowMs,
  }),
);

const listKeys = defineStatement<{ projectId: string }, ApiKeyRow>((qb, p) =>
  qb('api_keys')
    .select(columns)
    .where('project_id', p.projectId)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]),
);

const findKey = defineStatement<{ id: string; projectId: string }, ApiKeyRow>((qb, p, dialect) =>
  dialect.lockRows(qb('api_keys').select(columns).where({ id: p.id, project_id: p.projectId })),
);

const findCurrent = defineStatement<{ id: string }, ApiKeyRow & { project_id: string; project_name: string }>(
  (qb, p) =>
    qb('api_keys')
      .join('projects', 'projects.id', 'api_keys.project_id')
      .select(...columns, 'project_id', 'projects.name as project_name')
      .where('api_keys.id', p.id)
      .whereNull('deleted_at'),
);

const findMemberId = defineStatement<{ apiKeyId: string }, { id: string }>((qb, p) =>
  qb('memberships').select('id').where('api_key_id', p.apiKeyId),
);

const lockKeyQuota = defineStatement<{ projectId: string }, { max_api_keys: number }>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('max_api_keys').where('project_id', p.projectId)),
);

const countKeys = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('api_keys').count({ total: '*' }).where('project_id', p.projectId),
);

const removeKey = defineStatement<{ id: string }>((qb, p) => qb('api_keys').where('id', p.id).delete());

const touchKey = defineStatement<{ id: string; nowMs: number; staleMs: number }>((qb, p) =>
  qb('api_keys')
    .where('id', p.id)
    .andWhere((condition) => condition.whereNull('last_used_at').orWhere('last_used_at', '<=', p.staleMs))
    .update({ last_used_at: p.nowMs }),
);

/** Keys that end before a time and were made for longer than `minLifeMs`; those of others are passed over. */
const claimExpiring = defineStatement<
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

/** Queries of keys and memberships. */
export function createApiKeyRepository(executor: Executor) {
  return {
    insertKey: (key: NewKey) => executor.run(insertKey, key),
    insertMembership: (membership: {
      id: string;
      projectId: string;
      apiKeyId: string;
      invitedBy: string | null;
      nowMs: number;
    }) => executor.run(insertMembership, membership),
    /** Newest first. */
    listKeys: (projectId: string) => executor.all(listKeys, { projectId }),
    /** Locks the row in a transaction. */
    findKey: (projectId: string, id: string) => executor.get(findKey, { id, projectId }),
    findCurrent: (id: string) => executor.get(findCurrent, { id }),
    findMemberId: async (apiKeyId: string) => (await executor.get(findMemberId, { apiKeyId }))?.id,
    /** How many keys the project may have; nobody else adds one until the transaction ends. Undefined when it is gone. */
    lockKeyQuota: async (projectId: string) =>
      (await executor.get(lockKeyQuota, { projectId }))?.max_api_keys,
    countKeys: async (projectId: string) => (await executor.get(countKeys, { projectId }))?.total ?? 0,
    /** Removes the key; its membership goes with it. What it was is remembered, for those who call with it later. */
    removeKey: async (id: string, nowMs: number) => {
      await executor.run(rememberKey, { id, endedAtMs: nowMs });
      await executor.run(removeKey, { id });
    },
    /** Remembers what a key was, for those who call with it once it is replaced. */
    rememberRevoked: (id: string, nowMs: number) => executor.run(rememberKey, { id, endedAtMs: nowMs }),
    /** Keys that end soon and that nobody has been notified of. Call it in the transaction that notifies. */
    claimExpiring: (range: { nowMs: number; beforeMs: number; minLifeMs: number; limit: number }) =>
      executor.all(claimExpiring, range),
    /** Records that a key was used, unless it was recorded after `staleMs`; at the latest with the commit. */
    touchKey: (id: string, nowMs: number, staleMs: number) =>
      executor.write(touchKey, { id, nowMs, staleMs }),
  };
}
