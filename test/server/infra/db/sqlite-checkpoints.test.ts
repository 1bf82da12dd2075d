import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseFile, openDatabase } from '../../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import {
  lastResortPages,
  SqliteCheckpoints,
} from '../../../../packages/server/src/infra/db/sqlite-checkpoints.ts';

const pageBytes = 4096;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'envsnap-checkpoints-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What changes when SQLite begins its log anew. */
function saltOf(log: string): string {
  const bytes = Buffer.alloc(8);
  const file = openSync(log, 'r');
  readSync(file, bytes, 0, bytes.length, 16);
  closeSync(file);
  return bytes.toString('hex');
}

async function writePages(db: Database, pages: number): Promise<void> {
  const content = Buffer.alloc(pageBytes - 100, 1);
  await db.transact(
    async (executor) => {
      for (let page = 0; page < pages; page += 1)
        await executor.run(db.dialect.builder('filled').insert({ content }));
    },
    { durability: 'process' },
  );
}

test('the log is copied back beside the commits, and begun anew before a commit has to do it', async () => {
  const db = await openDatabase({ url: undefined, dataDir: folder });
  try {
    await db.run(db.dialect.builder.raw('create table filled (content blob)'));
    const log = path.join(folder, `${databaseFile}-wal`);
    const salt = saltOf(log);
    let written = 0;
    while (saltOf(log) === salt && written < 2 * lastResortPages) {
      await writePages(db, 40);
      written += 40;
      await sleep(1);
    }
    expect(saltOf(log)).not.toBe(salt);
    expect(statSync(log).size).toBeLessThan(lastResortPages * pageBytes);
    expect(await db.all(db.dialect.builder('filled').count('* as rows'))).toEqual([{ rows: written }]);
    expect(await db.findDamage()).toEqual([]);
  } finally {
    await db.close();
  }
});

test('what was deleted leaves the log too, with a thread that has copied most of it', async () => {
  const db = await openDatabase({ url: undefined, dataDir: folder });
  try {
    await db.run(db.dialect.builder.raw('create table filled (content blob)'));
    await writePages(db, 500);
    await db.discardDeleted();
    expect(statSync(path.join(folder, `${databaseFile}-wal`)).size).toBe(0);
  } finally {
    await db.close();
  }
  // The last connection takes the log along: none is left open.
  expect(() => statSync(path.join(folder, `${databaseFile}-wal`))).toThrow('ENOENT');
});

test('when the thread dies, the commits copy the log again', async () => {
  let givenUp = 0;
  const checkpoints = new SqliteCheckpoints({
    file: path.join(folder, databaseFile),
    pageBytes,
    finish: () => ({ log: 0, checkpointed: 0 }),
    giveUp: () => {
      givenUp += 1;
    },
    program: new URL('data:text/javascript,process.exit(1)'),
  });
  await checkpoints.copyThen(async () => undefined);
  expect(givenUp).toBe(1);
  checkpoints.afterCommit();
  await checkpoints.copyThen(async () => undefined);
  await checkpoints.close();
  expect(givenUp).toBe(1);
});
