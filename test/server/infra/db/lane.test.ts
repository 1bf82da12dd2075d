import { expect, test } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { defineLookup, defineStatement } from '../../../../packages/server/src/infra/db/statement.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

const findKey = defineLookup<{ id: string; state: string }, { id: string; label: string }>(
  { id: 'text', state: 'text' },
  (qb, p) =>
    qb('master_keys').select('id', 'label').where({ id: p.id, label: p.state }).where('created_at', 7),
);

const countBackends = defineStatement<Record<never, never>, { calls: number }>((qb) =>
  qb('master_keys').count({ calls: '*' }),
);

async function fill(database: Database, ids: readonly string[]): Promise<void> {
  const { builder } = database.dialect;
  await database.run(
    builder('master_keys').insert(ids.map((id) => ({ id, label: `of ${id}`, created_at: 7 }))),
  );
}

describeEachDatabase((openDatabase) => {
  const ids = Array.from({ length: 150 }, (_, index) => `key ${index}`);

  test('look-ups of one moment are each answered with their own row, or with none', async () => {
    const database = await openDatabase();
    await fill(database, ids);
    const asked = ids.flatMap((id) => [id, `no ${id}`]);
    const found = await Promise.all(asked.map((id) => database.get(findKey, { id, state: `of ${id}` })));
    expect(found).toEqual(asked.map((id) => (id.startsWith('no') ? undefined : { id, label: `of ${id}` })));
  });

  test('a look-up that the database refuses does not fail those that came with it', async () => {
    const database = await openDatabase();
    await fill(database, ids.slice(0, 2));
    const refused = openDatabase.databaseName === 'postgresql' ? 'not\0text' : 'unknown';
    const settled = await Promise.allSettled(
      ['key 0', refused, 'key 1'].map((id) => database.get(findKey, { id, state: `of ${id}` })),
    );
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      openDatabase.databaseName === 'postgresql' ? 'rejected' : 'fulfilled',
      'fulfilled',
    ]);
    expect(settled[2]).toMatchObject({ value: { id: 'key 1' } });
  });

  test('look-ups are answered while every connection of the pool is taken', async () => {
    const target = await openDatabase.target('migrated');
    const database =
      openDatabase.databaseName === 'sqlite' ? await openDatabase() : await openDatabase.again(target);
    await fill(database, ids.slice(0, 1));
    const done = Promise.withResolvers<void>();
    const holders = Array.from({ length: openDatabase.databaseName === 'sqlite' ? 1 : 10 }, () =>
      database.transact(async (executor) => {
        await executor.get(countBackends, {});
        await done.promise;
      }),
    );
    expect(await database.get(findKey, { id: 'key 0', state: 'of key 0' })).toMatchObject({ id: 'key 0' });
    done.resolve();
    await Promise.all(holders);
  });

  test('a look-up within a transaction of another executor is refused', async () => {
    const database = await openDatabase();
    await expect(database.transact(() => database.get(findKey, { id: 'a', state: 'b' }))).rejects.toThrow(
      'inside a transaction',
    );
  });

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'what is sent ahead is seen by the look-ups behind it',
    async () => {
      const database = await openDatabase();
      await fill(database, ids.slice(0, 2));
      const rename = defineStatement<{ id: string }, { id: string }>((qb, p) =>
        qb('master_keys').where('id', p.id).update({ label: 'new' }).returning('id'),
      );
      const found = database.get(findKey, { id: 'key 0', state: 'new' });
      const renamed = Promise.withResolvers<unknown>();
      database.lane?.beforeSending(() => {
        renamed.resolve(database.lane?.all(rename, { id: 'key 0' }));
      });
      expect(await found).toEqual({ id: 'key 0', label: 'new' });
      expect(await renamed.promise).toEqual([{ id: 'key 0' }]);
    },
  );

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'a broken lane is database_unavailable once, and replaced',
    async () => {
      const target = await openDatabase.target('migrated');
      const database = await openDatabase.again(target);
      const killer = await openDatabase.again(target);
      await fill(database, ids.slice(0, 1));
      const ask = () => database.get(findKey, { id: 'key 0', state: 'of key 0' });
      await ask();
      await killer.all(
        killer.dialect.builder.raw(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        ),
      );
      await ask().catch((error: unknown) => expect(error).toMatchObject({ code: 'database_unavailable' }));
      expect(await ask()).toMatchObject({ id: 'key 0' });
    },
  );
});
