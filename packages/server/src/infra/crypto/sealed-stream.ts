// Owns the sealed form of a stream (files): chunks of 64 KiB, each AES-256-GCM under a key of this stream only.
//
// Bytes: 1 version · 32 salt · chunks of ciphertext and 16 tag. Key and nonce prefix come from HKDF-SHA-256 over the
// project's data key, the salt and the stream's place. A chunk's nonce is prefix (7) · number (4) · 1 if it is the
// last: the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). Chunks that are changed, dropped, moved
// or cut off at the end do not open, and nothing is released before its tag has been checked.

import { hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { decrypt, encodeContext, encrypt, type SealContext, SealedDataError, tagBytes } from './envelope.ts';

const formatVersion = 1;
const saltBytes = 32;
const headerBytes = 1 + saltBytes;
const keyBytes = 32;
const prefixBytes = 7;
const nonceBytes = 12;
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

function nonceOf({ prefix }: StreamKey, number: number, last: boolean): Buffer {
  if (number >= maxChunks) throw new SealedDataError('the stream is too long');
  const nonce = Buffer.allocUnsafe(nonceBytes);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, prefixBytes);
  nonce[nonceBytes - 1] = last ? 1 : 0;
  return nonce;
}

/** Cuts a stream into pieces of `size` bytes; the last one is marked, may be shorter, and is empty for no input. */
async function* pieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let waiting: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const input of source) {
    if (input.length === 0) continue;
    let rest = input;
    // A full piece is held back until more input shows that it is not the last.
    while (heldBytes + rest.length > size) {
      const length = size - heldBytes;
      waiting.push(rest.subarray(0, length));
      yield { piece: Buffer.concat(waiting, size), last: false };
      waiting = [];
      heldBytes = 0;
      rest = rest.subarray(length);
    }
    // The source may use its buffer again once it has gone on.
    waiting.push(Buffer.from(rest));
    heldBytes += rest.length;
  }
  yield { piece: Buffer.concat(waiting, heldBytes), last: true };
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
    yield encrypt(streamKey.key, nonceOf(streamKey, number, last), piece);
    number += 1;
  }
}

/** Reads bytes of a sealed stream: from `start` to `end`, both included, or to the last one. */
export type ReadSealed = (span: { start: number; end?: number }) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Opens what {@link sealStream} made for the same place, from a plain byte within it on. Every chunk it yields is genuine, and
 * it ends without an error only after the last one. Errors: SealedDataError.
 */
export async function* openStream(
  dataKey: KeyObject,
  context: SealContext,
  read: ReadSealed,
  firstByte = 0,
): AsyncGenerator<Buffer, void, undefined> {
  const header = await buffer(await read({ start: 0, end: headerBytes - 1 }));
  if (header.length < headerBytes) throw new SealedDataError('a sealed stream is truncated');
  if (header[0] !== formatVersion) throw new SealedDataError('a sealed stream has an unknown format version');
  const streamKey = deriveKey(dataKey, header.subarray(1), context);
  let number = Math.floor(firstByte / chunkBytes);
  let toSkip = firstByte % chunkBytes;
  const rest = await read({ start: headerBytes + number * sealedChunkBytes });
  for await (const { piece, last } of pieces(rest, sealedChunkBytes)) {
    const chunk = decrypt(streamKey.key, nonceOf(streamKey, number, last), piece, 'a sealed stream');
    if (chunk.length > toSkip) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
    number += 1;
  }
}
