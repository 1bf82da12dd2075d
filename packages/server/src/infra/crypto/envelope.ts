// Owns the sealed form of one value: AES-256-GCM with associated data that binds it to its place in the database.
//
// Bytes: 1 version · 12 nonce · ciphertext · 16 tag. The associated data is not stored; whoever opens must name the
// same place again, so bytes moved to another row, column or project do not open (Decisions §8).

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

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** Bytes that sealing adds to a value. */
export const SEAL_OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

const noncePool = Buffer.alloc(NONCE_BYTES * 512);
let nonceOffset = noncePool.length;

function nextNonce(target: Buffer, offset: number): void {
  if (nonceOffset === noncePool.length) {
    randomFillSync(noncePool);
    nonceOffset = 0;
  }
  noncePool.copy(target, offset, nonceOffset, nonceOffset + NONCE_BYTES);
  nonceOffset += NONCE_BYTES;
}

/** The context as bytes: the format's version, then each part with its length before it, so that none can run over. */
export function encodeContext({ purpose, projectId, table, recordId }: SealContext): Buffer {
  const parts = [purpose, projectId, table, recordId];
  let size = 1;
  for (const part of parts) size += 2 + Buffer.byteLength(part);
  const encoded = Buffer.allocUnsafe(size);
  let offset = encoded.writeUInt8(VERSION, 0);
  for (const part of parts) {
    const length = encoded.write(part, offset + 2);
    encoded.writeUInt16BE(length, offset);
    offset += 2 + length;
  }
  return encoded;
}

/** Seals a value for its place. `key` is 256 bits; the result is {@link SEAL_OVERHEAD_BYTES} longer than the value. */
export function seal(key: KeyObject, context: SealContext, plaintext: Uint8Array): Buffer {
  const envelope = Buffer.allocUnsafe(plaintext.length + SEAL_OVERHEAD_BYTES);
  envelope[0] = VERSION;
  nextNonce(envelope, 1);
  const cipher = createCipheriv(ALGORITHM, key, envelope.subarray(1, HEADER_BYTES), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(encodeContext(context));
  cipher.update(plaintext).copy(envelope, HEADER_BYTES);
  cipher.final();
  cipher.getAuthTag().copy(envelope, HEADER_BYTES + plaintext.length);
  return envelope;
}

/** Opens what {@link seal} made for the same place. Errors: SealedDataError. */
export function open(key: KeyObject, context: SealContext, envelope: Uint8Array): Buffer {
  if (envelope.length < SEAL_OVERHEAD_BYTES) throw new SealedDataError('the sealed value is cut short');
  if (envelope[0] !== VERSION) throw new SealedDataError('the sealed value has an unknown format version');
  const tagOffset = envelope.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, envelope.subarray(1, HEADER_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(encodeContext(context));
  decipher.setAuthTag(envelope.subarray(tagOffset));
  const plaintext = decipher.update(envelope.subarray(HEADER_BYTES, tagOffset));
  try {
    decipher.final();
  } catch {
    throw new SealedDataError(
      'a sealed value does not open: it was changed or moved, or sealed with another key',
    );
  }
  return plaintext;
}
