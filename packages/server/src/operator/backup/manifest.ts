// What a backup says of itself: its first entry.

import * as z from 'zod';
import { OperatorError } from '../operator-error.ts';

/** Names of entries. */
export const manifestEntry = 'manifest.json';
export const masterKeyEntry = 'master.key';
export const filePrefix = 'files/';
export const tablePrefix = 'tables/';
/** Behind the names of entries that are compressed each for itself (gzip); since version 2. */
export const compressedSuffix = '.gz';

const manifest = z.object({
  format: z.literal('envsnap-backup'),
  formatVersion: z.number().int(),
  createdAt: z.string(),
  program: z.string(),
  /** Migrations of the schema that the rows belong to. */
  migrations: z.array(z.string()),
  /** Master keys without which nothing encrypted can be read. */
  masterKeys: z.array(z.object({ id: z.string(), label: z.string().nullable() })),
  /** Whether the bytes of files are in here. */
  includesFiles: z.boolean(),
  includesMasterKey: z.boolean(),
});
export type Manifest = z.infer<typeof manifest>;

/** The version that this program writes, and the newest that it reads. */
export const formatVersion = 2;

/** Reads a manifest. Errors: OperatorError when it is none, or of a newer program. */
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
