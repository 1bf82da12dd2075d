// What stands for a secret value: a comparison sees a change and learns nothing else. Decisions §10.

/** Fingerprints under one key. */
export interface Fingerprints {
  /** Names the key without telling it: captures with other names cannot be compared by fingerprint. */
  readonly keyId: string;
  /** `hmac:` and 16 hex digits of HMAC-SHA256 over name and value. */
  of(name: string, value: string): string;
}

/** Loads the cryptography only here: without a key a capture needs none. */
export async function createFingerprints(key: string): Promise<Fingerprints> {
  const { createHmac } = await import('node:crypto');
  const keyId = createHmac('sha256', key).update('envsnap fingerprint key').digest('hex').slice(0, 8);
  return {
    keyId,
    of(name, value) {
      const digest = createHmac('sha256', key).update(name).update('\0').update(value).digest('hex');
      return `hmac:${digest.slice(0, 16)}`;
    },
  };
}
