// @module-tag both-databases

import { expect, test, vi } from 'vitest';
import { AppError, StartupError } from '../../../../packages/server/src/infra/app-error.ts';
import { openPostgres } from '../../../../packages/server/src/infra/db/postgres.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

describeEachDatabase((openDatabase) => {
  if (openDatabase.databaseName !== 'postgresql') {
    test.skip('concerns PostgreSQL only');
    return;
  }

  async function open() {
    const target = await openDatabase.target('migrated');
    return { db: await openDatabase.again(target), killer: await openDatabase.again(target) };
  }

  const terminateOthers =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

  test('a connection that breaks while idle is replaced without anybody noticing', async () => {
    const { db, killer } = await open();
    await db.all(db.dialect.builder('projects'));
    await killer.all(killer.dialect.builder.raw(terminateOthers));
    // The pool notices the loss through the socket; until then a query may meet the dead connection.
    await db.all(db.dialect.builder('projects')).catch(() => undefined);
    expect(await db.all(db.dialect.builder('projects'))).toEqual([]);
  });

  test('a connection that breaks within a transaction is database_unavailable, and the next one works', async () => {
    const { db, killer } = await open();
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const running = db
      .transact(async (executor) => {
        await executor.all(executor.dialect.builder('projects'));
        inside.resolve();
        await goOn.promise;
        await executor.all(executor.dialect.builder('projects'));
      })
      .catch((error: unknown) => error);
    await inside.promise;
    await killer.all(killer.dialect.builder.raw(terminateOthers));
    goOn.resolve();
    const broken = await running;
    expect(broken).toBeInstanceOf(AppError);
    expect((broken as AppError).code).toBe('database_unavailable');
    expect((broken as AppError).retryAfterSeconds).toBeGreaterThan(0);
    expect(await db.all(db.dialect.builder('projects'))).toEqual([]);
  });

  test('where PostgreSQL gives no further connection, requests wait for those that the pool has', async () => {
    const target = await openDatabase.target('migrated');
    const admin = await openDatabase.again(target);
    const url = new URL(target.url as string);
    const role = `few_${url.pathname.slice(1)}`;
    const run = (sql: string) => admin.run(admin.dialect.builder.raw(sql));
    await run(`create role ${role} login password 'secret' connection limit 3`);
    url.username = role;
    url.password = 'secret';
    const idle = await openPostgres({ url: url.href, poolSize: 5 });
    await idle.check();
    const onWarning = vi.fn();
    const db = await openPostgres({ url: url.href, poolSize: 10, onWarning });
    // Each pool and three more connections, whatever is open now.
    const budget = { servers: 2, mayOpen: 5 + 3 + 10 + 3, left: 3 };
    expect(onWarning.mock.calls).toEqual([[budget, expect.stringContaining('max_connections')]]);
    try {
      const sleep = () => db.all(db.dialect.builder.raw('select 1 as slept from pg_sleep(0.05)'));
      const slept = await Promise.all(Array.from({ length: 20 }, sleep));
      expect(slept).toEqual(slept.map(() => [{ slept: 1 }]));
      await Promise.all([...Array.from({ length: 20 }, sleep), db.check()]);
      expect(db.poolUsage().open).toBe(2);
    } finally {
      await idle.close();
      await db.close();
      await run(`drop role ${role}`);
    }
  });

  test('a database that takes no writes, such as one that no longer leads, is not ready', async () => {
    const target = await openDatabase.target('migrated');
    const url = `${target.url}?options=-c%20default_transaction_read_only%3Don`;
    const db = await openDatabase.again({ ...target, url });
    await expect(db.check()).rejects.toThrow('is read-only');
  });

  test('one process runs a query: parallel workers cost more than the lists that they would count', async () => {
    const db = await openDatabase.again(await openDatabase.target('migrated'));
    const shown = await db.all(db.dialect.builder.raw('show max_parallel_workers_per_gather'));
    expect(shown).toEqual([{ max_parallel_workers_per_gather: '0' }]);
  });

  test('work that runs alone does not block vacuum', async () => {
    const { db } = await open();
    const holding = db.dialect
      .builder('pg_stat_activity')
      .select('backend_xmin')
      .whereRaw('datname = current_database()')
      .where('state', 'idle in transaction');
    expect(await db.tryExclusively('some work', () => db.all(holding))).toEqual([{ backend_xmin: null }]);
  });

  test('transactions that deadlock are run again until all succeed', async () => {
    const { db } = await open();
    const qb = db.dialect.builder;
    const insert = qb('rate_limit_windows').insert(
      ['a', 'b'].map((subject) => ({ subject, kind: 'key', counters: Buffer.alloc(1), updated_at: 0 })),
    );
    await db.run(insert);
    let attempts = 0;
    // Each transaction waits until the other holds its first row, so that they must deadlock.
    let holders = 0;
    let letGo = () => {};
    const bothHold = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const touchBoth = (first: string, second: string) =>
      db.transact(async (executor) => {
        attempts += 1;
        const add = (subject: string) =>
          executor.run(qb('rate_limit_windows').where({ subject }).increment('updated_at', 1));
        await add(first);
        holders += 1;
        if (holders === 2) letGo();
        await bothHold;
        await add(second);
      });
    await Promise.all([touchBoth('a', 'b'), touchBoth('b', 'a')]);
    expect(attempts).toBeGreaterThan(2);
    const rows = await db.all<{ updated_at: number }>(qb('rate_limit_windows').select('updated_at'));
    expect(rows).toEqual([{ updated_at: 2 }, { updated_at: 2 }]);
  });

  test('a server that cannot be reached stops the start in one line without the password', async () => {
    const error = await openPostgres({ url: 'postgres://someone:hunter2@127.0.0.1:1/db' }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartupError);
    expect(error).toHaveProperty('exitCode', 6);
    expect(String(error)).toContain('127.0.0.1:1/db');
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('hunter2');
  });

  test('a missing file that a setting names is not reported as an unreachable server', async () => {
    const url = 'postgres://a:b@127.0.0.1:1/db?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem';
    const error = await openPostgres({ url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('/nonexistent/ca.pem') });
  });

  test('a refused login stops the start in one line without the password', async () => {
    const { url = '' } = await openDatabase.target('empty');
    const wrong = new URL(url);
    wrong.password = 'hunter2';
    const error = await openPostgres({ url: wrong.href }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(error).toHaveProperty('exitCode', 2);
    expect(String(error)).toContain('password authentication failed');
    expect(String(error)).not.toContain('hunter2');
  });
});
