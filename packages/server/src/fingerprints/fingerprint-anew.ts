// Fingerprints the secrets of a snapshot anew with another key, and notes in its metadata by which keys they went. Pure.

import { fingerprintKeyOf, isPlainObject, replaceFingerprints, type StringMap } from '@envsnap/shared';
import { fingerprintAnew } from '../infra/crypto/fingerprint-keys.ts';

/** Stands for the keys of captures that named none: the project's id, which every reader knows. */
const unnamedKey = 'project-id';
/** Longer names cannot be ours, and must not grow. */
const maxNameLength = 4096;

/** The parts of a snapshot that hold fingerprints or name their key. */
export interface FingerprintedContent {
  readonly envVars: StringMap;
  readonly metadata: Record<string, unknown>;
}

/**
 * Replaces the fingerprints of a snapshot in place, and their key's name in `metadata.capture.fingerprintKey` by
 * `<old>/<new>`. False when there is nothing to replace, or `keyId` made them. The work grows with the snapshot's size.
 */
export function fingerprintSnapshotAnew(
  { envVars, metadata }: FingerprintedContent,
  keyId: string,
  key: Uint8Array,
): boolean {
  const old = fingerprintKeyOf(metadata);
  if (old === keyId || old?.endsWith(`/${keyId}`)) return false;
  if (!replaceFingerprints(envVars, (value) => fingerprintAnew(key, value))) return false;
  noteKey(metadata, keyId);
  return true;
}

/** Notes in a snapshot's metadata that its fingerprints went by this key too. */
export function noteKey(metadata: FingerprintedContent['metadata'], keyId: string): void {
  const old = fingerprintKeyOf(metadata);
  if (!Object.hasOwn(metadata, 'capture')) metadata.capture = {};
  const { capture } = metadata;
  if (isPlainObject(capture)) {
    const name = old !== undefined && old.length <= maxNameLength ? old : unnamedKey;
    capture.fingerprintKey = `${name}/${keyId}`;
  }
}
