// SHA-256 over a stream. WebCrypto can only hash what is in memory as a whole, so this takes the platform's own hash where
// there is one, and otherwise a library, loaded on use.

/** A hash in the making. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** 64 hex digits; ends the hash. */
  digestHex(): string;
}

interface NodeCrypto {
  createHash(name: 'sha256'): { update(bytes: Uint8Array): unknown; digest(form: 'hex'): string };
}
type WithBuiltins = { readonly process?: { getBuiltinModule?(name: string): unknown } };

/** Starts a SHA-256. */
export async function createSha256(): Promise<Sha256> {
  const native = (globalThis as WithBuiltins).process?.getBuiltinModule?.('node:crypto') as
    | NodeCrypto
    | undefined;
  if (native) {
    const hash = native.createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digestHex: () => hash.digest('hex') };
  }
  const { sha256 } = await import('./portable-sha256.ts');
  const hash = sha256.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digestHex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
