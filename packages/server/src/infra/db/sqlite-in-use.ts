// Says whether another process has the embedded database open.

import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/** Whether another process, such as a running server, holds the database file open. */
export function isSqliteInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    // Every open connection shares a lock on the file; this one asks for it alone.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)) return true;
    throw error;
  } finally {
    connection.close();
  }
}
