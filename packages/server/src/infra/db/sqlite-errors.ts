// Owns what SQLite's errors mean: not now, no room, or damaged.

import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '../app-error.ts';

/** Another process writes, or the disk is full or fails: the same may succeed later. */
const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL)/;
const damaged = /^SQLITE_(CORRUPT|NOTADB)/;

/** The files of the database are corrupt. Retrying does not help. */
export function isDamage(error: unknown): boolean {
  return damaged.test(codeOf(error));
}

export function isDiskFull(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return codeOf(cause) === 'SQLITE_FULL';
}

/** Turns errors that are not the caller's fault into `database_unavailable` or `database_damaged`; others stay as they are. */
export function toAppError(error: unknown): unknown {
  if (isDamage(error)) {
    const message = "The database's files are damaged; the operator of this server must restore a backup.";
    return new AppError('database_damaged', message, undefined, { cause: error });
  }
  if (!unavailable.test(codeOf(error))) return error;
  if (isDiskFull(error)) return diskFull(error);
  return notNow('The database is not available; try again.', 1, error);
}

export function diskFull(cause?: unknown): AppError {
  return notNow('The disk of the database is full; try again later.', 5, cause);
}

/** What was written since is in no file, so the next start would not find it. */
export function logDeleted(): AppError {
  return notNow(
    'The write-ahead log was deleted; stop the server, which saves its content, and start it again.',
    5,
  );
}

function notNow(message: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError('database_unavailable', message, undefined, { cause, retryAfterSeconds });
}

function codeOf(error: unknown): string {
  return error instanceof BetterSqlite3.SqliteError ? error.code : '';
}
