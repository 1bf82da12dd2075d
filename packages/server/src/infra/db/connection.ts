// Owns the choice of the database: PostgreSQL when a URL is given, else SQLite in the data folder.

import path from 'node:path';
import type { Database } from './database.ts';
import type { PostgresOptions } from './postgres.ts';

export const databaseFile = 'envsnap.db';

interface DatabaseOptions extends Omit<PostgresOptions, 'url'> {
  /** `postgres://…`; undefined for the embedded database. */
  url: string | undefined;
  /** Folder of the embedded database; it must exist. */
  dataDir: string;
  /** Whether to keep a reserve on the disk of an embedded database, which makes room for deletions. Servers do. */
  keepsReserve?: boolean;
}

/** Opens the database without looking at its schema; loads only its driver. Errors: StartupError. */
export async function openDatabase(given: DatabaseOptions): Promise<Database> {
  const { url, dataDir, keepsReserve, ...options } = given;
  if (url === undefined)
    return (await import('./sqlite.ts')).openSqlite(path.join(dataDir, databaseFile), keepsReserve);
  return (await import('./postgres.ts')).openPostgres({ url, ...options });
}
