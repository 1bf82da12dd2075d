// Where the snapshots of a command come from: one connection for all of them, and this machine, fingerprinted as the
// stored ones are.

import type { EnvSnap } from '@envsnap/sdk';
import { ownFingerprintKey, projectFingerprintKey } from '../../connection/fingerprint-key.ts';
import type { Connection } from '../../connection/settings.ts';
import { captureMachine } from '../capture-machine.ts';
import type { SnapshotSources } from './resolve-snapshot.ts';

/** An open connection with its client. */
interface Opened {
  readonly connection: Connection;
  readonly client: EnvSnap;
}

/**
 * The sources of a command. `open` is called at most once, and only when the server is needed. `stored` says whether this
 * machine is held against what the server stores: then secrets are fingerprinted with the project's key.
 */
export function snapshotSources(
  open: () => Promise<Opened>,
  { folder, workspace }: { readonly folder: string; readonly workspace?: string | undefined },
  stored: boolean,
): SnapshotSources {
  let opened: Promise<Opened> | undefined;
  const openOnce = () => {
    opened ??= open();
    return opened;
  };
  return {
    client: async () => (await openOnce()).client,
    captureLocal: async () => {
      const key = stored
        ? await openOnce().then(({ client, connection }) => projectFingerprintKey(client, connection))
        : ownFingerprintKey();
      return (await captureMachine({ dir: folder, ...key, ...(workspace !== undefined && { workspace }) }))
        .snapshot;
    },
  };
}
