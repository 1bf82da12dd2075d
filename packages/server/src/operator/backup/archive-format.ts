// The file of a backup: a tar, and behind its end the SHA-256 of every byte before. What is cut off, changed or added
// does not agree with it. Nothing is compressed here: the bytes of files are ciphertext, and rows come compressed.

import type { Hash } from 'node:crypto';

/** The last bytes of the file; programs that read tar ignore what is behind an archive's end. */
export const trailer = /^sha256 ([0-9a-f]{64})\n$/;
export const trailerBytes = 72;

/** The trailer of a file whose bytes before it have this hash. */
export function formatTrailer(hash: Hash): string {
  return `sha256 ${hash.digest('hex')}\n`;
}

/** Bytes that are read from a file or written to one at a time. */
export const chunkBytes = 1024 * 1024;

/** What passes, fed to a hash. */
export async function* hashed(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
