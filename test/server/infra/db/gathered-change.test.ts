import { expect, test } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { defineGatheredChange } from '../../../../packages/server/src/infra/db/gathered-change.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

interface Addition {
  id: string;
  label: string;
  series: string;
}

/** Adds a row unless its label is refused; tells how many of the series were there before. */
const add = defineGatheredChange<Addition, { before: number }>(
  { id: 'text', label: 'text', series: 'text' },
  'series',
  (qb) =>
    qb.raw(
      `added as (
        insert into master_keys (id, label, created_at) select id, series, 7 from given where label <> 'refused'
        returning id
      )
      select call_number, (select count(*) from master_keys where label = given.series)::int as before
      from given where id in (select id from added)`,
    ),
);

async function count(database: Database): Promise<number> {
  const { builder } = database.dialect;
  const row = await database.get<{ rows: number }>(builder('master_keys').count({ rows: '*' }));
  return row?.rows ?? Number.NaN;
}

describeEachDatabase((openDatabase) => {
  test.runIf(openDatabase.databaseName === 'sqlite')('changes are not gathered', async () => {
    expect((await openDatabase()).changeTogether).toBeUndefined();
  });

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'changes of one moment each have their own row, and see those of their series that came before',
    async () => {
      const { changeTogether } = await openDatabase();
      const calls = Array.from({ length: 100 }, (_, index) => ({
        ...{ id: `key ${index}`, series: `series ${index % 7}` },
        label: index % 10 === 9 ? 'refused' : 'fine',
      }));
      const made = await Promise.all(calls.map((call) => changeTogether?.(add, call)));
      const before = new Map<string, number>();
      for (const [index, { series, label }] of calls.entries()) {
        const seen = before.get(series) ?? 0;
        expect(made[index]).toEqual(label === 'refused' ? undefined : { before: seen });
        if (label !== 'refused') before.set(series, seen + 1);
      }
    },
  );

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'a change that the database refuses leaves nothing of those that shared its statement, and they are told',
    async () => {
      const database = await openDatabase();
      const ids = ['same', 'same', 'other'];
      const made = await Promise.all(
        ids.map((id, index) => database.changeTogether?.(add, { id, label: '', series: `series ${index}` })),
      );
      expect(made).toEqual([undefined, undefined, undefined]);
      expect(await count(database)).toBe(0);
    },
  );

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'a broken connection is database_unavailable, and the next change goes over another one',
    async () => {
      const target = await openDatabase.target('migrated');
      const database = await openDatabase.again(target);
      const killer = await openDatabase.again(target);
      const { builder } = killer.dialect;
      const change = (id: string) => database.changeTogether?.(add, { id, label: '', series: id });
      await change('first');
      // Holds what the next change needs.
      const done = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const holding = killer.transact(async (executor) => {
        await executor.run(builder.raw('lock table master_keys in exclusive mode'));
        held.resolve();
        await done.promise;
      });
      await held.promise;
      const cut = expect(change('second')).rejects.toMatchObject({ code: 'database_unavailable' });
      const waiting = builder.raw(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      while ((await killer.all(waiting)).length === 0);
      await cut;
      done.resolve();
      await holding;
      expect(await change('third')).toEqual({ before: 0 });
      expect(await count(database)).toBe(2);
    },
  );

  test.skipIf(openDatabase.databaseName === 'sqlite')(
    'a change within a transaction is refused',
    async () => {
      const database = await openDatabase();
      const change = () =>
        database.changeTogether?.(add, { id: 'a', label: '', series: 'a' }) as Promise<unknown>;
      await expect(database.transact(change)).rejects.toThrow('inside a transaction');
    },
  );
});
