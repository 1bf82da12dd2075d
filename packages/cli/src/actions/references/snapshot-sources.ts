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
 * The sources of a command. `stored` says whether this machine is held against what is stored: then secrets are fingerprinted
 * with the key of the store.
 */
export function snapshotSources(
  store: () => Promise<SnapshotStore>,
  { folder, workspace }: { readonly folder: string; readonly workspace?: string | undefined },
  stored: boolean,
): SnapshotSources {
  return {
    store,
    captureLocal: async () => {
      const key = stored ? await storeFingerprintKey(await store()) : ownFingerprintKey();
      return (await captureMachine({ dir: folder, ...key, ...(workspace !== undefined && { workspace }) }))
        .snapshot;
    },
  };
}

/** The key of the fingerprints in a store. */
export function storeFingerprintKey(store: SnapshotStore) {
  return 'client' in store
    ? projectFingerprintKey(store.client, store.connection)
    : localFingerprintKey(store.local);
}
