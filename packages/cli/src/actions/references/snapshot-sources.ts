// Where the snapshots of a command come from: one store for all of them, and this machine, fingerprinted as the stored ones
// are.

import {
  localFingerprintKey,
  ownFingerprintKey,
  projectFingerprintKey,
} from '../../connection/fingerprint-key.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';
import { captureMachine } from '../capture-machine.ts';
import type { SnapshotSources } from './resolve-snapshot.ts';

/**
 * The sources of a command. `stored` says whether this machine is compared with what is stored: then secrets are fingerprinted
 * with the key of the store.
 */
export function snapshotSources(
  store: () => Promise<SnapshotStore>,
  { folder, workspace }: { readonly folder: string; readonly workspace?: string | undefined },
  stored: boolean,
): SnapshotSources {
  const key = async () => (stored ? storeFingerprintKey(await store()) : ownFingerprintKey());
  const part = workspace === undefined ? {} : { workspace };
  return {
    store,
    captureLocal: async () => (await captureMachine({ dir: folder, ...(await key()), ...part })).snapshot,
    captureProcess: async (reference) => {
      const { captureProcess } = await import('../../references/capture-process.ts');
      // A shell has no folder of its own.
      const where = reference.kind === 'shell' ? folder : undefined;
      return (await captureProcess(reference, { ...(await key()), ...part }, where)).snapshot;
    },
  };
}

/** The key of the fingerprints in a store. */
export function storeFingerprintKey(store: SnapshotStore) {
  return 'client' in store
    ? projectFingerprintKey(store.client, store.connection)
    : localFingerprintKey(store.local);
}
