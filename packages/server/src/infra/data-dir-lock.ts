// Keeps a second server off a data folder. It uses SQLite's lock on a separate file, which the system releases when the
// process ends in any way, so a kill leaves nothing to clean up, and no process id is ever trusted.

import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from './app-error.ts';
import { giveToFolderOwner } from './ownership.ts';

const lockFile = 'server.lock';
/** The holder of the lock, for the refusal. */
const holderFile = 'server.json';

export type DataDirLock = ReturnType<typeof lockDataDir>;

/** Locks the folder for this process. Errors: StartupError, which says where its present server listens (`description`). */
export function lockDataDir(dataDir: string, description: string) {
  const file = path.join(dataDir, lockFile);
  const holder = path.join(dataDir, holderFile);
  const connection = openLocked(file);
  if (!connection) {
    throw new StartupError(
      `another envsnap-server ${describeHolder(holder)}uses the data folder ${dataDir}: stop it, or choose another ` +
        'folder with --data-dir or ENVSNAP_DATA_DIR',
    );
  }
  const content = { pid: process.pid, url: description, since: new Date().toISOString() };
  writeFileSync(holder, JSON.stringify(content), { mode: 0o600 });
  giveToFolderOwner(holder);
  return {
    release() {
      rmSync(holder, { force: true });
      // Windows does not remove open files. After closing, the file may already belong to the next server, so it stays.
      if (process.platform === 'win32') connection.close();
      try {
        rmSync(file, { force: true });
      } catch (error) {
        if (process.platform !== 'win32') throw error;
      }
      connection.close();
    },
  };
}

/** Creates and locks the file; undefined if another process has locked it. */
function openLocked(file: string): Connection | undefined {
  for (;;) {
    // Not if it exists: closing a file drops this process's locks on it.
    if (!existsSync(file)) makeFile(file);
    const before = inodeOf(file);
    const connection = new BetterSqlite3(file, { timeout: 0 });
    try {
      // Nothing is ever written; only the lock matters.
      connection.pragma('journal_mode = MEMORY');
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection.close();
      if (error instanceof BetterSqlite3.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code))
        return undefined;
      throw error;
    }
    // The last holder may have removed the file just now: the lock must be on the one that others find.
    if (before !== undefined && before === inodeOf(file)) return connection;
    connection.close();
  }
}

function makeFile(file: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  giveToFolderOwner(file, descriptor);
  closeSync(descriptor);
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** The server that wrote the file last, which is the one that has the lock. */
function describeHolder(holder: string): string {
  try {
    const { pid, url, since } = JSON.parse(readFileSync(holder, 'utf8'));
    return `(process ${Number(pid)}, ${String(url)}, since ${String(since)}) `;
  } catch {
    // It has the lock and is about to write the file.
    return '';
  }
}
