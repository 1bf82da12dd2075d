// Owns the sealed form of a stream (files): chunks of 64 KiB, each AES-256-GCM under a key of this stream only.
//
// Bytes: 1 version · 32 salt · chunks of ciphertext and 16 tag. Key and nonce prefix come from HKDF-SHA-256 over the
// project's data key, the salt and the stream's place. A chunk's nonce is prefix (7) · number (4) · 1 if it is the
// last: the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). Chunks that are changed, dropped, moved
// or cut off at the end do not open, and nothing is released before its tag has been checked.

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { encodeContext, type SealContext, SealedDataError } from './envelope.ts';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const SALT_BYTES = 32;
const HEADER_BYTES = 1 + SALT_BYTES;
const KEY_BYTES = 32;
const PREFIX_BYTES = 7;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const MAX_CHUNKS = 2 ** 32;

interface StreamKey {
  readonly key: Buffer;
  readonly prefix: Buffer;
}

/** Length of the sealed form of `plainBytes` bytes. */
export function sealedStreamBytes(plainBytes: number): number {
  return HEADER_BYTES + plainBytes + TAG_BYTES * Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES));
}

function deriveKey(dataKey: KeyObject, salt: Uint8Array, context: SealContext): StreamKey {
  const info = Buffer.concat([Buffer.from('envsnap stream'), encodeContext(context)]);
  const derived = Buffer.from(hkdfSync('sha256', dataKey, salt, info, KEY_BYTES + PREFIX_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), prefix: derived.subarray(KEY_BYTES) };
}

function nonceOf(prefix: Buffer, number: number, last: boolean): Buffer {
  if (number >= MAX_CHUNKS) throw new SealedDataError('the stream is too long');
  const nonce = Buffer.allocUnsafe(NONCE_BYTES);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, PREFIX_BYTES);
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

function sealChunk({ key, prefix }: StreamKey, number: number, last: boolean, chunk: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonceOf(prefix, number, last), { authTagLength: TAG_BYTES });
  const ciphertext = cipher.update(chunk);
  cipher.final();
  return Buffer.concat([ciphertext, cipher.getAuthTag()]);
}

function openChunk({ key, prefix }: StreamKey, number: number, last: boolean, sealed: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new SealedDataError('the sealed stream is cut short');
  const decipher = createDecipheriv(ALGORITHM, key, nonceOf(prefix, number, last), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const chunk = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
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
  const salt = randomBytes(SALT_BYTES);
  const streamKey = deriveKey(dataKey, salt, context);
  yield Buffer.concat([Buffer.of(VERSION), salt]);
  let number = 0;
  for await (const { piece, last } of pieces(source, CHUNK_BYTES)) {
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
  const { header, rest } = await splitHeader(source);
  yield* openChunks(deriveKey(dataKey, saltOf(header), context), rest, 0);
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
  const { header } = await splitHeader(await read({ start: 0, end: HEADER_BYTES - 1 }));
  const streamKey = deriveKey(dataKey, saltOf(header), context);
  const firstChunk = Math.floor(firstByte / CHUNK_BYTES);
  const rest = await read({ start: HEADER_BYTES + firstChunk * SEALED_CHUNK_BYTES });
  let toSkip = firstByte % CHUNK_BYTES;
  for await (const chunk of openChunks(streamKey, rest, firstChunk)) {
    if (chunk.length > toSkip) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

function saltOf(header: Buffer): Buffer {
  if (header[0] !== VERSION) throw new SealedDataError('the sealed stream has an unknown format version');
  return header.subarray(1);
}

async function* openChunks(
  streamKey: StreamKey,
  source: AsyncIterable<Uint8Array>,
  firstNumber: number,
): AsyncGenerator<Buffer, void, undefined> {
  let number = firstNumber;
  for await (const { piece, last } of pieces(source, SEALED_CHUNK_BYTES)) {
    const chunk = openChunk(streamKey, number, last, piece);
    if (chunk.length > 0) yield chunk;
    number += 1;
  }
}

async function splitHeader(
  source: AsyncIterable<Uint8Array>,
): Promise<{ header: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  while (held.length < HEADER_BYTES) {
    const { done, value } = await iterator.next();
    if (done) throw new SealedDataError('the sealed stream is cut short');
    held = Buffer.concat([held, value]);
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      yield held.subarray(HEADER_BYTES);
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { header: held.subarray(0, HEADER_BYTES), rest: rest() };
}
