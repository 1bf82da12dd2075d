// Owns the sealed form of one value: AES-256-GCM with associated data that binds it to its place in the database.
//
// Bytes: 1 version · 12 nonce · ciphertext · 16 tag. The associated data is not stored; whoever opens must name the
// same place again, so bytes moved to another row, column or project do not open (docs/specification.md §8).

import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';

/** Where a sealed value lives. Every field is bound to it. */
export interface SealContext {
  /** What the value is, e.g. `environment variables`. */
  readonly purpose: string;
  readonly projectId: string;
  readonly table: string;
  readonly recordId: string;
}

/** Thrown when bytes do not open; says nothing about the key or the content. */
export class SealedDataError extends Error {
  override readonly name = 'SealedDataError';
}

const cipherAlgorithm = 'aes-256-gcm';
const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes;

/** Bytes that sealing adds to a value. */
export const sealOverheadBytes = headerBytes + tagBytes;

const noncePool = Buffer.alloc(nonceBytes * 512);
let nonceOffset = noncePool.length;

function nextNonce(target: Buffer, offset: number): void {
  if (nonceOffset === noncePool.length) {
    randomFillSync(noncePool);
    nonceOffset = 0;
  }
  noncePool.copy(target, offset, nonceOffset, nonceOffset + nonceBytes);
  nonceOffset += nonceBytes;
}

/** The context as bytes: the format's version, then each part with its length before it, so that none can run over. */
export function encodeContext({ purpose, projectId, table, recordId }: SealContext): Buffer {
  const parts = [purpose, projectId, table, recordId];
  let size = 1;
  for (const part of parts) size += 2 + Buffer.byteLength(part);
  const encoded = Buffer.allocUnsafe(size);
  let offset = encoded.writeUInt8(formatVersion, 0);
  for (const part of parts) {
    const length = encoded.write(part, offset + 2);
    encoded.writeUInt16BE(length, offset);
    offset += 2 + length;
  }
  return encoded;
}

/** Seals a value for its place. `key` is 256 bits; the result is {@link sealOverheadBytes} longer than the value. */
export function seal(key: KeyObject, context: SealContext, plaintext: Uint8Array): Buffer {
  const envelope = Buffer.allocUnsafe(plaintext.length + sealOverheadBytes);
  envelope[0] = formatVersion;
  nextNonce(envelope, 1);
  const cipher = createCipheriv(cipherAlgorithm, key, envelope.subarray(1, headerBytes), {
    authTagLength: tagBytes,
  });
  cipher.setAAD(encodeContext(context));
  cipher.update(plaintext).copy(envelope, headerBytes);
  cipher.final();
  cipher.getAuthTag().copy(envelope, headerBytes + plaintext.length);
  return envelope;
}

/** Opens what {@link seal} made for the same place. Errors: SealedDataError. */
export function open(key: KeyObject, context: SealContext, envelope: Uint8Array): Buffer {
  if (envelope.length < sealOverheadBytes) throw new SealedDataError('the sealed value is cut short');
  if (envelope[0] !== formatVersion)
    throw new SealedDataError('the sealed value has an unknown format version');
  const tagOffset = envelope.length - tagBytes;
  const decipher = createDecipheriv(cipherAlgorithm, key, envelope.subarray(1, headerBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(encodeContext(context));
  decipher.setAuthTag(envelope.subarray(tagOffset));
  const plaintext = decipher.update(envelope.subarray(headerBytes, tagOffset));
  try {
    decipher.final();
  } catch {
    throw new SealedDataError(
      'a sealed value does not open: it was changed or moved, or sealed with another key',
    );
  }
  return plaintext;
}
