// Where the ciphertext of a snapshot's variables belongs.

import type { SealPlace } from './data-keys.ts';

/** The place to which a ciphertext of variables is bound: in another row it cannot be opened. */
export function variablesPlace(snapshotId: string): SealPlace {
  return { purpose: 'environment variables', table: 'snapshots', recordId: snapshotId };
}
