// SHA-256 over a stream. WebCrypto can only hash what is in memory as a whole, so this takes a library, loaded on use.

/** A hash in the making. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** 64 hex digits; ends the hash. */
  digestHex(): string;
}

/** Starts a SHA-256. */
export async function createSha256(): Promise<Sha256> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digestHex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
