// Fingerprints stored snapshots anew, in the background and a few at a time, after a project got another fingerprint
// key. Each slice and how far it went are one transaction: a server that is killed loses nothing and repeats nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { SealedDataError } from '../infra/crypto/envelope.ts';
import { openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Database } from '../infra/db/database.ts';
import { bytesOf, type JsonText } from '../infra/json-text.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import { noteKey } from './fingerprint-anew.ts';
import { createFingerprintKeyRepository, type FingerprintKeyRow } from './repository.ts';
import type { FingerprintKeyService } from './service.ts';

/** Most snapshots that one transaction replaces, and most bytes that it reads; a single larger snapshot is read all the same. */
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
  /** A snapshot's variables with the fingerprints of this key, as JSON; the JSON of null where they stay as they are. */
  readonly fingerprint: (
    projectId: string,
    input: { readonly snapshotId: string; readonly keyId: string; readonly key: Uint8Array },
  ) => Promise<JsonText>;
  /** Makes the key of a project that has none, in a transaction of its own. */
  readonly createKey: (make: (keys: FingerprintKeyService) => Promise<unknown>) => Promise<unknown>;
}

/** Creates the worker. */
export function createFingerprintWorker(deps: FingerprintWorkerDeps) {
  const { database, keyring, dataKeys, logger, fingerprint, createKey } = deps;
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
    for (const { id, metadata: text } of rows) {
      const envVars = await fingerprintVariables(key, secret, id);
      if (envVars === undefined) continue;
      const metadata = JSON.parse(text) as Record<string, unknown>;
      noteKey(metadata, key.id);
      const envCiphertext = cipher.seal(variablesPlace(id), envVars);
      changed.push({ id, metadata: JSON.stringify(metadata), envCiphertext });
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

  /** The new variables as JSON; undefined when they stay, also those of a damaged row, which must not stop the others. */
  async function fingerprintVariables(
    { id: keyId, project_id: projectId }: FingerprintKeyRow,
    key: Uint8Array,
    snapshotId: string,
  ): Promise<Uint8Array | undefined> {
    try {
      const json = await fingerprint(projectId, { snapshotId, keyId, key });
      return json.length === 'null'.length ? undefined : bytesOf(json);
    } catch (error) {
      if (!(error instanceof SealedDataError)) throw error;
      logger.error({ err: error, snapshotId }, 'the variables of a snapshot do not open');
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

  function noteFailure(error: unknown): void {
    if (!loop.stopping) logger.warn({ err: error }, 'could not fingerprint stored snapshots anew');
  }

  const loop = createWorkerLoop({
    round: () => database.tryExclusively('envsnap fingerprints', round),
    intervalMs,
    onError: noteFailure,
  });

  return {
    start: () => loop.start(),
    /** Works off a project's snapshots now, for as long as one can wait for it; the rest goes on in the background. */
    async catchUp(projectId: string) {
      const deadline = sleep(foregroundMs, 'late', { ref: false });
      // Jobs of others may come first, so a slice can take longer than anybody waits for it.
      for (let slice: unknown; slice !== 'late' && !loop.stopping; ) {
        const key = await repository.findPending(projectId);
        if (!key) return;
        const working = runSlice(key).catch((error: unknown) => {
          noteFailure(error);
          return 'late';
        });
        slice = await Promise.race([working, deadline]);
      }
      void loop.wake();
    },
    /** Ends after the slice that is running. */
    stop: () => loop.stop(),
  };
}
