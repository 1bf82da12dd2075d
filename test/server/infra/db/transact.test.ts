// @module-tag both-databases

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database, Executor } from '../../../../packages/server/src/infra/db/database.ts';
import { defineSql, type NoParams } from '../../../../packages/server/src/infra/db/statement.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

const insertWindow = defineSql<{ subject: string; counters: Uint8Array }>(
  "insert into rate_limit_windows (subject, kind, counters, updated_at) values (:subject, 'key', :counters, 0)",
);

const readWindow = defineSql<{ subject: string }, { updated_at: number }>(
  ({ lock }) =>
    `select updated_at from rate_limit_windows where subject = :subject ${lock('rate_limit_windows')}`,
);

const writeWindow = defineSql<{ subject: string; value: number }>(
  'update rate_limit_windows set updated_at = :value where subject = :subject',
);

const countWindows = defineSql<NoParams, { count: number }>(
  'select count(*) as count from rate_limit_windows',
);

const counters = new Uint8Array([1]);

async function count(executor: Executor): Promise<number> {
  return (await executor.get(countWindows))?.count ?? -1;
}

async function increment(executor: Executor, subject: string): Promise<void> {
  const value = (await executor.get(readWindow, { subject }))?.updated_at ?? 0;
  await executor.run(writeWindow, { subject, value: value + 1 });
}

function insertInto(db: Database, subject: string): Promise<number> {
  return db.transact((executor) => executor.run(insertWindow, { subject, counters }));
}

describeEachDatabase((openDatabase) => {
  test('what a transaction wrote can be read once it has resolved', async () => {
    const db = await openDatabase();
    const result = await db.transact(async (executor) => {
      await executor.run(insertWindow, { subject: 'a', counters });
      return 'done';
    });
    expect(result).toBe('done');
    expect(await count(db)).toBe(1);
  });

  test('a transaction that throws leaves nothing and passes its error on', async () => {
    const db = await openDatabase();
    const failure = new Error('no');
    const attempt = db.transact(async (executor) => {
      await executor.run(insertWindow, { subject: 'a', counters });
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await count(db)).toBe(0);
  });

  test('transactions that run together keep or lose their own rows only', async () => {
    const db = await openDatabase();
    const attempts = Array.from({ length: 40 }, (_, n) =>
      db.transact(async (executor) => {
        await executor.run(insertWindow, { subject: `s${n}`, counters });
        if (n % 3 === 0) throw new Error(`refused ${n}`);
        if (n % 3 === 1) await executor.run(insertWindow, { subject: `s${n}`, counters });
        return n;
      }),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(13);
    expect(await count(db)).toBe(13);
  });

  test('no update is lost when 100 transactions read and write the same row', async () => {
    const db = await openDatabase();
    await insertInto(db, 'a');
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        db.transact((executor) => increment(executor, 'a'), { durability: n % 2 ? 'process' : 'power' }),
      ),
    );
    expect((await db.get(readWindow, { subject: 'a' }))?.updated_at).toBe(100);
  });

  test('the rows of a transaction in progress are invisible to others', async () => {
    const db = await openDatabase();
    await insertInto(db, 'a');
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const running = db.transact(async (executor) => {
      await executor.run(insertWindow, { subject: 'b', counters });
      expect(await count(executor)).toBe(2);
      inside.resolve();
      await goOn.promise;
    });
    await inside.promise;
    expect(await count(db)).toBe(1);
    goOn.resolve();
    await running;
    expect(await count(db)).toBe(2);
  });

  test('a transaction within a transaction throws and undoes both', async () => {
    const db = await openDatabase();
    const nested = db.transact(async (executor) => {
      await executor.run(insertWindow, { subject: 'a', counters });
      await db.transact((inner) => inner.run(insertWindow, { subject: 'b', counters }));
    });
    await expect(nested).rejects.toThrow('transact() inside a transaction');
    expect(await count(db)).toBe(0);
  });

  test('a query past the executor of the transaction throws', async () => {
    const db = await openDatabase();
    await expect(db.transact(() => db.get(countWindows))).rejects.toThrow('inside a transaction');
  });

  test('work that outlives its transaction may use the database afterwards', async () => {
    const db = await openDatabase();
    let later: Promise<number> | undefined;
    await db.transact(async () => {
      later = sleep(20).then(() => insertInto(db, 'later'));
    });
    expect(await later).toBe(1);
  });

  test('an executor is unusable once its transaction has ended', async () => {
    const db = await openDatabase();
    let leaked: Executor | undefined;
    await db.transact(async (executor) => {
      leaked = executor;
    });
    await expect(leaked?.get(countWindows)).rejects.toThrow('the transaction has ended');
  });

  test("the work runs in its caller's asynchronous context", async () => {
    const db = await openDatabase();
    const requestIds = new AsyncLocalStorage<string>();
    const seen = await Promise.all(
      ['one', 'two', 'three'].map((id) =>
        requestIds.run(id, () => db.transact(async () => requestIds.getStore())),
      ),
    );
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  test('a failed statement that the work swallowed never commits half of it', async () => {
    const db = await openDatabase();
    await insertInto(db, 'taken');
    const attempt = db.transact(async (executor) => {
      await executor.run(insertWindow, { subject: 'new', counters });
      await executor.run(insertWindow, { subject: 'taken', counters }).catch(() => undefined);
    });
    const committed = await attempt.then(
      () => true,
      () => false,
    );
    // SQLite undoes the failed statement alone, PostgreSQL the transaction: both report what really happened.
    expect(await count(db)).toBe(committed ? 2 : 1);
  });

  test('more transactions than fit into one group are all run', async () => {
    const db = await openDatabase();
    await Promise.all(Array.from({ length: 200 }, (_, n) => insertInto(db, `s${n}`)));
    expect(await count(db)).toBe(200);
  });

  test('closing waits for the transactions that were requested before', async () => {
    const db = await openDatabase();
    const writing = [insertInto(db, 'a'), insertInto(db, 'b')];
    await db.close();
    await db.close();
    expect(await Promise.all(writing)).toEqual([1, 1]);
  });

  test('discarding deleted bytes works while transactions run', async () => {
    const db = await openDatabase();
    const writing = Array.from({ length: 20 }, (_, n) => insertInto(db, `s${n}`));
    await Promise.all([...writing, db.discardDeleted()]);
    expect(await count(db)).toBe(20);
  });
});
