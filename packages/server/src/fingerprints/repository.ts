// Rows of fingerprint keys: one for each project.

import { defineInsert, defineSql } from '../infra/db/statement.ts';

/** A key that can be opened; times in milliseconds since the epoch. */
interface FingerprintKeyRow {
  id: string;
  project_id: string;
  master_key_id: string;
  wrapped_key: Buffer;
  created_at: number;
}

/** The key that captures use now; no row when the project is gone. */
export const findKey = defineSql<{ projectId: string }, FingerprintKeyRow>(
  `select id, project_id, master_key_id, wrapped_key, created_at from fingerprint_keys
  where project_id = :projectId`,
);

export const insertKey = defineInsert<FingerprintKeyRow>('fingerprint_keys');

export const deleteKey = defineSql<{ projectId: string }>(
  'delete from fingerprint_keys where project_id = :projectId',
);
