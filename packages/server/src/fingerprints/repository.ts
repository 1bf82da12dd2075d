// Rows of fingerprint keys, and the snapshots that are to be fingerprinted anew with them.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

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

interface NewFingerprintKey {
  id: string;
  projectId: string;
  generation: number;
  masterKeyId: string;
  wrappedKey: Buffer;
  nowMs: number;
  pendingUntil: number | null;
}

/** The last snapshot that was fingerprinted anew, in the order of time and id. */
export interface Position {
  readonly createdAt: number;
  readonly id: string;
}

/** A snapshot to fingerprint anew; `size` is that of its variables and metadata in bytes. */
export interface PendingHead {
  id: string;
  created_at: number;
  size: number;
}

export interface PendingSnapshotRow {
  id: string;
  metadata: string;
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

const lockQuotas = defineStatement<{ projectId: string }, { fingerprint_key_id: string | null }>(
  (qb, p, dialect) =>
    dialect.lockRows(qb('project_quotas').select('fingerprint_key_id').where('project_id', p.projectId)),
);

const findCurrent = defineStatement<{ projectId: string }, FingerprintKeyRow>((qb, p) =>
  qb('project_quotas')
    .join('fingerprint_keys', 'fingerprint_keys.id', 'project_quotas.fingerprint_key_id')
    .select(columns)
    .where('project_quotas.project_id', p.projectId),
);

const findIdentity = defineStatement<{ projectId: string; id: string }, { id: string }>((qb, p) =>
  qb('fingerprint_keys').select('id').where({ project_id: p.projectId, id: p.id }),
);

const insertKey = defineStatement<NewFingerprintKey>((qb, p) =>
  qb('fingerprint_keys').insert({
    id: p.id,
    project_id: p.projectId,
    generation: p.generation,
    master_key_id: p.masterKeyId,
    wrapped_key: p.wrappedKey,
    created_at: p.nowMs,
    pending_until: p.pendingUntil,
  }),
);

const setCurrent = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('project_quotas').where('project_id', p.projectId).update({ fingerprint_key_id: p.id }),
);

const destroyIdle = defineStatement<{ projectId: string; currentId: string }>((qb, p) =>
  qb('fingerprint_keys')
    .where('project_id', p.projectId)
    .whereNull('pending_until')
    .whereNot('id', p.currentId)
    .update({ master_key_id: null, wrapped_key: null }),
);

const newestSnapshot = defineStatement<{ projectId: string }, { newest: number | null }>((qb, p) =>
  qb('snapshots').max({ newest: 'created_at' }).where('project_id', p.projectId),
);

const listKeyless = defineStatement<{ limit: number }, { project_id: string }>((qb, p) =>
  qb('project_quotas').select('project_id').whereNull('fingerprint_key_id').limitTo(p.limit),
);

const findPending = defineStatement<Record<never, never>, FingerprintKeyRow>((qb) =>
  qb('fingerprint_keys')
    .select(columns)
    .whereNotNull('pending_until')
    .orderBy(['project_id', 'generation'])
    .limit(1),
);

const findPendingOf = defineStatement<{ projectId: string }, FingerprintKeyRow>((qb, p) =>
  qb('fingerprint_keys')
    .select(columns)
    .where('project_id', p.projectId)
    .whereNotNull('pending_until')
    .orderBy('generation')
    .limit(1),
);

const listHeads = defineStatement<Slice, PendingHead>((qb, p) =>
  qb('snapshots')
    .select('id', 'created_at', qb.raw('octet_length(env_ciphertext) + octet_length(metadata) as size'))
    .where('project_id', p.projectId)
    .where('created_at', '<=', p.until)
    .where((after) =>
      after
        .where('created_at', '>', p.createdAt)
        .orWhere((same) => same.where('created_at', p.createdAt).where('id', '>', p.id)),
    )
    .orderBy(['created_at', 'id'])
    .limitTo(p.limit),
);

const advance = defineStatement<{
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

const finish = defineStatement<{ keyId: string }>((qb, p) =>
  qb('fingerprint_keys').where('id', p.keyId).update({ pending_until: null }),
);

const replaceSnapshot = defineStatement<{ id: string; metadata: string; envCiphertext: Buffer }>((qb, p) =>
  qb('snapshots')
    .where('id', p.id)
    .update({ metadata: p.metadata, env_ciphertext: p.envCiphertext, revision: qb.raw('revision + 1') }),
);

/** Queries of fingerprint keys. */
export function createFingerprintKeyRepository(executor: Executor) {
  const { builder } = executor.dialect;
  return {
    /** Locks the project's quotas, as every new snapshot does; the id of its current key with them. */
    lock: (projectId: string) => executor.get(lockQuotas, { projectId }),
    /** The key that captures use now; undefined when the project has none yet, or is gone. */
    findCurrent: (projectId: string) => executor.get(findCurrent, { projectId }),
    /** Whether the project has or had a key of that id. */
    isKnown: async (projectId: string, id: string) =>
      (await executor.get(findIdentity, { projectId, id })) !== undefined,
    insert: (key: NewFingerprintKey) => executor.run(insertKey, key),
    setCurrent: (projectId: string, id: string) => executor.run(setCurrent, { projectId, id }),
    /** Destroys the project's former keys that no snapshot waits for. */
    destroyIdle: (projectId: string, currentId: string) =>
      executor.run(destroyIdle, { projectId, currentId }),
    /** When the newest snapshot was made; null when there is none. */
    newestSnapshot: async (projectId: string) =>
      (await executor.get(newestSnapshot, { projectId }))?.newest ?? null,
    /** Projects without a key. */
    listKeyless: async (limit: number) =>
      (await executor.all(listKeyless, { limit })).map((row) => row.project_id),
    /** The key whose snapshots are next: of this project, or of any. */
    findPending: (projectId?: string) =>
      projectId === undefined ? executor.get(findPending) : executor.get(findPendingOf, { projectId }),
    /** The snapshots behind a key's position, in order. */
    listHeads: (key: FingerprintKeyRow, limit: number) =>
      executor.all(listHeads, {
        projectId: key.project_id,
        createdAt: key.done_created_at,
        id: key.done_id,
        until: key.pending_until ?? -1,
        limit,
      }),
    readSnapshots: (projectId: string, ids: readonly string[]) =>
      executor.all<PendingSnapshotRow>(
        builder('snapshots')
          .select('id', 'metadata')
          .where('project_id', projectId)
          .whereIn('id', [...ids]),
      ),
    /** Moves a key's position on; false when somebody else has moved it. */
    advance: async (key: FingerprintKeyRow, to: Position) =>
      (await executor.run(advance, {
        keyId: key.id,
        fromCreatedAt: key.done_created_at,
        fromId: key.done_id,
        toCreatedAt: to.createdAt,
        toId: to.id,
      })) > 0,
    /** No snapshot is left. */
    finish: (keyId: string) => executor.run(finish, { keyId }),
    replaceSnapshot: (row: { id: string; metadata: string; envCiphertext: Buffer }) =>
      executor.run(replaceSnapshot, row),
  };
}
