// Rows of shares: the page as it was when it was made, and the hash of the token that opens it.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

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

export interface NewShareRow extends ShareRow, SharePageRow {
  project_id: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
}

const insert = defineStatement<NewShareRow>((qb, p) =>
  qb('shares').insert({
    id: p.id,
    project_id: p.project_id,
    token_hash: p.token_hash,
    kind: p.kind,
    snapshot_a: p.snapshot_a,
    snapshot_b: p.snapshot_b,
    created_by: p.created_by,
    created_at: p.created_at,
    expires_at: p.expires_at,
    page: p.page,
    content_security_policy: p.content_security_policy,
  }),
);

const list = defineStatement<{ projectId: string; nowMs: number }, ShareRow>((qb, p) =>
  qb('shares')
    .select('id', 'kind', 'snapshot_a', 'snapshot_b', 'created_by', 'created_at', 'expires_at')
    .where('project_id', p.projectId)
    .where('expires_at', '>', p.nowMs)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]),
);

const findPage = defineStatement<{ tokenHash: string; nowMs: number }, SharePageRow>((qb, p) =>
  qb('shares')
    .join('projects', 'projects.id', 'shares.project_id')
    .select('page', 'content_security_policy')
    .where('token_hash', p.tokenHash)
    .where('expires_at', '>', p.nowMs)
    .whereNull('deleted_at'),
);

/** The quotas' row stands for the project: nobody else adds a share until the transaction ends. */
const lockProject = defineStatement<{ projectId: string }, { project_id: string }>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('project_id').where('project_id', p.projectId)),
);

const count = defineStatement<{ projectId: string; nowMs: number }, { total: number }>((qb, p) =>
  qb('shares').count({ total: '*' }).where('project_id', p.projectId).where('expires_at', '>', p.nowMs),
);

const remove = defineStatement<{ projectId: string; id: string; nowMs: number }>((qb, p) =>
  qb('shares').where({ id: p.id, project_id: p.projectId }).where('expires_at', '>', p.nowMs).delete(),
);

/** Queries of shares. */
export function createShareRepository(executor: Executor) {
  return {
    insert: (row: NewShareRow) => executor.run(insert, row),
    /** Newest first. */
    list: (projectId: string, nowMs: number) => executor.all(list, { projectId, nowMs }),
    /** The page behind a token, unless it has expired or its project is gone. */
    findPage: (tokenHash: string, nowMs: number) => executor.get(findPage, { tokenHash, nowMs }),
    /** How many shares there are, which stays true until the transaction ends. Undefined when the project is gone. */
    async countLocked(projectId: string, nowMs: number): Promise<number | undefined> {
      if (!(await executor.get(lockProject, { projectId }))) return undefined;
      return (await executor.get(count, { projectId, nowMs }))?.total ?? 0;
    },
    remove: (projectId: string, id: string, nowMs: number) => executor.run(remove, { projectId, id, nowMs }),
  };
}
