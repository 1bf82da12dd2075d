// Owns the sealed form of one value: AES-256-GCM with associated data that binds it to its place in the database.
//
// Bytes: 1 version · 12 nonce · ciphertext · 16 tag. The associated data is not stored. Opening needs the same place, so bytes
// that are moved to another row, column or project cannot be opened (docs/specification.md §8).

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** The place of a sealed value. The value is bound to every field. */
export interface SealContext {
  readonly purpose: string;
  readonly projectId: string;
  readonly table: string;
  readonly recordId: string;
}

/** Thrown if bytes cannot be opened; says nothing about the key or the content. */
export class SealedDataError extends Error {
  override readonly name = 'SealedDataError';
}

const cipherAlgorithm = 'aes-256-gcm';
const formatVersion = 1;
const nonceBytes = 12;
export const tagBytes = 16;
const headerBytes = 1 + nonceBytes;

const noContext: Buffer = Buffer.alloc(0);
type CipherKey = KeyObject | Buffer;

/** The context as bytes: the format's version, then each part after its length, so that parts cannot be confused. */
export function encodeContext({ purpose, projectId, table, recordId }: SealContext): Buffer {
  const parts = [purpose, projectId, table, recordId].flatMap((part) => {
    const bytes = Buffer.from(part);
    return [Buffer.of(bytes.length >> 8, bytes.length), bytes];
  });
  return Buffer.concat([Buffer.of(formatVersion), ...parts]);
}

export function encrypt(
  key: CipherKey,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  context = noContext,
): Buffer {
  const cipher = createCipheriv(cipherAlgorithm, key, nonce, { authTagLength: tagBytes }).setAAD(context);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what {@link encrypt} made. Errors: SealedDataError, about `what`. */
export function decrypt(
  key: CipherKey,
  nonce: Uint8Array,
  sealed: Uint8Array,
  what: string,
  context = noContext,
): Buffer {
  if (sealed.length < tagBytes) throw new SealedDataError(`${what} is truncated`);
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv(cipherAlgorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(context).setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
  } catch {
    throw new SealedDataError(
      `${what} cannot be decrypted: it was changed, moved or truncated, or encrypted with another key`,
    );
  }
  return plaintext;
}

/** Seals a value for its place. `key` is 256 bits; the result is 29 bytes longer than the value. */
export function seal(key: KeyObject, context: SealContext, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  return Buffer.concat([
    Buffer.of(formatVersion),
    nonce,
    encrypt(key, nonce, plaintext, encodeContext(context)),
  ]);
}

/** Opens what {@link seal} made for the same place. Errors: SealedDataError. */
export function open(key: KeyObject, context: SealContext, envelope: Uint8Array): Buffer {
  const subject = 'a sealed value';
  if (envelope.length < headerBytes) throw new SealedDataError(`${subject} is truncated`);
  if (envelope[0] !== formatVersion) throw new SealedDataError(`${subject} has an unknown format version`);
  const nonce = envelope.subarray(1, headerBytes);
  return decrypt(key, nonce, envelope.subarray(headerBytes), subject, encodeContext(context));
}
