// @module-tag both-databases

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import type { Executor } from '../../../../packages/server/src/infra/db/database.ts';
import { migrate, migrationStatus } from '../../../../packages/server/src/infra/db/migrate.ts';
import type { Migration } from '../../../../packages/server/src/infra/db/migration.ts';
import { migrations } from '../../../../packages/server/src/infra/db/migrations.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

async function names(executor: Executor): Promise<string[]> {
  const { builder } = executor.dialect;
  const rows = await executor.all<{ name: string }>(builder('projects').select('name').orderBy('name'));
  return rows.map(({ name }) => name);
}

describeEachDatabase((openDatabase) => {
  it('a frozen view does not change while others write', async () => {
    const database = await openDatabase();
    const insert = (name: string, id: number) =>
      database.run(
        database.dialect
          .builder('projects')
          .insert({ id: `00000000-0000-7000-8000-00000000000${id}`, name, created_at: 0, updated_at: 0 }),
      );
    await insert('before', 1);
    const seen = await database.frozen(async (executor) => {
      const first = await names(executor);
      await insert('meanwhile', 2);
      return [first, await names(executor)];
    });
    expect(seen).toEqual([['before'], ['before']]);
    expect(await names(database)).toEqual(['before', 'meanwhile']);
    await expect(
      database.frozen((executor) => executor.run(executor.dialect.builder('projects').delete())),
    ).rejects.toThrow();
  });

  it('work of one name runs on one server at a time', async () => {
    const where = await openDatabase.target('migrated');
    const [one, two] = [await openDatabase.again(where), await openDatabase.again(where)];
    const outcome = await one.tryExclusively('some work', async () => {
      const other = await two.tryExclusively('other work', async () => 'runs');
      const same = await two.tryExclusively('some work', async () => 'runs twice');
      return [other, same];
    });
    // Servers on one embedded database cannot be distinguished.
    expect(outcome).toEqual(['runs', openDatabase.databaseName === 'sqlite' ? 'runs twice' : undefined]);
    expect(await two.tryExclusively('some work', async () => 'later')).toBe('later');
  });
});

const fixture = path.resolve(import.meta.dirname, '../../../fixtures/hang-in-migration.ts');

const sameTable: Migration = {
  name: '9001_hangs',
  up: async ({ schema }) => {
    await schema((builder) => builder.createTable('half_done', (table) => table.text('name').primary()));
  },
};

describeEachDatabase((openDatabase) => {
  test('a server killed in the middle of a migration needs no manual unlock', async () => {
    const target = await openDatabase.target('empty');
    const child = spawn(
      process.execPath,
      ['--conditions=envsnap-source', fixture, target.dataDir, ...(target.url ? [target.url] : [])],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const db = await openDatabase.again(target);
    expect(await migrationStatus(db)).toEqual({
      applied: migrations.map(({ name }) => name),
      pending: [],
      unknown: [],
    });
    expect(await migrate(db, [...migrations, sameTable])).toEqual(['9001_hangs']);
  });
});
