// Rows of shares: the page as it was when it was made, and the hash of the token that opens it.

import { defineStatement } from '../infra/db/statement.ts';
import { newestFirst } from '../infra/list-parts.ts';

/** A share's row without its page; times are milliseconds since the epoch. */
export interface ShareRow {
  id: string;
  kind: 'snapshot' | 'comparison';
  snapshot_a: string;
  snapshot_b: string | null;
  created_by: string;
  created_at: number;
  expires_at: number;
}

/** The page of a share. */
export interface SharePageRow {
  /** HTML, packed with gzip. */
  page: Buffer;
  content_security_policy: string;
}

interface NewShareRow extends ShareRow, SharePageRow {
  project_id: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
}

export const insertShare = defineStatement<NewShareRow>((qb, p) => qb('shares').insert(p));

export const listShares = defineStatement<{ projectId: string; nowMs: number }, ShareRow>((qb, p) =>
  qb('shares')
    .select('id', 'kind', 'snapshot_a', 'snapshot_b', 'created_by', 'created_at', 'expires_at')
    .where('project_id', p.projectId)
    .where('expires_at', '>', p.nowMs)
    .orderBy(newestFirst),
);

/** The page behind a token, unless it has expired or its project is gone. */
export const findPage = defineStatement<{ tokenHash: string; nowMs: number }, SharePageRow>((qb, p) =>
  qb('shares')
    .join('projects', 'projects.id', 'shares.project_id')
    .select('page', 'content_security_policy')
    .where('token_hash', p.tokenHash)
    .where('expires_at', '>', p.nowMs)
    .whereNull('deleted_at'),
);

export const findShare = defineStatement<{ projectId: string; id: string; nowMs: number }, { id: string }>(
  (qb, p) =>
    qb('shares').select('id').where({ id: p.id, project_id: p.projectId }).where('expires_at', '>', p.nowMs),
);

export const countShares = defineStatement<{ projectId: string; nowMs: number }, { total: number }>((qb, p) =>
  qb('shares').count({ total: '*' }).where('project_id', p.projectId).where('expires_at', '>', p.nowMs),
);

export const deleteShare = defineStatement<{ projectId: string; id: string; nowMs: number }>((qb, p) =>
  qb('shares').where({ id: p.id, project_id: p.projectId }).where('expires_at', '>', p.nowMs).delete(),
);
