// Owns the form of projects' fingerprint keys: making them, and wrapping them with the master key. docs/specification.md §10.

import { randomBytes } from 'node:crypto';
import { unwrap } from './data-keys.ts';
import { type SealContext, seal } from './envelope.ts';
import type { Keyring } from './master-keys.ts';

const keyBytes = 32;

export function fingerprintKeyPlace(projectId: string, id: string): SealContext {
  return { purpose: 'fingerprint key', projectId, table: 'fingerprint_keys', recordId: id };
}

/** A new random key, and its wrapped form as its row has it. */
export function makeFingerprintKey(keyring: Keyring, projectId: string, id: string) {
  const key = randomBytes(keyBytes);
  const { id: master_key_id, key: masterKey } = keyring.primary;
  const wrapped_key = seal(masterKey, fingerprintKeyPlace(projectId, id), key);
  return { key, wrapped: { master_key_id, wrapped_key } };
}

export function openFingerprintKey(
  keyring: Keyring,
  row: { id: string; project_id: string; master_key_id: string; wrapped_key: Buffer },
): Buffer {
  return unwrap(keyring, fingerprintKeyPlace(row.project_id, row.id), row);
}
