// Fingerprint keys: making, handing out and replacing them. What is stored is fingerprinted anew in the background
// (fingerprint-worker.ts). docs/specification.md §10.

import { type FingerprintKey, fingerprintKeyOf } from '@envsnap/shared';
import type { AuditLog } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import { makeFingerprintKey, openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import type { Executor } from '../infra/db/database.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { type FingerprintedContent, fingerprintSnapshotAnew } from './fingerprint-anew.ts';
import { createFingerprintKeyRepository } from './repository.ts';

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
  const repository = createFingerprintKeyRepository(executor);

  async function make(
    projectId: string,
    generation: number,
    pendingUntil: number | null,
  ): Promise<FingerprintKey> {
    const id = newId();
    const nowMs = clock.nowMs();
    const { key, wrapped } = makeFingerprintKey(keyring, projectId, id);
    await repository.insert({ id, projectId, generation, ...wrapped, nowMs, pendingUntil });
    await repository.setCurrent(projectId, id);
    return { id, key: key.toString('hex'), createdAt: toTimestamp(nowMs) };
  }

  /** Locks the project against new snapshots and other rotations. */
  async function lock(projectId: string): Promise<string | null> {
    const quotas = await repository.lock(projectId);
    // Deleted after the key was recognised.
    if (!quotas) throw new AppError('invalid_api_key', 'Invalid API key');
    return quotas.fingerprint_key_id;
  }

  async function find(projectId: string): Promise<FingerprintKey | undefined> {
    const row = await repository.findCurrent(projectId);
    return (
      row && {
        id: row.id,
        key: openFingerprintKey(keyring, row).toString('hex'),
        createdAt: toTimestamp(row.created_at),
      }
    );
  }

  /** The key that a snapshot's metadata name; undefined when they name none that could be a project's. */
  function namedBy(metadata: FingerprintedContent['metadata']): string | undefined {
    const named = fingerprintKeyOf(metadata);
    return named !== undefined && isUuid(named) ? named : undefined;
  }

  return {
    /** Makes the first key of a project that is being made. */
    create: (projectId: string) => make(projectId, 1, null),

    /** The project's current key; undefined for one that was made before there were such keys and has none yet. */
    find,

    /** The current key, made when there is none. Call it in a transaction. */
    async getOrCreate(projectId: string): Promise<FingerprintKey> {
      if ((await lock(projectId)) === null) {
        return make(projectId, 1, await repository.newestSnapshot(projectId));
      }
      return (await find(projectId)) as FingerprintKey;
    },

    /** Replaces the key; stored snapshots are to be fingerprinted anew from now on. Call it in a transaction. */
    async rotate(projectId: string): Promise<FingerprintKey> {
      await lock(projectId);
      const current = await repository.findCurrent(projectId);
      const pendingUntil = await repository.newestSnapshot(projectId);
      const made = await make(projectId, (current?.generation ?? 0) + 1, pendingUntil);
      await repository.destroyIdle(projectId, made.id);
      audit.record({
        projectId,
        action: 'fingerprint_key.rotated',
        target: { type: 'fingerprint_key', id: made.id },
        details: { replaced: current?.id ?? null },
      });
      return made;
    },

    /**
     * Fingerprints a new snapshot anew when it names a key of the project that has been replaced, so that it can be
     * stored. `currentKeyId` comes from the locked row of the project's quotas. Call it in a transaction.
     */
    async bringUpToDate(
      projectId: string,
      currentKeyId: string | null,
      content: FingerprintedContent,
    ): Promise<void> {
      const named = namedBy(content.metadata);
      if (named === undefined || currentKeyId === null || named === currentKeyId) return;
      if (!(await repository.isKnown(projectId, named))) return;
      const current = await repository.findCurrent(projectId);
      if (current) fingerprintSnapshotAnew(content, current.id, openFingerprintKey(keyring, current));
    },
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
