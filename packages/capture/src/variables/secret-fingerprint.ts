// Fingerprints of secret values: a comparison sees a change and learns nothing else. docs/specification.md §10.

/** A key of fingerprints: the project's, as the server hands it out, or a text of one's own. */
export type FingerprintKey = { readonly id: string; readonly key: string } | { readonly own: string };

/** Fingerprints under one key. */
export interface Fingerprints {
  /** Names the key without revealing it: captures with other names cannot be compared by fingerprint. */
  readonly keyId: string;
  /** `hmac:` and 32 hex digits of HMAC-SHA256 over name and value. */
  of(name: string, value: string): string;
}

/** Loads the cryptography only here: without a key a capture needs none. */
export async function createFingerprints(key: FingerprintKey): Promise<Fingerprints> {
  const { createHmac } = await import('node:crypto');
  const secret = 'own' in key ? key.own : Buffer.from(key.key, 'hex');
  const keyId =
    'own' in key
      ? `own:${createHmac('sha256', secret).update('envsnap fingerprint key').digest('hex').slice(0, 16)}`
      : key.id;
  return {
    keyId,
    of(name, value) {
      const digest = createHmac('sha256', secret).update(name).update('\0').update(value).digest('hex');
      return `hmac:${digest.slice(0, 32)}`;
    },
  };
}
