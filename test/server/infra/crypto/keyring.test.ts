// @module-tag both-databases

import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { StartupError } from '../../../../packages/server/src/infra/app-error.ts';
import { createDataKeys } from '../../../../packages/server/src/infra/crypto/data-keys.ts';
import { SealedDataError } from '../../../../packages/server/src/infra/crypto/envelope.ts';
import { openKeyring, recordKeyring } from '../../../../packages/server/src/infra/crypto/keyring.ts';
import { rotateMasterKey } from '../../../../packages/server/src/infra/crypto/rotate-master-key.ts';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { migrate, migrationStatus } from '../../../../packages/server/src/infra/db/migrate.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

const place = { purpose: 'environment variables', table: 'snapshots', recordId: 's' };

function newKey(): string {
  return randomBytes(32).toString('base64');
}

function projectId(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** Starts as the server does. */
async function start(db: Database, setting: string) {
  const keyring = await openKeyring(db, { setting, generatedIn: undefined });
  await migrate(db);
  await recordKeyring(db, keyring);
  return { keyring, dataKeys: createDataKeys(keyring) };
}

async function createProject(db: Database, dataKeys: ReturnType<typeof createDataKeys>, id: string) {
  return db.transact(async (executor) => {
    await executor.run(
      executor.dialect.builder('projects').insert({ id, name: 'p', created_at: 1, updated_at: 1 }),
    );
    return dataKeys.create(executor, id);
  });
}

describeEachDatabase((openDatabase) => {
  test("what a project's cipher sealed opens after a restart, and not for another project", async () => {
    const db = await openDatabase();
    const setting = newKey();
    const { dataKeys } = await start(db, setting);
    const cipher = await createProject(db, dataKeys, projectId(1));
    await createProject(db, dataKeys, projectId(2));
    const sealed = cipher.seal(place, Buffer.from('value'));

    const { dataKeys: afterRestart } = await start(db, setting);
    const again = await afterRestart.cipherOf(db, projectId(1));
    expect(again.open(place, sealed).toString()).toBe('value');
    expect(await afterRestart.cipherOf(db, projectId(1))).toBe(again);
    const other = await afterRestart.cipherOf(db, projectId(2));
    expect(() => other.open(place, sealed)).toThrow(SealedDataError);
  });

  test('a wrong master key stops the start with both ids, and nothing is written', async () => {
    const target = await openDatabase.target('empty');
    const db = await openDatabase.again(target);
    const { keyring } = await start(db, newKey());
    const wrong = newKey();
    const error = await openKeyring(db, { setting: wrong, generatedIn: undefined }).catch((reason) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toContain(keyring.primary.id);
    expect(error.message).toMatch(/supplies [0-9a-f]{16}/);
    expect(error.message).not.toContain(wrong);
    expect(error.message).not.toContain('\n');
    expect(await db.all(db.dialect.builder('master_keys').select('id'))).toEqual([
      { id: keyring.primary.id },
    ]);
  });

  test('PostgreSQL without a master key, and a lost key file, stop the start before anything is written', async () => {
    const empty = await openDatabase.again(await openDatabase.target('empty'));
    await expect(openKeyring(empty, { setting: undefined, generatedIn: undefined })).rejects.toThrow(
      'ENVSNAP_ENCRYPTION_KEY is required with PostgreSQL',
    );
    expect((await migrationStatus(empty)).applied).toEqual([]);

    const target = await openDatabase.target('empty');
    const db = await openDatabase.again(target);
    const keyring = await openKeyring(db, { setting: undefined, generatedIn: target.dataDir });
    await migrate(db);
    await recordKeyring(db, keyring);
    rmSync(path.join(target.dataDir, 'master.key'));
    await expect(openKeyring(db, { setting: undefined, generatedIn: target.dataDir })).rejects.toThrow(
      /needs master key [0-9a-f]{16}, but .* has no master\.key/,
    );
    expect(readdirSync(target.dataDir)).not.toContain('master.key');
  });

  test('two servers that bring different keys to a new database do not both start', async () => {
    const target = await openDatabase.target('empty');
    const replicas = await Promise.all([1, 2].map(() => openDatabase.again(target)));
    const starts = await Promise.allSettled(replicas.map((replica) => start(replica, newKey())));
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('rotation wraps every data key again, retires the old master key and keeps every value readable', async () => {
    const db = await openDatabase();
    const [older, newer] = [newKey(), newKey()];
    const { keyring: before, dataKeys } = await start(db, older);
    const sealed: Buffer[] = [];
    for (let n = 0; n < 5; n += 1)
      sealed.push((await createProject(db, dataKeys, projectId(n))).seal(place, Buffer.from(`value ${n}`)));

    const { keyring } = await start(db, `new:${newer},old:${older}`);
    expect(await rotateMasterKey(db, keyring)).toEqual({
      masterKeyId: keyring.primary.id,
      rewrapped: 5,
      retired: [before.primary.id],
    });
    expect(await rotateMasterKey(db, keyring)).toMatchObject({ rewrapped: 0, retired: [] });

    const { dataKeys: onlyNew } = await start(db, newer);
    for (const [n, bytes] of sealed.entries())
      expect((await onlyNew.cipherOf(db, projectId(n))).open(place, bytes).toString()).toBe(`value ${n}`);
    await expect(start(db, older)).rejects.toThrow(keyring.primary.id);
  });

  test('the old master key is needed until the rotation has been done', async () => {
    const db = await openDatabase();
    const [older, newer] = [newKey(), newKey()];
    const { keyring, dataKeys } = await start(db, older);
    await createProject(db, dataKeys, projectId(1));
    await start(db, `${newer},${older}`);
    await expect(start(db, newer)).rejects.toThrow(keyring.primary.id);
  });

  test('a key that wraps nothing is not needed, so a new key can be taken back', async () => {
    for (const withProject of [true, false]) {
      const db = await openDatabase();
      const [older, newer] = [newKey(), newKey()];
      const { dataKeys } = await start(db, older);
      if (withProject) await createProject(db, dataKeys, projectId(1));
      await start(db, `new:${newer},old:${older}`);
      await start(db, older);
      await expect(start(db, newKey())).rejects.toThrow('needs master key');
    }
  });

  test("a wrapped data key moved to another project's row does not open", async () => {
    const db = await openDatabase();
    const { keyring, dataKeys } = await start(db, newKey());
    await createProject(db, dataKeys, projectId(1));
    await createProject(db, dataKeys, projectId(2));
    const qb = db.dialect.builder;
    const row = await db.get<{ wrapped_key: Buffer }>(
      qb('data_keys').select('wrapped_key').where('project_id', projectId(1)),
    );
    await db.run(qb('data_keys').where('project_id', projectId(2)).update({ wrapped_key: row?.wrapped_key }));
    await expect(createDataKeys(keyring).cipherOf(db, projectId(2))).rejects.toThrow(SealedDataError);
  });

  test("a deleted project's key is gone from the database and, once forgotten, from memory", async () => {
    const db = await openDatabase();
    const { dataKeys } = await start(db, newKey());
    await createProject(db, dataKeys, projectId(1));
    await dataKeys.cipherOf(db, projectId(1));
    await db.run(db.dialect.builder('projects').where('id', projectId(1)).del());
    dataKeys.forget(projectId(1));
    await expect(dataKeys.cipherOf(db, projectId(1))).rejects.toThrow('has no data key');
  });
});
