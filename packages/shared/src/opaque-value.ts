// Values of variables that replace a secret: fingerprints, and the mark for a redacted value. Pure, for servers and clients
// alike. docs/specification.md §10.

import { field, textField } from './plain-object.ts';

/** Replaces a secret for which no fingerprint could be made. */
export const redactedMark = '[redacted]';
/** A fingerprint; earlier releases wrote 16 digits. */
const fingerprint = /^hmac:(?:[0-9a-f]{32}|[0-9a-f]{16})$/;

export function isFingerprint(value: string): boolean {
  return value.startsWith('hmac:') && fingerprint.test(value);
}

/** Whether a value replaces a secret. */
export function isHiddenValue(value: string): boolean {
  return value === redactedMark || isFingerprint(value);
}

/** The id of the key that a snapshot's fingerprints were made with; undefined if its metadata names none. */
export function fingerprintKeyOf(metadata: unknown): string | undefined {
  return textField(field(metadata, 'capture'), 'fingerprintKey');
}

/**
 * Whether two values can be compared. Two fingerprints can only if one key made both, and redacted secrets cannot; `sameKey`
 * says whether both snapshots name the same key, or none.
 */
export function areComparable(a: string, b: string, sameKey: boolean): boolean {
  if (isFingerprint(a)) return b !== redactedMark && (!isFingerprint(b) || sameKey);
  return a !== redactedMark || !isHiddenValue(b);
}
