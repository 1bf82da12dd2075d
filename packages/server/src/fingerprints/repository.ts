// Rows of fingerprint keys: one for each project.

import { defineStatement } from '../infra/db/statement.ts';

/** A key that can be opened; times in milliseconds since the epoch. */
interface FingerprintKeyRow {
  id: string;
  project_id: string;
  master_key_id: string;
  wrapped_key: Buffer;
  created_at: number;
}

const columns = ['id', 'project_id', 'master_key_id', 'wrapped_key', 'created_at'] as const;

/** The key that captures use now; no row when the project is gone. */
export const findKey = defineStatement<{ projectId: string }, FingerprintKeyRow>((qb, p) =>
  qb('fingerprint_keys').select(columns).where('project_id', p.projectId),
);

export const insertKey = defineStatement<FingerprintKeyRow>((qb, p) => qb('fingerprint_keys').insert(p));

/** Destroys the key. */
export const deleteKey = defineStatement<{ projectId: string }>((qb, p) =>
  qb('fingerprint_keys').where('project_id', p.projectId).del(),
);
