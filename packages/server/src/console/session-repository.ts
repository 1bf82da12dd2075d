// Rows of the console's sessions and of links that open one.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { newestFirst } from '../infra/list-parts.ts';

/** A session as a list shows it; times are milliseconds since the epoch. */
interface SessionRow {
  id: string;
  prefix: string;
  label: string | null;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

/** Which part of the sessions of a project, or of one of its keys. */
export interface SessionListRequest {
  readonly projectId: string;
  readonly apiKeyId: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A session with the key that it acts for. */
export interface SessionKeyRow {
  project_id: string;
  id: string;
  api_key_id: string;
  key_hash: string;
  last_used_at: number;
}

interface NewSessionRow {
  id: string;
  token_hash: string;
  project_id: string;
  api_key_id: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

interface NewLinkRow {
  token_hash: string;
  project_id: string;
  api_key_id: string;
  page: string;
  expires_at: number;
}

/** What shows that a session is alive. */
interface Alive {
  nowMs: number;
  idleSinceMs: number;
}

/** Locks the key's row, so that sessions of one key are opened one after the other. */
export const lockKey = defineStatement<{ id: string }, { id: string }>((qb, p, dialect) =>
  dialect.lockRows(qb('api_keys').select('id').where('id', p.id)),
);

export const insertSession = defineStatement<NewSessionRow>((qb, p) => qb('sessions').insert(p));

export const findByToken = defineStatement<Alive & { tokenHash: string }, SessionKeyRow>((qb, p) =>
  qb('sessions')
    .join('api_keys', 'api_keys.id', 'sessions.api_key_id')
    .select('sessions.id', 'sessions.project_id', 'sessions.api_key_id', 'key_hash', 'sessions.last_used_at')
    .where('token_hash', p.tokenHash)
    .where('sessions.expires_at', '>', p.nowMs)
    .where('sessions.last_used_at', '>', p.idleSinceMs),
);

export const touchSession = defineStatement<{ id: string; nowMs: number }>((qb, p) =>
  qb('sessions').where('id', p.id).update({ last_used_at: p.nowMs }),
);

/** The key that a session acts for. */
export const findToEnd = defineStatement<
  { projectId: string; id: string },
  { api_key_id: string; label: string | null }
>((qb, p) =>
  qb('sessions')
    .join('api_keys', 'api_keys.id', 'sessions.api_key_id')
    .select('api_key_id', 'label')
    .where({ 'sessions.id': p.id, 'sessions.project_id': p.projectId }),
);

/** Newest first. */
export const listIdsOfKey = defineStatement<{ apiKeyId: string }, { id: string }>((qb, p) =>
  qb('sessions').select('id').where('api_key_id', p.apiKeyId).orderBy(newestFirst),
);

export const deleteSession = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('sessions').where({ id: p.id, project_id: p.projectId }).delete(),
);

export const insertLink = defineStatement<NewLinkRow>((qb, p) => qb('console_links').insert(p));

/** A link that signs in. */
export const findLink = defineStatement<{ tokenHash: string; nowMs: number }, { page: string }>((qb, p) =>
  qb('console_links').select('page').where('token_hash', p.tokenHash).where('expires_at', '>', p.nowMs),
);

/** Takes a link away, and returns what it was. */
export const takeLink = defineStatement<
  { tokenHash: string },
  { api_key_id: string; page: string; expires_at: number }
>((qb, p) =>
  qb('console_links')
    .where('token_hash', p.tokenHash)
    .delete()
    .returning(['api_key_id', 'page', 'expires_at']),
);

/** Newest first; of one key where that is given. */
export function listSessions(
  executor: Executor,
  { projectId, apiKeyId, limit, offset }: SessionListRequest,
  { nowMs, idleSinceMs }: Alive,
): Promise<SessionRow[]> {
  const query = executor.dialect
    .builder('sessions')
    .join('api_keys', 'api_keys.id', 'sessions.api_key_id')
    .select('sessions.id', 'prefix', 'label', 'sessions.created_at')
    .select('sessions.last_used_at', 'sessions.expires_at')
    .where('sessions.project_id', projectId)
    .where('sessions.expires_at', '>', nowMs)
    .where('sessions.last_used_at', '>', idleSinceMs)
    .orderBy([
      { column: 'sessions.created_at', order: 'desc' },
      { column: 'sessions.id', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset);
  return executor.all<SessionRow>(apiKeyId === undefined ? query : query.where({ api_key_id: apiKeyId }));
}
