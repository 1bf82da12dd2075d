// Owns databases for tests: the same suite on SQLite and on a real PostgreSQL, each test with a fresh database. `test` leaves
// out PostgreSQL except for tests with the tag `both-databases`; `test:all`, and a run of one file, leave out nothing.

import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, inject } from 'vitest';
import { databaseFile, openDatabase } from '../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../packages/server/src/infra/db/database.ts';
import type { DialectName } from '../../packages/server/src/infra/db/dialect.ts';
import { migrate } from '../../packages/server/src/infra/db/migrate.ts';
import { cleanUpAfterTest } from './clean-up.ts';

/** Where a database is, in the form of the server's settings (`DATABASE_URL`, `ENVSNAP_DATA_DIR`). */
export interface DatabaseTarget {
  /** Undefined for the embedded database. */
  url: string | undefined;
  /** A fresh folder. */
  dataDir: string;
}

/** Opens a fresh, migrated database; it is closed and removed after the test. */
export interface OpenDatabase {
  (): Promise<Database>;
  readonly databaseName: DialectName;
  /** Opens a second connection pool, as another replica would; with `fewConnections` by default. */
  again(target: DatabaseTarget & { poolSize?: number }): Promise<Database>;
  /** A database that was never opened. */
  target(content: 'empty' | 'migrated'): Promise<DatabaseTarget>;
}

/** Enough for requests to meet in the database. Opening one takes PostgreSQL longer than most tests take. */
const fewConnections = 3;

/** A fresh folder for data; it is removed with the test run, or earlier by the caller. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(inject('dataFolder'), 'test-'));
}

/** A fresh folder for data; it is removed after the test. */
export function folderOfTest(): string {
  const folder = temporaryFolder();
  cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A migrated embedded database to copy, made once in a run. */
async function migratedFile(): Promise<string> {
  const file = path.join(inject('dataFolder'), 'migrated.db');
  if (existsSync(file)) return file;
  const dataDir = temporaryFolder();
  const database = await openDatabase({ url: undefined, dataDir });
  await migrate(database);
  await database.close();
  // By a rename, so that another worker never copies half a file.
  renameSync(path.join(dataDir, databaseFile), file);
  rmSync(dataDir, { recursive: true });
  return file;
}

/** Defines the suite once for each database. */
export const describeEachDatabase = (define: (openDatabase: OpenDatabase) => void): void =>
  describeOn(['sqlite', 'postgresql'], define);

/** Defines the suite only on SQLite: for clients, and for work of the server that does not depend on the database. */
export const describeOnSqlite = (define: (openDatabase: OpenDatabase) => void): void =>
  describeOn(['sqlite'], define);

function describeOn(names: readonly DialectName[], define: (openDatabase: OpenDatabase) => void): void {
  for (const databaseName of names) {
    const tags = databaseName === 'postgresql' ? ['postgresql'] : [];
    describe(`on ${databaseName}`, { tags }, () => {
      const folders: string[] = [];
      const names: string[] = [];
      const opened: Database[] = [];

      async function target(content: 'empty' | 'migrated'): Promise<DatabaseTarget> {
        const dataDir = temporaryFolder();
        folders.push(dataDir);
        if (databaseName === 'sqlite') {
          if (content === 'migrated') copyFileSync(await migratedFile(), path.join(dataDir, databaseFile));
          return { url: undefined, dataDir };
        }
        const response = await fetch(`${inject('postgresBroker')}/${content}`);
        const text = await response.text();
        if (!response.ok) throw new Error(text);
        names.push(new URL(text).pathname);
        return { url: text, dataDir };
      }

      async function again(where: DatabaseTarget & { poolSize?: number }): Promise<Database> {
        const database = await openDatabase({ poolSize: fewConnections, ...where });
        opened.push(database);
        return database;
      }

      async function open(): Promise<Database> {
        return again(await target('migrated'));
      }

      afterEach(async () => {
        await Promise.all(opened.splice(0).map((database) => database.close()));
        for (const name of names.splice(0))
          await fetch(`${inject('postgresBroker')}${name}`, { method: 'DELETE' });
        for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
      });

      define(Object.assign(open, { databaseName, again, target }));
    });
  }
}
