// Fingerprints of secret values: they show a comparison only whether a value changed. docs/specification.md §10.

/** A key of fingerprints: the project's, from the server, or the user's own text. */
export type FingerprintKey = { readonly id: string; readonly key: string } | { readonly own: string };

export interface Fingerprints {
  /** Names the key without revealing it: fingerprints with other key names cannot be compared. */
  readonly keyId: string;
  /** `hmac:` and 32 hex digits of HMAC-SHA256 over name and value. */
  of(name: string, value: string): string;
}

/** Cryptography is loaded here, because a capture without a key needs none. */
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
