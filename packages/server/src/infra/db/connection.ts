// Owns the choice of the database: PostgreSQL when a URL is given, else SQLite in the data folder.

import path from 'node:path';
import type { Database } from './database.ts';

/** Name of the embedded database's file in the data folder. */
export const databaseFile = 'envsnap.db';

interface DatabaseOptions {
  /** `postgres://…`; undefined for the embedded database. */
  url: string | undefined;
  /** Folder of the embedded database; it must exist. */
  dataDir: string;
  /** Most connections to PostgreSQL at the same time; default 10. */
  poolSize?: number;
  /** Called with the error of an idle PostgreSQL connection that breaks; the pool replaces them. */
  onConnectionLost?: (error: Error) => void;
}

/** Opens the database without looking at its schema; loads its driver alone. Errors: StartupError. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir, poolSize, onConnectionLost } = options;
  if (url === undefined) {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(path.join(dataDir, databaseFile));
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres({
    url,
    ...(poolSize !== undefined && { poolSize }),
    ...(onConnectionLost && { onConnectionLost }),
  });
}
