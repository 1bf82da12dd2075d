// The file of the embedded database: whether another process has it open, and returning the space of deleted rows to the disk,
// which SQLite otherwise keeps in the file for reuse.

import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../app-error.ts';
import { giveToFolderOwner } from '../ownership.ts';

/** Longest wait for another process that writes, in milliseconds. */
const busyTimeoutMs = 30_000;

/**
 * Rewrites the database without its free space. Returns its size on the disk before and after, including the write-ahead log. The
 * database is locked, so other writers wait. Errors: StartupError if the disk has no room for two copies of the data.
 */
export function compactSqlite(file: string): { bytesBefore: number; bytesAfter: number } {
  const folder = path.dirname(file);
  // SQLite's copy goes to the disk whose space is checked, not to a /tmp in memory.
  process.env.SQLITE_TMPDIR = folder;
  const connection = new BetterSqlite3(file, { timeout: busyTimeoutMs });
  try {
    const neededBytes = 2 * storedBytes(connection);
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    if (freeBytes < neededBytes) {
      throw new StartupError(
        `compacting temporarily needs ${neededBytes} bytes of free space in ${folder}, which has ${freeBytes}`,
      );
    }
    const bytesBefore = bytesOf(file);
    connection.exec('VACUUM');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    return { bytesBefore, bytesAfter: bytesOf(file) };
  } finally {
    connection.close();
  }
}

function storedBytes(connection: Connection): number {
  const read = (name: string) => connection.pragma(name, { simple: true }) as number;
  return (read('page_count') - read('freelist_count')) * read('page_size');
}

function bytesOf(file: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** A file that exists while the database is open. It outlives a kill, and then holds the time if the log was found missing. */
const markOf = (file: string) => `${file}-open`;
const hasLog = (file: string) => logIdOf(file) !== undefined;

/** Identifies the write-ahead log: another file with the same name has another id. Undefined if there is no log. */
export function logIdOf(file: string): number | undefined {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.ino;
}

/**
 * Whether somebody deleted the write-ahead log while it was needed. Call before the database is opened. A closed database has no
 * log; one whose process was killed has one, with the last commits.
 */
export function findMissingLog(file: string): string | undefined {
  const mark = markOf(file);
  if (!existsSync(mark)) return undefined;
  let since = readFileSync(mark, 'utf8');
  if (since === '') {
    if (!existsSync(file) || hasLog(file)) return undefined;
    since = new Date().toISOString();
    writeFileSync(mark, since);
  }
  return (
    `the write-ahead log ${file}-wal was missing on ${since} although the database had not been closed: the newest data may be ` +
    `lost. Compare with a backup, then delete ${mark}. If the server has been stopped since then, or another program, such as ` +
    'sqlite3, has opened the database, the content of the log is in the database, and nothing is lost'
  );
}

export function markOpened(file: string): void {
  if (existsSync(markOf(file))) return;
  writeFileSync(markOf(file), '', { mode: 0o600 });
  giveToFolderOwner(markOf(file));
}

/** Call after closing the database: the last process to close it has moved the log into the database. */
export function markClosed(file: string): void {
  if (hasLog(file) || statSync(markOf(file), { throwIfNoEntry: false })?.size !== 0) return;
  rmSync(markOf(file), { force: true });
}

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
    markClosed(file);
  }
}
