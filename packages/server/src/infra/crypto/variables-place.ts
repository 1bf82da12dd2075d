// Where the ciphertext of a snapshot's variables belongs.

import type { SealPlace } from './data-keys.ts';

/** What a ciphertext of variables is bound to: moved to another row it does not open. */
export function variablesPlace(snapshotId: string): SealPlace {
  return { purpose: 'environment variables', table: 'snapshots', recordId: snapshotId };
}
