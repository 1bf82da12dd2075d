import { chmodSync, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StartupError } from '../../../packages/server/src/infra/app-error.ts';
import { isOpenToOthers, prepareDataDir } from '../../../packages/server/src/infra/data-dir.ts';
import { openSqlite } from '../../../packages/server/src/infra/db/sqlite.ts';
import { findMissingLog } from '../../../packages/server/src/infra/db/sqlite-file.ts';
import { temporaryFolder } from '../../support/databases.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the data folder is made private, with its parents', () => {
  const dataDir = path.join(folder, 'a/b');
  prepareDataDir(dataDir);
  prepareDataDir(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

test('a data folder that exists keeps its mode; one that everybody may write to is refused', () => {
  const dataDir = path.join(folder, 'open');
  prepareDataDir(dataDir);
  expect(isOpenToOthers(dataDir)).toBe(false);
  chmodSync(dataDir, 0o2755);
  prepareDataDir(dataDir);
  expect([statSync(dataDir).mode & 0o7777, isOpenToOthers(dataDir)]).toEqual([0o2755, true]);
  chmodSync(dataDir, 0o1777);
  expect(() => prepareDataDir(dataDir)).toThrow(/cannot use the data folder .*everybody may write to it/);
  expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
});

test('a data folder that cannot be made stops the start in one line that names the setting', () => {
  writeFileSync(path.join(folder, 'file'), '');
  for (const dataDir of [path.join(folder, 'file'), path.join(folder, 'file/below')]) {
    expect(() => prepareDataDir(dataDir)).toThrow(StartupError);
    expect(() => prepareDataDir(dataDir)).toThrow(/^cannot use the data folder .*ENVSNAP_DATA_DIR.*$/);
  }
});

test.runIf(process.platform === 'linux')('a data folder below /proc is refused, not tried forever', () => {
  expect(() => prepareDataDir('/proc/nowhere/data')).toThrow(StartupError);
});

test('the embedded database is a private file, and the server notices if its log is deleted', async () => {
  const file = path.join(folder, 'private.db');
  const db = openSqlite(file);
  await db.run(db.dialect.builder.raw('create table t (a integer)'));
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o077).toBe(0);
  // Like after a kill: with its log, nothing is missing.
  const killed = path.join(folder, 'killed.db');
  for (const suffix of ['', '-open', '-wal']) copyFileSync(file + suffix, killed + suffix);
  expect(findMissingLog(killed)).toBeUndefined();
  rmSync(`${killed}-wal`);
  expect(findMissingLog(killed)).toMatch(/^the write-ahead log .* was missing on /);
  await db.close();
  expect(findMissingLog(file)).toBeUndefined();
});

test('a file that is not a database stops the start in one line', () => {
  const file = path.join(folder, 'text.db');
  writeFileSync(file, 'this is not a database, only a text of some length'.repeat(50));
  expect(() => openSqlite(file)).toThrow(StartupError);
  expect(() => openSqlite(file)).toThrow(/^cannot open the database file .*not a database$/);
});
