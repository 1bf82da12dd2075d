// Fingerprints stored snapshots anew, in the background and a few at a time, after a project got another fingerprint
// key. Each slice and how far it went are one transaction: a server that is killed loses nothing and repeats nothing.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StringMap } from '@envsnap/shared';
import type { DataKeys, ProjectCipher } from '../infra/crypto/data-keys.ts';
import { SealedDataError } from '../infra/crypto/envelope.ts';
import { openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import { fingerprintSnapshotAnew } from './fingerprint-anew.ts';
import {
  createFingerprintKeyRepository,
  type FingerprintKeyRow,
  type PendingSnapshotRow,
} from './repository.ts';
import type { FingerprintKeyService } from './service.ts';

/** Most snapshots, and most bytes of variables unless it is a single snapshot, that are replaced in one transaction. */
const snapshotsPerSlice = 64;
const bytesPerSlice = 2 * 1024 * 1024;
const projectsPerRound = 100;
/** Milliseconds between two looks for work that another server left. */
const intervalMs = 60_000;
/** Milliseconds that the answer to a rotation waits for the snapshots of a small project. */
const foregroundMs = 2000;

export interface FingerprintWorkerDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly dataKeys: DataKeys;
  readonly logger: Logger;
  /** Makes the key of a project that has none, in a transaction of its own. */
  readonly createKey: (make: (keys: FingerprintKeyService) => Promise<unknown>) => Promise<unknown>;
}

export interface FingerprintWorker {
  start(): void;
  /** Works off a project's snapshots now, for as long as one can wait for it; the rest goes on in the background. */
  catchUp(projectId: string): Promise<void>;
  /** Ends after the slice that is running. */
  stop(): Promise<void>;
}

/** Creates the worker. */
export function createFingerprintWorker(deps: FingerprintWorkerDeps): FingerprintWorker {
  const { database, keyring, dataKeys, logger, createKey } = deps;
  const repository = createFingerprintKeyRepository(database);
  /** Replaces the next few snapshots of a key. */
  async function runSlice(key: FingerprintKeyRow): Promise<void> {
    const heads = await repository.listHeads(key, snapshotsPerSlice);
    let bytes = 0;
    const slice = heads.filter(({ size }, index) => {
      bytes += size;
      return index === 0 || bytes <= bytesPerSlice;
    });
    const last = slice.at(-1);
    const cipher = await dataKeys.cipherOf(database, key.project_id);
    const secret = openFingerprintKey(keyring, key);
    const changed: { id: string; metadata: string; envCiphertext: Buffer }[] = [];
    const rows = last
      ? await repository.readSnapshots(
          key.project_id,
          slice.map(({ id }) => id),
        )
      : [];
    for (const row of rows) {
      const text = openVariables(cipher, row);
      if (!text?.includes('hmac:')) continue;
      const envVars = JSON.parse(text) as StringMap;
      const metadata = JSON.parse(row.metadata) as Record<string, unknown>;
      if (fingerprintSnapshotAnew({ envVars, metadata }, key.id, secret)) {
        const envCiphertext = cipher.seal(variablesPlace(row.id), Buffer.from(JSON.stringify(envVars)));
        changed.push({ id: row.id, metadata: JSON.stringify(metadata), envCiphertext });
      }
      await nextTurn();
    }
    await database.transact(async (executor) => {
      const inner = createFingerprintKeyRepository(executor);
      const quotas = await inner.lock(key.project_id);
      if (!quotas) return;
      if (!last) {
        await inner.finish(key.id);
        if (quotas.fingerprint_key_id) await inner.destroyIdle(key.project_id, quotas.fingerprint_key_id);
      } else if (await inner.advance(key, { createdAt: last.created_at, id: last.id })) {
        for (const row of changed) await inner.replaceSnapshot(row);
      }
    });
  }

  /** Undefined for a damaged row, which must not stop the others. */
  function openVariables(cipher: ProjectCipher, row: PendingSnapshotRow): string | undefined {
    try {
      return cipher.open(variablesPlace(row.id), row.env_ciphertext).toString('utf8');
    } catch (error) {
      if (!(error instanceof SealedDataError)) throw error;
      logger.error({ err: error, snapshotId: row.id }, 'the variables of a snapshot do not open');
      return undefined;
    }
  }

  async function round(): Promise<undefined> {
    for (;;) {
      const projectIds = await repository.listKeyless(projectsPerRound);
      for (const projectId of projectIds) {
        if (loop.stopping) return;
        await createKey((keys) => keys.getOrCreate(projectId));
      }
      if (projectIds.length < projectsPerRound) break;
    }
    for (;;) {
      const key = loop.stopping ? undefined : await repository.findPending();
      if (!key) return;
      await runSlice(key);
    }
  }

  const loop = createWorkerLoop({
    round: () => database.tryExclusively('envsnap fingerprints', round),
    intervalMs,
    onError: (error) => logger.warn({ err: error }, 'could not fingerprint stored snapshots anew'),
  });

  return {
    start: () => loop.start(),
    async catchUp(projectId) {
      const deadline = performance.now() + foregroundMs;
      try {
        while (!loop.stopping && performance.now() < deadline) {
          const key = await repository.findPending(projectId);
          if (!key) return;
          await runSlice(key);
        }
      } catch (error) {
        logger.warn({ err: error }, 'could not fingerprint stored snapshots anew');
      }
      void loop.wake();
    },
    stop: () => loop.stop(),
  };
}
