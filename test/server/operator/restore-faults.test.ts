import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDiskFileStore } from '../../../packages/server/src/files/disk-file-store.ts';
import { sealedStreamBytes } from '../../../packages/server/src/infra/crypto/sealed-stream.ts';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { migrate, unfinishedRestore } from '../../../packages/server/src/infra/db/migrate.ts';
import { migrations } from '../../../packages/server/src/infra/db/migrations.ts';
import { createBackup } from '../../../packages/server/src/operator/backup/create-backup.ts';
import { restoreBackup, verifyBackup } from '../../../packages/server/src/operator/backup/restore-backup.ts';
import { tables, tablesLeftOut } from '../../../packages/server/src/operator/backup/tables.ts';
import { describeEachDatabase, folderOfTest, type OpenDatabase } from '../../support/databases.ts';
import { runServerCommand, runServerCommandHere } from '../../support/programs.ts';
import {
  chunks,
  content,
  digestOfRequests,
  fileId,
  fill,
  limitIdleTransactions,
  slowStore,
  writeOldArchive,
} from './backup-fixture.ts';

const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

async function openTarget(open: OpenDatabase): Promise<Database> {
  const database = await openDatabase(await open.target('empty'));
  opened.push(database);
  return database;
}

describeEachDatabase((openSource) => {
  it('every table is in a backup or named as left out of it', async () => {
    const { dialect, ...database } = await withQueries(await openSource());
    const names = await database.names(
      dialect.name === 'sqlite'
        ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        : "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
    );
    expect(names.sort()).toEqual([...tables.map(({ name }) => name), ...tablesLeftOut].sort());
  });

  describeEachDatabase((open) => {
    it('a restore takes thousands of rows, and has no transaction open while files are stored', async () => {
      const source = await openSource();
      await fill(source, 5000);
      const file = path.join(folderOfTest(), 'backup');
      const files = await openDiskFileStore(folderOfTest());
      // The number of bytes of a sealed file of this size.
      await files.put(fileId, chunks(randomBytes(sealedStreamBytes(content.length))));
      const { rows } = await createBackup(file, { database: source, store: files, masterKey: undefined });
      expect(rows.request_logs).toBe(5000);

      const target = await openTarget(open);
      const store = await openDiskFileStore(folderOfTest());
      const isLimited = target.dialect.name === 'postgresql';
      if (isLimited) await limitIdleTransactions(target);
      const slow = isLimited ? slowStore(store) : store;
      const restored = await restoreBackup(await verifyBackup(file), target, slow);
      expect(restored).toMatchObject({ files: 1, rows: { request_logs: 5000, projects: 1 } });
      expect(await digestOfRequests(target)).toBe(await digestOfRequests(source));
    });
  });

  it('a backup of version 0.1, compressed as a whole, is still restored', async () => {
    const source = await openSource();
    await fill(source, 10);
    const made = path.join(folderOfTest(), 'backup');
    await createBackup(made, { database: source, store: undefined, masterKey: undefined });
    const old = path.join(folderOfTest(), 'backup-of-0.1');
    await writeOldArchive(made, old);
    const target = await openTarget(openSource);
    const store = await openDiskFileStore(folderOfTest());
    const { rows } = await restoreBackup(await verifyBackup(old), target, store);
    expect(rows).toMatchObject({ projects: 1, request_logs: 10 });
    writeFileSync(old, readFileSync(old).subarray(0, -100));
    await expect(verifyBackup(old)).rejects.toThrow('is damaged');
  });

  it('no server starts on a database whose restore failed; the restore can be repeated', async () => {
    const source = await openSource();
    await fill(source, 10);
    const store = await openDiskFileStore(folderOfTest());
    await store.put(fileId, chunks(randomBytes(sealedStreamBytes(content.length))));
    const backup = path.join(folderOfTest(), 'backup');
    await createBackup(backup, { database: source, store, masterKey: undefined });
    const target = await openSource.target('empty');
    const env = {
      ENVSNAP_DATA_DIR: target.dataDir,
      DATABASE_URL: target.url,
      ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32),
    };
    // A folder is in the place of the file's bytes.
    const inTheWay = path.join(target.dataDir, 'files', fileId);
    mkdirSync(path.join(inTheWay, 'x'), { recursive: true });
    const failed = await runServerCommandHere(['restore', backup], env);
    expect([failed.exitCode, failed.stderr]).toEqual([7, expect.stringContaining('No server starts')]);
    const refused = await runServerCommandHere(['start', '--port', '0'], env);
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('a restore into this database has not finished');
    rmSync(inTheWay, { recursive: true });
    const restored = await runServerCommandHere(['restore', backup], env);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining('1 file')]);
  });

  it('no server starts on a database whose restore was killed; the restore can be repeated', {
    tags: 'release',
  }, async () => {
    const source = await openSource();
    await fill(source, 10);
    const backup = path.join(folderOfTest(), 'backup');
    await createBackup(backup, { database: source, store: undefined, masterKey: undefined });
    const target = await openSource.target('empty');
    const killed = await openDatabase(target);
    await migrate(killed, [unfinishedRestore, ...migrations]);
    await killed.close();
    const env = {
      ENVSNAP_DATA_DIR: target.dataDir,
      DATABASE_URL: target.url,
      ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32),
    };
    const refused = await runServerCommand(['start', '--port', '0'], { env });
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('a restore into this database has not finished');
    expect((await runServerCommandHere(['doctor'], env)).stdout).toContain('has not finished');
    const restored = await runServerCommandHere(['restore', backup], env);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining('1 project')]);
    expect((await runServerCommandHere(['migrate', '--status'], env)).exitCode).toBe(0);
  });
});

async function withQueries(database: Database) {
  return {
    dialect: database.dialect,
    names: async (sql: string) =>
      (await database.all<{ name: string }>(database.dialect.builder.raw(sql))).map(({ name }) => name),
  };
}
