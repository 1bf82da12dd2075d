// Fingerprints stored snapshots anew, in the background and a few at a time, after a project got another fingerprint
// key. Each slice and how far it went are one transaction: a server that is killed loses nothing and repeats nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { SealedDataError } from '../infra/crypto/envelope.ts';
import { openFingerprintKey } from '../infra/crypto/fingerprint-keys.ts';
import type { Keyring } from '../infra/crypto/master-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Database } from '../infra/db/database.ts';
import { lockQuotas } from '../infra/db/project-quotas.ts';
import { bytesOf, type JsonText } from '../infra/json-text.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import { noteKey } from './fingerprint-anew.ts';
import * as keys from './repository.ts';
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

export function createFingerprintWorker(deps: FingerprintWorkerDeps) {
  const { database, keyring, dataKeys, logger, fingerprint, createKey } = deps;

  /** Replaces the next few snapshots of a key. */
  async function runSlice(key: keys.FingerprintKeyRow): Promise<void> {
    const projectId = key.project_id;
    const heads = await database.all(keys.listHeads, {
      projectId,
      createdAt: key.done_created_at,
      id: key.done_id,
      until: key.pending_until ?? -1,
      limit: snapshotsPerSlice,
    });
    let bytes = 0;
    const slice = heads.filter(({ size }, index) => {
      bytes += size;
      return index === 0 || bytes <= bytesPerSlice;
    });
    const last = slice.at(-1);
    const cipher = await dataKeys.cipherOf(database, projectId);
    const secret = openFingerprintKey(keyring, key);
    const changed: { id: string; metadata: string; envCiphertext: Buffer }[] = [];
    const ids = slice.map(({ id }) => id);
    const rows = await database.all(keys.readSnapshots, { projectId, ids });
    for (const { id, metadata: text } of rows) {
      const envVars = await fingerprintVariables(key, secret, id);
      if (envVars === undefined) continue;
      const metadata = JSON.parse(text) as Record<string, unknown>;
      noteKey(metadata, key.id);
      const envCiphertext = cipher.seal(variablesPlace(id), envVars);
      changed.push({ id, metadata: JSON.stringify(metadata), envCiphertext });
    }
    await database.transact(async (executor) => {
      const quotas = await executor.get(lockQuotas, { projectId });
      if (!quotas) return;
      if (!last) {
        await executor.run(keys.finish, { keyId: key.id });
        const currentId = quotas.fingerprint_key_id;
        if (currentId) await executor.run(keys.destroyIdle, { projectId, currentId });
        return;
      }
      const from = { fromCreatedAt: key.done_created_at, fromId: key.done_id };
      const to = { toCreatedAt: last.created_at, toId: last.id };
      if ((await executor.run(keys.advance, { keyId: key.id, ...from, ...to })) === 0) return;
      for (const row of changed) await executor.run(keys.replaceSnapshot, row);
    });
  }

  /** The new variables as JSON; undefined when they stay, also those of a damaged row, which must not stop the others. */
  async function fingerprintVariables(
    { id: keyId, project_id: projectId }: keys.FingerprintKeyRow,
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
      const keyless = await database.all(keys.listKeyless, { limit: projectsPerRound });
      for (const { project_id } of keyless) {
        if (loop.stopping) return;
        await createKey((service) => service.getOrCreate(project_id));
      }
      if (keyless.length < projectsPerRound) break;
    }
    for (;;) {
      const key = loop.stopping ? undefined : await database.get(keys.findPending);
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
        const key = await database.get(keys.findPendingOf, { projectId });
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
