// Rows of the console's sessions and of links that open one.

import { defineInsert, defineSql } from '../infra/db/statement.ts';

interface SessionRow {
  id: string;
  key_prefix: string;
  key_label: string | null;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  /** How many there are on all pages. */
  total: number;
}

export interface SessionListRequest {
  readonly projectId: string;
  readonly apiKeyId: string | null;
  readonly limit: number;
  readonly offset: number;
}

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

interface Alive {
  nowMs: number;
  idleSinceMs: number;
}

/** Locks the key's row, so that sessions of one key are opened one after the other. */
export const lockKey = defineSql<{ id: string }, { id: string }>(
  ({ lock }) => `select id from api_keys where id = :id ${lock('api_keys')}`,
);

export const insertSession = defineInsert<NewSessionRow>('sessions');

const withKeys = 'from sessions join api_keys on api_keys.id = sessions.api_key_id';
const isAlive = 'sessions.expires_at > :nowMs and sessions.last_used_at > :idleSinceMs';

export const findByToken = defineSql<Alive & { tokenHash: string }, SessionKeyRow>(
  `select sessions.id, sessions.project_id, api_key_id, key_hash, sessions.last_used_at ${withKeys}
  where token_hash = :tokenHash and ${isAlive}`,
);

export const touchSession = defineSql<{ id: string; nowMs: number }>(
  'update sessions set last_used_at = :nowMs where id = :id',
);

export const findToEnd = defineSql<
  { projectId: string; id: string },
  { api_key_id: string; label: string | null }
>(`select api_key_id, label ${withKeys} where sessions.id = :id and sessions.project_id = :projectId`);

export const listIdsOfKey = defineSql<{ apiKeyId: string }, { id: string }>(
  'select id from sessions where api_key_id = :apiKeyId order by created_at desc, id desc',
);

export const deleteSession = defineSql<{ projectId: string; id: string }>(
  'delete from sessions where id = :id and project_id = :projectId',
);

export const insertLink = defineInsert<NewLinkRow>('console_links');

export const findLink = defineSql<{ tokenHash: string; nowMs: number }, { page: string }>(
  'select page from console_links where token_hash = :tokenHash and expires_at > :nowMs',
);

export const takeLink = defineSql<
  { tokenHash: string },
  { api_key_id: string; page: string; expires_at: number }
>('delete from console_links where token_hash = :tokenHash returning api_key_id, page, expires_at');

export const listSessions = defineSql<SessionListRequest & Alive, SessionRow>(
  `select sessions.id, prefix as key_prefix, label as key_label, sessions.created_at, sessions.last_used_at, sessions.expires_at,
    count(*) over () as total ${withKeys}
  where sessions.project_id = :projectId and ${isAlive} and api_key_id = coalesce(:apiKeyId, api_key_id)
  order by sessions.created_at desc, sessions.id desc limit :limit offset :offset`,
);
