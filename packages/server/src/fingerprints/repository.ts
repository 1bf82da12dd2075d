// Rows of fingerprint keys, and the snapshots that are to be fingerprinted anew with them.

import type { Knex } from 'knex';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

/** A key that can be opened; times in milliseconds since the epoch. */
export interface FingerprintKeyRow {
  id: string;
  project_id: string;
  generation: number;
  master_key_id: string;
  wrapped_key: Buffer;
  created_at: number;
  /** Snapshots up to this time are to be fingerprinted anew; null when none is left. */
  pending_until: number | null;
  done_created_at: number;
  done_id: string;
}

/** A snapshot to fingerprint anew; `size` is that of its variables and metadata in bytes. */
interface PendingHead {
  id: string;
  created_at: number;
  size: number;
}

interface Slice {
  projectId: string;
  createdAt: number;
  id: string;
  until: number;
  limit: number;
}

const columns = `fingerprint_keys.id fingerprint_keys.project_id generation master_key_id wrapped_key
  created_at pending_until done_created_at done_id`.split(/\s+/);

/** The key that captures use now; no row when the project has none yet, or is gone. */
export const findCurrent = defineStatement<{ projectId: string }, FingerprintKeyRow>((qb, p) =>
  qb('project_quotas')
    .join('fingerprint_keys', 'fingerprint_keys.id', 'project_quotas.fingerprint_key_id')
    .select(columns)
    .where('project_quotas.project_id', p.projectId),
);

/** Whether the project has or had a key of that id. */
export const findIdentity = defineStatement<{ projectId: string; id: string }, { id: string }>((qb, p) =>
  qb('fingerprint_keys').select('id').where({ project_id: p.projectId, id: p.id }),
);

export const insertKey = defineStatement<Omit<FingerprintKeyRow, 'done_created_at' | 'done_id'>>((qb, p) =>
  qb('fingerprint_keys').insert(p),
);

export const setCurrent = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('project_quotas').where('project_id', p.projectId).update({ fingerprint_key_id: p.id }),
);

/** Destroys the project's former keys that no snapshot waits for. */
export const destroyIdle = defineStatement<{ projectId: string; currentId: string }>((qb, p) =>
  qb('fingerprint_keys')
    .where('project_id', p.projectId)
    .whereNotNull('wrapped_key')
    .whereNull('pending_until')
    .whereNot('id', p.currentId)
    .update({ master_key_id: null, wrapped_key: null }),
);

/** When the newest snapshot was made; null when there is none. */
export const findNewestTime = defineStatement<{ projectId: string }, { newest: number | null }>((qb, p) =>
  qb('snapshots').max({ newest: 'created_at' }).where('project_id', p.projectId),
);

export const listKeyless = defineStatement<{ limit: number }, { project_id: string }>((qb, p) =>
  qb('project_quotas').select('project_id').whereNull('fingerprint_key_id').limitTo(p.limit),
);

/** Keys whose snapshots are to be fingerprinted anew, of a project the oldest first. */
const selectPending = (qb: Knex) =>
  qb('fingerprint_keys')
    .select(columns)
    .whereNotNull('pending_until')
    .orderBy(['project_id', 'generation'])
    .limit(1);

export const findPending = defineStatement<NoParams, FingerprintKeyRow>((qb) => selectPending(qb));

export const findPendingOf = defineStatement<{ projectId: string }, FingerprintKeyRow>((qb, p) =>
  selectPending(qb).where('project_id', p.projectId),
);

/** The snapshots behind a key's position, in order. */
export const listHeads = defineStatement<Slice, PendingHead>((qb, p) =>
  qb('snapshots')
    .select('id', 'created_at', qb.raw('octet_length(env_ciphertext) + octet_length(metadata) as size'))
    .where('project_id', p.projectId)
    .where('created_at', '<=', p.until)
    .whereRaw('(created_at, id) > (?, ?)', [p.createdAt, p.id])
    .orderBy(['created_at', 'id'])
    .limitTo(p.limit),
);

export const readSnapshots = defineStatement<
  { projectId: string; ids: readonly string[] },
  { id: string; metadata: string }
>((qb, p, dialect) =>
  qb('snapshots')
    .select('id', 'metadata')
    .where(dialect.anyOf('id', p.ids))
    .where(dialect.also('project_id', p.projectId)),
);

/** Moves a key's position on; changes nothing when somebody else has moved it. */
export const advance = defineStatement<{
  keyId: string;
  fromCreatedAt: number;
  fromId: string;
  toCreatedAt: number;
  toId: string;
}>((qb, p) =>
  qb('fingerprint_keys')
    .where({ id: p.keyId, done_created_at: p.fromCreatedAt, done_id: p.fromId })
    .whereNotNull('pending_until')
    .update({ done_created_at: p.toCreatedAt, done_id: p.toId }),
);

/** No snapshot is left. */
export const finish = defineStatement<{ keyId: string }>((qb, p) =>
  qb('fingerprint_keys').where('id', p.keyId).update({ pending_until: null }),
);

export const replaceSnapshot = defineStatement<{ id: string; metadata: string; envCiphertext: Buffer }>(
  (qb, p) =>
    qb('snapshots')
      .where('id', p.id)
      .update({ metadata: p.metadata, env_ciphertext: p.envCiphertext, revision: qb.raw('revision + 1') }),
);
