// The key for fingerprints of secrets: the user's own, or the project's.
// docs/specification.md §10.

import type { FingerprintKey } from '@envsnap/capture';
import type { EnvSnap } from '@envsnap/sdk';
import type { SnapshotStore } from '../runs/snapshot-store.ts';
import type { Connection } from './settings.ts';

/** How a capture gets its key; empty if there is none, so that secrets become `[redacted]`. */
export interface FingerprintOption {
  readonly fingerprintKey?: FingerprintKey;
}

/** The key without a project: only the one from the variable. */
export function ownFingerprintKey(env: NodeJS.ProcessEnv = process.env): FingerprintOption {
  return env.ENVSNAP_FINGERPRINT_KEY ? { fingerprintKey: { own: env.ENVSNAP_FINGERPRINT_KEY } } : {};
}

/** The key for runs on this machine: the one from the variable, or else the one that was created for them. */
function localFingerprintKey(runs: {
  fingerprintKey(): { readonly id: string; readonly key: string };
}): FingerprintOption {
  const own = ownFingerprintKey();
  return own.fingerprintKey ? own : { fingerprintKey: runs.fingerprintKey() };
}

/** The key for snapshots that are sent to a project: from the variable, or else the project's current one. Viewers get none. */
export async function projectFingerprintKey(
  client: EnvSnap,
  limits: { readonly timeoutMs?: number; readonly retries?: number } = {},
): Promise<FingerprintOption> {
  const own = ownFingerprintKey();
  if (own.fingerprintKey) return own;
  const { PermissionError, NotFoundError } = await import('@envsnap/sdk');
  try {
    const { id, key } = await client.fingerprintKey.get(limits);
    return isProjectKey(id, key) ? { fingerprintKey: { id, key } } : {};
  } catch (error) {
    // A viewer stores nothing, and another server may have no such keys. In both cases secrets are left out.
    if (error instanceof PermissionError || error instanceof NotFoundError) return {};
    throw error;
  }
}

export function storeFingerprintKey(store: SnapshotStore) {
  return 'client' in store ? projectFingerprintKey(store.client) : localFingerprintKey(store.local);
}

/** The key with which a capture would be sent, to show the capture; none if the server does not respond. */
export async function expectedFingerprintKey(
  connection: Connection | undefined,
  open: (connection: Connection) => Promise<EnvSnap>,
): Promise<FingerprintOption> {
  const own = ownFingerprintKey();
  if (own.fingerprintKey || connection === undefined) return own;
  return projectFingerprintKey(await open(connection), { timeoutMs: 2000, retries: 0 }).catch(() => ({}));
}

/** Checks the shape, because a hostile server may send something else. */
function isProjectKey(id: unknown, key: unknown): boolean {
  return (
    typeof id === 'string' &&
    /^[\w-]{1,64}$/.test(id) &&
    typeof key === 'string' &&
    /^[0-9a-f]{64}$/.test(key)
  );
}
