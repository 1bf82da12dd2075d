// Creates, returns and replaces fingerprint keys. docs/specification.md §10.

import type { FingerprintKey } from '@envsnap/shared';
import type { Recording } from '../audit/service.ts';
import { toTimestamp } from '../infra/clock.ts';
import { makeFingerprintKey, openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';

interface FingerprintKeyRow {
  id: string;
  project_id: string;
  master_key_id: string;
  wrapped_key: Buffer;
  created_at: number;
}

const findKey = defineSql<{ projectId: string }, FingerprintKeyRow>(
  `select id, project_id, master_key_id, wrapped_key, created_at from fingerprint_keys
  where project_id = :projectId`,
);

const insertKey = defineInsert<FingerprintKeyRow>('fingerprint_keys');

const deleteKey = defineSql<{ projectId: string }>(
  'delete from fingerprint_keys where project_id = :projectId',
);

interface FingerprintKeyServiceDeps extends Recording {
  readonly keyring: Keyring;
}

export type FingerprintKeyService = ReturnType<typeof createFingerprintKeyService>;

export function createFingerprintKeyService(
  executor: Executor,
  { clock, newId, keyring, audit }: FingerprintKeyServiceDeps,
) {
  async function make(projectId: string): Promise<FingerprintKey> {
    const id = newId();
    const nowMs = clock.nowMs();
    const { key, wrapped } = makeFingerprintKey(keyring, projectId, id);
    await executor.run(insertKey, { id, project_id: projectId, ...wrapped, created_at: nowMs });
    return { id, key: key.toString('hex'), createdAt: toTimestamp(nowMs) };
  }

  return {
    create: make,

    async get(projectId: string): Promise<FingerprintKey> {
      const row = ofExisting(await executor.get(findKey, { projectId }));
      return {
        id: row.id,
        key: openFingerprintKey(keyring, row).toString('hex'),
        createdAt: toTimestamp(row.created_at),
      };
    },

    /**
     * Replaces the key. Fingerprints made with the old key do not change, and cannot be compared with new ones. Call it in a
     * transaction.
     */
    async rotate(projectId: string): Promise<FingerprintKey> {
      ofExisting(await executor.get(lockQuotas, { projectId }));
      const replaced = await executor.get(findKey, { projectId });
      await executor.run(deleteKey, { projectId });
      const made = await make(projectId);
      audit.record(
        projectId,
        'fingerprint_key.rotated',
        { type: 'fingerprint_key', id: made.id },
        { replaced: replaced?.id ?? null },
      );
      return made;
    },
  };
}
