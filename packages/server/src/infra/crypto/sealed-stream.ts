// Owns the sealed form of a stream (files): chunks of 64 KiB, each AES-256-GCM under a key of this stream only.
//
// Bytes: 1 version · 32 salt · chunks of ciphertext and 16 tag. Key and nonce prefix come from HKDF-SHA-256 over the
// project's data key, the salt and the stream's place. A chunk's nonce is prefix (7) · number (4) · 1 if it is the
// last: the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). Chunks that are changed, dropped, moved
// or cut off at the end do not open, and nothing is released before its tag has been checked.

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { encodeContext, type SealContext, SealedDataError } from './envelope.ts';

const cipherAlgorithm = 'aes-256-gcm';
const formatVersion = 1;
const saltBytes = 32;
const headerBytes = 1 + saltBytes;
const keyBytes = 32;
const prefixBytes = 7;
const nonceBytes = 12;
const tagBytes = 16;
const chunkBytes = 64 * 1024;
const sealedChunkBytes = chunkBytes + tagBytes;
const maxChunks = 2 ** 32;

interface StreamKey {
  readonly key: Buffer;
  readonly prefix: Buffer;
}

/** Length of the sealed form of `plainBytes` bytes. */
export function sealedStreamBytes(plainBytes: number): number {
  return headerBytes + plainBytes + tagBytes * Math.max(1, Math.ceil(plainBytes / chunkBytes));
}

function deriveKey(dataKey: KeyObject, salt: Uint8Array, context: SealContext): StreamKey {
  const info = Buffer.concat([Buffer.from('envsnap stream'), encodeContext(context)]);
  const derived = Buffer.from(hkdfSync('sha256', dataKey, salt, info, keyBytes + prefixBytes));
  return { key: derived.subarray(0, keyBytes), prefix: derived.subarray(keyBytes) };
}

function nonceOf(prefix: Buffer, number: number, last: boolean): Buffer {
  if (number >= maxChunks) throw new SealedDataError('the stream is too long');
  const nonce = Buffer.allocUnsafe(nonceBytes);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, prefixBytes);
  nonce[nonceBytes - 1] = last ? 1 : 0;
  return nonce;
}

function sealChunk({ key, prefix }: StreamKey, number: number, last: boolean, chunk: Buffer): Buffer {
  const cipher = createCipheriv(cipherAlgorithm, key, nonceOf(prefix, number, last), {
    authTagLength: tagBytes,
  });
  const ciphertext = cipher.update(chunk);
  cipher.final();
  return Buffer.concat([ciphertext, cipher.getAuthTag()]);
}

function openChunk({ key, prefix }: StreamKey, number: number, last: boolean, sealed: Buffer): Buffer {
  if (sealed.length < tagBytes) throw new SealedDataError('the sealed stream is cut short');
  const decipher = createDecipheriv(cipherAlgorithm, key, nonceOf(prefix, number, last), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const chunk = decipher.update(sealed.subarray(0, sealed.length - tagBytes));
  try {
    decipher.final();
  } catch {
    throw new SealedDataError('a sealed stream does not open: it was changed, moved or cut short');
  }
  return chunk;
}

/** Cuts a stream into pieces of `size` bytes; the last one is marked, may be shorter, and is empty for no input. */
async function* pieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const input of source) {
    if (input.length === 0) continue;
    let rest = input;
    // A full piece is held back until more input shows that it is not the last.
    while (heldBytes + rest.length > size) {
      const taken = size - heldBytes;
      held.push(rest.subarray(0, taken));
      yield { piece: Buffer.concat(held, size), last: false };
      held = [];
      heldBytes = 0;
      rest = rest.subarray(taken);
    }
    // The source may use its buffer again once it has gone on.
    held.push(Buffer.from(rest));
    heldBytes += rest.length;
  }
  yield { piece: Buffer.concat(held, heldBytes), last: true };
}

/** Seals a stream for its place. Memory: two chunks, however long the stream is. */
export async function* sealStream(
  dataKey: KeyObject,
  context: SealContext,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const salt = randomBytes(saltBytes);
  const streamKey = deriveKey(dataKey, salt, context);
  yield Buffer.concat([Buffer.of(formatVersion), salt]);
  let number = 0;
  for await (const { piece, last } of pieces(source, chunkBytes)) {
    yield sealChunk(streamKey, number, last, piece);
    number += 1;
  }
}

/**
 * Opens what {@link sealStream} made for the same place. Every chunk it yields is genuine, and it ends without an
 * error only after the last one. Errors: SealedDataError.
 */
export async function* openStream(
  dataKey: KeyObject,
  context: SealContext,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    const held = await readHeader(iterator);
    yield* openChunks(deriveKey(dataKey, saltOf(held), context), restOf(held, iterator), 0);
  } finally {
    await iterator.return?.();
  }
}

/** Reads bytes of a sealed stream: from `start` to `end`, both included, or to the last one. */
export type ReadSealed = (span: { start: number; end?: number }) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Opens the part of a sealed stream that begins at a plain byte, which is within it: from the chunk that holds the byte
 * on, to the last. As genuine as {@link openStream}. Errors: SealedDataError.
 */
export async function* openStreamFrom(
  dataKey: KeyObject,
  context: SealContext,
  read: ReadSealed,
  firstByte: number,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = (await read({ start: 0, end: headerBytes - 1 }))[Symbol.asyncIterator]();
  // A stream of a file keeps it open until somebody says that the rest is not wanted.
  const header = await readHeader(iterator).finally(() => iterator.return?.());
  const streamKey = deriveKey(dataKey, saltOf(header), context);
  const firstChunk = Math.floor(firstByte / chunkBytes);
  const rest = await read({ start: headerBytes + firstChunk * sealedChunkBytes });
  let toSkip = firstByte % chunkBytes;
  for await (const chunk of openChunks(streamKey, rest, firstChunk)) {
    if (chunk.length > toSkip) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

function saltOf(held: Buffer): Buffer {
  if (held[0] !== formatVersion) throw new SealedDataError('the sealed stream has an unknown format version');
  return held.subarray(1, headerBytes);
}

async function* openChunks(
  streamKey: StreamKey,
  source: AsyncIterable<Uint8Array>,
  firstNumber: number,
): AsyncGenerator<Buffer, void, undefined> {
  let number = firstNumber;
  for await (const { piece, last } of pieces(source, sealedChunkBytes)) {
    const chunk = openChunk(streamKey, number, last, piece);
    if (chunk.length > 0) yield chunk;
    number += 1;
  }
}

/** The beginning of a sealed stream: its header, and what came with it. */
async function readHeader(iterator: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let held = Buffer.alloc(0);
  while (held.length < headerBytes) {
    const { done, value } = await iterator.next();
    if (done) throw new SealedDataError('the sealed stream is cut short');
    held = Buffer.concat([held, value]);
  }
  return held;
}

async function* restOf(held: Buffer, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield held.subarray(headerBytes);
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}
