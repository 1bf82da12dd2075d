// Owns the projects' data keys: creates, wraps and unwraps them, and seals with them.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Executor } from '../db/database.ts';
import { defineInsert, defineSql } from '../db/statement.ts';
import { open, type SealContext, SealedDataError, seal } from './envelope.ts';
import type { Keyring } from './master-keys.ts';
import { openStream, type ReadSealed, sealStream } from './sealed-stream.ts';

/** A value's place within its project; see {@link SealContext}. */
export type SealPlace = Omit<SealContext, 'projectId'>;

/** Seals and opens the values of one project. Opening throws SealedDataError, a stream while it is read. */
type ProjectCipher = ReturnType<typeof createCipher>;

export type DataKeys = ReturnType<typeof createDataKeys>;

interface DataKeyRow {
  project_id: string;
  master_key_id: string;
  wrapped_key: Buffer;
}

const dataKeyBytes = 32;
const maxKeysInMemory = 1000;

const insertDataKey = defineInsert<DataKeyRow>('data_keys', {
  computed: ({ nowMs }) => ({ created_at: nowMs() }),
});
const findDataKey = defineSql<{ projectId: string }, DataKeyRow>(
  'select project_id, master_key_id, wrapped_key from data_keys where project_id = :projectId',
);

export function dataKeyPlace(projectId: string): SealContext {
  return { purpose: 'data key', projectId, table: 'data_keys', recordId: projectId };
}

export function unwrap(
  keyring: Keyring,
  place: SealContext,
  row: { readonly master_key_id: string; readonly wrapped_key: Buffer },
): Buffer {
  const masterKey = keyring.keys.get(row.master_key_id);
  if (!masterKey) throw new SealedDataError(`the server lacks master key ${row.master_key_id}`);
  return open(masterKey.key, place, row.wrapped_key);
}

function createCipher(key: KeyObject, projectId: string) {
  return {
    seal: (place: SealPlace, plaintext: Uint8Array) => seal(key, { ...place, projectId }, plaintext),
    open: (place: SealPlace, sealed: Uint8Array) => open(key, { ...place, projectId }, sealed),
    sealStream: (place: SealPlace, source: AsyncIterable<Uint8Array>) =>
      sealStream(key, { ...place, projectId }, source),
    openStream: (place: SealPlace, read: ReadSealed, firstByte: number) =>
      openStream(key, { ...place, projectId }, read, firstByte),
  };
}

/** Data keys wrapped by the keyring's first key. At most 1,000 stay in memory; the least recently used is dropped first. */
export function createDataKeys(keyring: Keyring) {
  const ciphers = new Map<string, ProjectCipher>();

  function remember(projectId: string, cipher: ProjectCipher): ProjectCipher {
    ciphers.delete(projectId);
    ciphers.set(projectId, cipher);
    if (ciphers.size > maxKeysInMemory) {
      const [oldest] = ciphers.keys();
      if (oldest !== undefined) ciphers.delete(oldest);
    }
    return cipher;
  }

  return {
    /** Makes a new project's data key and stores it wrapped; part of the transaction that makes the project. */
    create: async (executor: Executor, projectId: string) => {
      const { id, key } = keyring.primary;
      const dataKey = randomBytes(dataKeyBytes);
      const wrapped_key = seal(key, dataKeyPlace(projectId), dataKey);
      await executor.run(insertDataKey, { project_id: projectId, master_key_id: id, wrapped_key });
      // Not cached: the transaction may still be undone.
      return createCipher(createSecretKey(dataKey), projectId);
    },
    /** The project's cipher, from memory or from its row. Errors: SealedDataError when the project has no key. */
    cipherOf: async (executor: Executor, projectId: string) => {
      const known = ciphers.get(projectId);
      if (known) return remember(projectId, known);
      const row = await executor.get(findDataKey, { projectId });
      if (!row) throw new SealedDataError(`project ${projectId} has no data key`);
      return remember(
        projectId,
        createCipher(createSecretKey(unwrap(keyring, dataKeyPlace(projectId), row)), projectId),
      );
    },
    /** Drops a project's key from memory; for a deleted project. */
    forget: (projectId: string) => {
      ciphers.delete(projectId);
    },
  };
}
