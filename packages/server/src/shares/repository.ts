// Rows of shares: the page as it was when it was made, and the hash of the token that opens it.

import { defineInsert, defineSql } from '../infra/db/statement.ts';

export interface ShareRow {
  id: string;
  kind: 'snapshot' | 'comparison';
  snapshot_a: string;
  snapshot_b: string | null;
  created_by: string;
  created_at: number;
  expires_at: number;
}

export interface SharePageRow {
  page: Buffer;
  content_security_policy: string;
}

interface NewShareRow extends ShareRow, SharePageRow {
  project_id: string;
  token_hash: string;
}

export const insertShare = defineInsert<NewShareRow>('shares');

const isCurrent = 'expires_at > :nowMs';
const ofProject = `from shares where project_id = :projectId and ${isCurrent}`;

export const listShares = defineSql<{ projectId: string; nowMs: number }, ShareRow>(
  `select id, kind, snapshot_a, snapshot_b, created_by, created_at, expires_at ${ofProject}
  order by created_at desc, id desc`,
);

export const findPage = defineSql<{ tokenHash: string; nowMs: number }, SharePageRow>(
  `select page, content_security_policy from shares join projects on projects.id = project_id
  where token_hash = :tokenHash and ${isCurrent} and deleted_at is null`,
);

export const findShare = defineSql<{ projectId: string; id: string; nowMs: number }, { id: string }>(
  `select id ${ofProject} and id = :id`,
);

export const countShares = defineSql<{ projectId: string; nowMs: number }, { total: number }>(
  `select count(*) as total ${ofProject}`,
);

export const deleteShare = defineSql<{ projectId: string; id: string; nowMs: number }>(
  `delete ${ofProject} and id = :id`,
);
