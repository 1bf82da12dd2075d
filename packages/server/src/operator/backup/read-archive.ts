// Reads the file of a backup, of this version and of 0.1, and verifies it.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { OperatorError } from '../../infra/app-error.ts';
import { chunkBytes, hashed, trailer, trailerBytes } from './backup-format.ts';

/** An entry while an archive is read; its content must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Backups of version 0.1 are compressed as a whole and end with this entry: the SHA-256 of every other one. */
const checksumEntry = 'checksums.json';

/**
 * Reads an archive to its end, entry by entry, without its checksums. Errors: OperatorError if it is damaged, which is known
 * only at the end, so a caller that must not act on damaged content reads it twice.
 */
export async function* openArchive(file: string): AsyncGenerator<ArchiveEntry> {
  try {
    if ((await readText(file, 0, 2)) === '\x1f\x8b') yield* readCompressed(file);
    else yield* readWithTrailer(file);
  } catch (error) {
    throw isDamage(error) ? damaged(file, error) : error;
  }
}

async function* readWithTrailer(file: string): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(file);
  const end = size - trailerBytes;
  const [, expected] = trailer.exec(end > 0 ? await readText(file, end, trailerBytes) : '') ?? [];
  if (expected === undefined) throw new DamagedArchiveError('its end is missing');
  const hash = createHash('sha256');
  const entries = extract();
  const source = createReadStream(file, { highWaterMark: chunkBytes, end: end - 1 });
  const reading = pipeline(source, (bytes: AsyncIterable<Buffer>) => hashed(bytes, hash), entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const content = entry as unknown as AsyncIterable<Buffer>;
    yield { name: entry.header.name, content };
    entry.resume();
  }
  await reading;
  if (hash.digest('hex') !== expected) throw new DamagedArchiveError('its bytes do not match their checksum');
}

async function* readCompressed(file: string): AsyncGenerator<ArchiveEntry> {
  const seen: Record<string, string> = {};
  let checksums: Record<string, string> | undefined;
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const { name } = entry.header;
    const bytes = entry as unknown as AsyncIterable<Buffer>;
    if (checksums || name in seen) throw new DamagedArchiveError(`${name} does not belong there`);
    if (name === checksumEntry) {
      checksums = JSON.parse(await text(bytes)) as Record<string, string>;
      continue;
    }
    const hash = createHash('sha256');
    const content = hashed(bytes, hash);
    yield { name, content };
    for await (const _ of content);
    seen[name] = hash.digest('hex');
  }
  await reading;
  if (!checksums) throw new DamagedArchiveError('its end is missing');
  const names = new Set([...Object.keys(checksums), ...Object.keys(seen)]);
  const wrong = [...names].find((name) => seen[name] !== checksums?.[name]);
  if (wrong !== undefined) throw new DamagedArchiveError(`${wrong} does not match its checksum`);
}

async function readText(file: string, position: number, length: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

class DamagedArchiveError extends Error {}

/** Errors of the readers: the archive's fault, not that of the code that visits its entries. */
function isDamage(error: unknown): boolean {
  if (error instanceof DamagedArchiveError || error instanceof SyntaxError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^Z_|ERR_STREAM_PREMATURE_CLOSE/.test(code) || /tar|unexpected end|Unexpected end/.test(error.message)
  );
}

function damaged(file: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`${file} is damaged or not a backup (${reason}); nothing was restored`, 7, {
    cause,
  });
}
