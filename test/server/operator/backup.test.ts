import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDiskFileStore } from '../../../packages/server/src/files/disk-file-store.ts';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { createBackup } from '../../../packages/server/src/operator/backup/create-backup.ts';
import { restoreBackup, verifyBackup } from '../../../packages/server/src/operator/backup/restore-backup.ts';
import { tables } from '../../../packages/server/src/operator/backup/tables.ts';
import { listMiscounts } from '../../../packages/server/src/operator/recount.ts';
import { describeEachDatabase, folderOfTest } from '../../support/databases.ts';
import { startServiceOn, type TestService } from '../../support/service.ts';
import { download, upload } from '../files/support.ts';

const masterKey = randomBytes(32).toString('hex');
const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

const storeOf = (service: TestService) => openDiskFileStore(path.join(service.config.dataDir, 'files'));

/** A service with a bit of everything. */
async function fill(service: TestService) {
  const { apiKey: key, projectId } = await service.bootstrap('Ein Projekt – 日本');
  const snapshot = await service.send(key, 'POST', '/machine/snapshots', {
    machineName: 'm',
    envVars: { TOKEN: 'canary-value', __proto__x: 'é\n"' },
    metadata: { a: [1, null] },
  });
  const content = randomBytes(200_000);
  const file = await upload(service, { key, content });
  await service.send(key, 'POST', '/machine/webhooks', {
    url: 'http://192.0.2.1/hook',
    events: ['file.uploaded', 'snapshot.created'],
  });
  await upload(service, { key, content: 'announced' });
  await service.send(key, 'GET', '/machine/usage/requests/live');
  return { key, projectId, snapshotId: snapshot.body.id as string, fileId: file.body.id as string, content };
}

async function rowsOf(database: Database): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const { name, key, numbered = [] } of tables) {
    const rows = await database.all<Record<string, unknown>>(
      database.dialect
        .builder(name)
        .select('*')
        .orderBy([...key]),
    );
    found[name] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !numbered.includes(column))),
    );
  }
  return found;
}

describeEachDatabase((openSource) => {
  describeEachDatabase((openTarget) => {
    it('a backup restores every row and file, and the service goes on with it', {
      // The others read and fill PostgreSQL.
      tags: openSource.databaseName === openTarget.databaseName ? [] : 'both-databases',
    }, async () => {
      const source = await startServiceOn(
        await openSource(),
        { ENVSNAP_DATA_DIR: folderOfTest() },
        masterKey,
      );
      const { key, snapshotId, fileId, content, projectId } = await fill(source);
      await source.stop();
      const file = path.join(folderOfTest(), 'backup');
      const summary = await createBackup(file, {
        database: source.database,
        store: await storeOf(source),
        masterKey: undefined,
      });
      expect(summary).toMatchObject({ files: 2, missingFiles: [] });
      expect(summary.rows).toMatchObject({ projects: 1, snapshots: 1, files: 2, webhooks: 1 });
      expect(statSync(file).mode & 0o777).toBe(0o600);

      const dataDir = folderOfTest();
      const database = await openDatabase(await openTarget.target('empty'));
      opened.push(database);
      await restoreBackup(
        await verifyBackup(file),
        database,
        await openDiskFileStore(path.join(dataDir, 'files')),
      );
      expect(await rowsOf(database)).toEqual(await rowsOf(source.database));
      expect(await listMiscounts(database)).toEqual([]);

      const target = await startServiceOn(database, { ENVSNAP_DATA_DIR: dataDir }, masterKey);
      const snapshot = await target.send(key, 'GET', `/machine/snapshots/${snapshotId}`);
      expect(snapshot.body.envVars.TOKEN).toBe('canary-value');
      expect((await download(target, key, fileId)).bytes.equals(content)).toBe(true);
      expect((await upload(target, { key })).status).toBe(201);
      expect((await target.send(key, 'DELETE', `/machine/projects/${projectId}`)).status).toBe(200);
    });
  });

  it('a backup shows one moment while others write, and files deleted during it do no harm', async () => {
    const source = await startServiceOn(await openSource(), { ENVSNAP_MAX_FILES: '1000' }, masterKey);
    const { apiKey: key } = await source.bootstrap();
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push((await upload(source, { key, content: `${n}` })).body.id);
    const file = path.join(folderOfTest(), 'backup');
    const writing = (async () => {
      for (const id of ids) {
        await source.send(key, 'DELETE', `/machine/files/${id}`);
        await source.send(key, 'POST', '/machine/snapshots', { machineName: id });
      }
    })();
    const summary = await createBackup(file, {
      database: source.database,
      store: await storeOf(source),
      masterKey: undefined,
    });
    await writing;
    expect(summary.rows.files).toBe(summary.files);
    const database = await openDatabase(await openSource.target('empty'));
    opened.push(database);
    await restoreBackup(await verifyBackup(file), database, await openDiskFileStore(folderOfTest()));
    expect(await listMiscounts(database)).toEqual([]);
    expect(await database.findDamage()).toEqual([]);
  });

  it('a backup keeps the rows of files whose bytes are lost, and names a file whose bytes are cut', async () => {
    const source = await startServiceOn(await openSource(), {}, masterKey);
    const { fileId } = await fill(source);
    const folder = path.join(source.config.dataDir, 'files');
    const find = (id: string) =>
      source.database.get<{ storage_key: string }>(
        source.database.dialect.builder('files').select('storage_key').where({ id }),
      );
    const blob = path.join(folder, (await find(fileId))?.storage_key ?? '');
    const input = { database: source.database, store: await storeOf(source), masterKey: undefined };
    truncateSync(blob, 1000);
    const target = folderOfTest();
    await expect(createBackup(path.join(target, 'cut'), input)).rejects.toThrow(
      `the stored bytes of file ${fileId} are damaged (1000 instead of `,
    );
    expect(readdirSync(target)).toEqual([]);
    rmSync(blob);
    const file = path.join(target, 'lossy');
    const summary = await createBackup(file, input);
    expect(summary).toMatchObject({ files: 1, missingFiles: [], lostFiles: [fileId], rows: { files: 2 } });
    const database = await openDatabase(await openSource.target('empty'));
    opened.push(database);
    await restoreBackup(await verifyBackup(file), database, await openDiskFileStore(folderOfTest()));
    expect((await rowsOf(database)).files).toEqual((await rowsOf(source.database)).files);
  });

  it('a database with projects is not overwritten', async () => {
    const source = await startServiceOn(await openSource(), {}, masterKey);
    await fill(source);
    const file = path.join(folderOfTest(), 'backup');
    await createBackup(file, { database: source.database, store: undefined, masterKey: undefined });
    const before = await rowsOf(source.database);
    const restoring = restoreBackup(await verifyBackup(file), source.database, await storeOf(source));
    await expect(restoring).rejects.toThrow('already contains projects');
    expect((await rowsOf(source.database)).projects).toEqual(before.projects);
  });
});

describe('a damaged backup', () => {
  describeEachDatabase((openSource) => {
    it('is refused wherever it is damaged', async () => {
      const source = await startServiceOn(await openSource(), {}, masterKey);
      await fill(source);
      const file = path.join(folderOfTest(), 'backup');
      await createBackup(file, {
        database: source.database,
        store: await storeOf(source),
        masterKey: undefined,
      });
      const genuine = readFileSync(file);
      await verifyBackup(file);
      const damaged = path.join(path.dirname(file), 'damaged');
      const variants = [
        Buffer.alloc(0),
        Buffer.from('not an archive'),
        genuine.subarray(0, 20),
        genuine.subarray(0, genuine.length / 2),
        genuine.subarray(0, genuine.length - 1),
        ...Array.from({ length: 20 }, (_, n) => {
          const copy = Buffer.from(genuine);
          const offset = 10 + Math.floor(((copy.length - 20) * n) / 20);
          copy[offset] = (copy[offset] as number) ^ 0x10;
          return copy;
        }),
      ];
      for (const variant of variants) {
        writeFileSync(damaged, variant);
        await expect(verifyBackup(damaged)).rejects.toThrow(/damaged|no backup/);
      }
    });
  });
});
