// The file of a backup: a gzip-compressed tar whose last entry holds the SHA-256 of every other one. What is cut off,
// changed or added does not agree with it.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { OperatorError } from '../operator-error.ts';

/** An entry while an archive is read; its content must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Adds entries to an archive. */
export interface ArchiveWriter {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Adds an entry of a length known before. Errors: when the content has another one. */
  addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

const checksumEntry = 'checksums.json';

/** Writes an archive, mode 0600: whole under its name or not at all. */
export async function writeArchive(
  file: string,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const draft = `${file}.part`;
  const archive = pack();
  const output = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  const checksums: Record<string, string> = {};

  async function addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>) {
    const hash = createHash('sha256');
    await new Promise<void>((resolve, reject) => {
      const entry = archive.entry({ name, size: sizeBytes, mode: 0o600 }, (error) => {
        if (error) reject(error);
        else resolve();
      });
      (async () => {
        for await (const chunk of content) {
          hash.update(chunk);
          if (!entry.write(chunk)) await drained(entry);
        }
        entry.end(undefined);
      })().catch((error: unknown) => {
        reject(error);
        entry.destroy();
      });
    });
    checksums[name] = hash.digest('hex');
  }
  const add = (name: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    return addStream(name, bytes.length, chunksOf(bytes));
  };

  const writing = pipeline(archive, createGzip({ level: 1 }), output);
  writing.catch(() => undefined);
  try {
    await Promise.race([fill({ add, addStream }), writing]);
    await add(checksumEntry, JSON.stringify(checksums));
    archive.finalize();
    await writing;
    const handle = await open(draft, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    archive.destroy();
    await writing.catch(() => undefined);
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true });
    throw error;
  }
}

function drained(entry: { once(event: 'drain', listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    entry.once('drain', () => resolve());
  });
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/**
 * Reads an archive entry by entry, without its checksums. Errors: OperatorError when it is damaged; that is sure only
 * once the end is reached, so whoever must not act on damaged content reads it twice.
 */
export async function readArchive(
  file: string,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const seen: Record<string, string> = {};
  let checksums: Record<string, string> | undefined;
  try {
    const entries = extract();
    const reading = pipeline(createReadStream(file), createGunzip(), entries);
    reading.catch(() => undefined);
    for await (const entry of entries) {
      const { name } = entry.header;
      const bytes = entry as unknown as AsyncIterable<Buffer>;
      if (checksums || name in seen) throw new DamagedArchiveError(`${name} does not belong there`);
      if (name === checksumEntry) {
        checksums = JSON.parse((await collect(bytes)).toString()) as Record<string, string>;
        continue;
      }
      const hash = createHash('sha256');
      const content = hashed(bytes, hash);
      await visit({ name, content });
      for await (const _ of content);
      seen[name] = hash.digest('hex');
    }
    await reading;
  } catch (error) {
    throw isDamage(error) ? damaged(file, error) : error;
  }
  if (!checksums) throw damaged(file, new DamagedArchiveError('its end is missing'));
  const names = new Set([...Object.keys(checksums), ...Object.keys(seen)]);
  const wrong = [...names].find((name) => seen[name] !== checksums[name]);
  if (wrong !== undefined) throw damaged(file, new DamagedArchiveError(`${wrong} is not what was written`));
}

class DamagedArchiveError extends Error {}

/** Errors of the readers: the archive's fault, not that of whoever visits its entries. */
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
  return new OperatorError(`${file} is damaged or no backup (${reason}); nothing was restored`, 7, { cause });
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The whole content of an entry. */
export async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
