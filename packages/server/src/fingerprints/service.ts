// Fingerprint keys: making, handing out and replacing them. What is stored is fingerprinted anew in the background
// (fingerprint-worker.ts). docs/specification.md §10.

import type { FingerprintKey } from '@envsnap/shared';
import type { AuditLog } from '../audit/service.ts';
import type { Clock } from '../infra/clock.ts';
import { makeFingerprintKey, openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import * as rows from './repository.ts';

export interface FingerprintKeyServiceDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly keyring: Keyring;
  readonly audit: AuditLog;
}

export type FingerprintKeyService = ReturnType<typeof createFingerprintKeyService>;

/** The rules of fingerprint keys, on one connection or transaction. */
export function createFingerprintKeyService(
  executor: Executor,
  { clock, newId, keyring, audit }: FingerprintKeyServiceDeps,
) {
  async function make(
    projectId: string,
    generation: number,
    pendingUntil: number | null,
  ): Promise<FingerprintKey> {
    const id = newId();
    const nowMs = clock.nowMs();
    const { key, wrapped } = makeFingerprintKey(keyring, projectId, id);
    await executor.run(rows.insertKey, {
      ...{ id, project_id: projectId, generation, ...wrapped },
      ...{ created_at: nowMs, pending_until: pendingUntil },
    });
    await executor.run(rows.setCurrent, { projectId, id });
    return { id, key: key.toString('hex'), createdAt: toTimestamp(nowMs) };
  }

  /** Locks the project against new snapshots and other rotations. */
  async function lock(projectId: string): Promise<string | null> {
    return ofExisting(await executor.get(lockQuotas, { projectId })).fingerprint_key_id;
  }

  async function newestSnapshot(projectId: string): Promise<number | null> {
    return (await executor.get(rows.findNewestTime, { projectId }))?.newest ?? null;
  }

  async function find(projectId: string): Promise<FingerprintKey | undefined> {
    const row = await executor.get(rows.findCurrent, { projectId });
    return (
      row && {
        id: row.id,
        key: openFingerprintKey(keyring, row).toString('hex'),
        createdAt: toTimestamp(row.created_at),
      }
    );
  }

  return {
    /** Makes the first key of a project that is being made. */
    create: (projectId: string) => make(projectId, 1, null),

    /** The project's current key; undefined for one that was made before there were such keys and has none yet. */
    find,

    /** The current key, made when there is none. Call it in a transaction. */
    async getOrCreate(projectId: string): Promise<FingerprintKey> {
      if ((await lock(projectId)) === null) {
        return make(projectId, 1, await newestSnapshot(projectId));
      }
      return (await find(projectId)) as FingerprintKey;
    },

    /** Replaces the key; stored snapshots are to be fingerprinted anew from now on. Call it in a transaction. */
    async rotate(projectId: string): Promise<FingerprintKey> {
      await lock(projectId);
      const current = await executor.get(rows.findCurrent, { projectId });
      const pendingUntil = await newestSnapshot(projectId);
      const made = await make(projectId, (current?.generation ?? 0) + 1, pendingUntil);
      await executor.run(rows.destroyIdle, { projectId, currentId: made.id });
      audit.record({
        projectId,
        action: 'fingerprint_key.rotated',
        target: { type: 'fingerprint_key', id: made.id },
        details: { replaced: current?.id ?? null },
      });
      return made;
    },

    /**
     * The current key, where the one that a new snapshot names was the project's and has been replaced. A name ends with the
     * last of the keys that its fingerprints went by. `currentId` comes from the locked row of the project's quotas. Call it in
     * a transaction.
     */
    async replacementOf(projectId: string, name: string | undefined, currentId: string | null) {
      const named = name?.slice(name.lastIndexOf('/') + 1);
      if (named === undefined || !isUuid(named) || currentId === null || named === currentId)
        return undefined;
      if (!(await executor.get(rows.findIdentity, { projectId, id: named }))) return undefined;
      const current = await executor.get(rows.findCurrent, { projectId });
      return current && { keyId: current.id, key: openFingerprintKey(keyring, current) };
    },
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
