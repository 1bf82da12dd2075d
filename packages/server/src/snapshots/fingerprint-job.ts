// Fingerprints a stored snapshot anew, in the thread of jobs: its variables may be megabytes of JSON.

import type { StringMap } from '@envsnap/shared';
import { fingerprintSnapshotAnew } from '../fingerprints/fingerprint-anew.ts';
import type { StoredJob, StoredSnapshot } from './stored-rows.ts';

export interface FingerprintInput {
  readonly snapshotId: string;
  readonly keyId: string;
  readonly key: Uint8Array;
}

/** The variables with their new fingerprints; null when there is nothing to replace, or the snapshot is gone. */
export const fingerprintStored: StoredJob<FingerprintInput, StringMap | null> = async (input, ask) => {
  const [row] = await ask({ ids: [input.snapshotId], columns: ['metadata', 'env_vars'] });
  const { metadata, env_vars } = (row ?? {}) as Partial<StoredSnapshot>;
  if (metadata === undefined || !env_vars?.includes('hmac:')) return null;
  const content = { envVars: JSON.parse(env_vars), metadata: JSON.parse(metadata) };
  return fingerprintSnapshotAnew(content, input.keyId, input.key) ? content.envVars : null;
};
