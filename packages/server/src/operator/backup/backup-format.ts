// The format of a backup: a tar whose first entry is a manifest, followed by the SHA-256 of every byte before, which detects missing,
// changed and added bytes. The tar is not compressed: files are ciphertext, and rows are already compressed.

import type { Hash } from 'node:crypto';
import * as z from 'zod';
import { OperatorError } from '../../infra/app-error.ts';

/** The last bytes of the file; tar programs ignore anything after an archive's end. */
export const trailer = /^sha256 ([0-9a-f]{64})\n$/;
export const trailerBytes = 72;

/** The trailer of a file whose bytes before it have this hash. */
export function formatTrailer(hash: Hash): string {
  return `sha256 ${hash.digest('hex')}\n`;
}

/** Bytes of a file that are read or written at once. */
export const chunkBytes = 1024 * 1024;

/** Passes bytes through and feeds them to a hash. */
export async function* hashed(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Names of entries. */
export const manifestEntry = 'manifest.json';
export const masterKeyEntry = 'master.key';
export const filePrefix = 'files/';
export const tablePrefix = 'tables/';
/** The suffix of entries that are compressed separately (gzip); since version 2. */
export const compressedSuffix = '.gz';

const manifest = z.object({
  format: z.literal('envsnap-backup'),
  formatVersion: z.number().int(),
  createdAt: z.string(),
  program: z.string(),
  /** Migrations of the schema that the rows belong to. */
  migrations: z.array(z.string()),
  /** Master keys that are needed to read encrypted data. */
  masterKeys: z.array(z.object({ id: z.string(), label: z.string().nullable() })),
  /** Whether the bytes of files are included. */
  includesFiles: z.boolean(),
  includesMasterKey: z.boolean(),
});
export type Manifest = z.infer<typeof manifest>;

/** The version that this program writes, and the newest that it reads. */
export const formatVersion = 2;

/** Reads a manifest. Errors: OperatorError if it is not one, or from a newer program. */
export function parseManifest(text: string): Manifest {
  let parsed: Manifest;
  try {
    parsed = manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError('the file is not a backup of envsnap-server', 7, { cause: error });
  }
  if (parsed.formatVersion > formatVersion) {
    throw new OperatorError(
      `the backup has format ${parsed.formatVersion}, made by envsnap-server ${parsed.program}: restore it with that version or a later one`,
    );
  }
  return parsed;
}
