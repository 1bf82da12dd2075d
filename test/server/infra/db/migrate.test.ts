// @module-tag both-databases

import { expect, test } from 'vitest';
import { StartupError } from '../../../../packages/server/src/infra/app-error.ts';
import { migrate, migrationStatus } from '../../../../packages/server/src/infra/db/migrate.ts';
import type { Migration } from '../../../../packages/server/src/infra/db/migration.ts';
import { migrations } from '../../../../packages/server/src/infra/db/migrations.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { readTestData } from '../../../support/test-data.ts';

const { tables } = readTestData<{ tables: Record<string, object> }>(import.meta);

const names = migrations.map(({ name }) => name);

const addColour: Migration = {
  name: '9001_colour',
  up: async ({ schema }) => {
    await schema((builder) => builder.createTable('colours', (table) => table.text('name').primary()));
  },
};

const breaksHalfWay: Migration = {
  name: '9002_breaks',
  up: async ({ schema, sql }) => {
    await schema((builder) => builder.createTable('half', (table) => table.text('name').primary()));
    await sql('insert into no_such_table values (1)');
  },
};

describeEachDatabase((openDatabase) => {
  test('each migration is reported once it is done, and none of a later start', async () => {
    const db = await openDatabase.again(await openDatabase.target('empty'));
    const reported: string[] = [];
    const report = (name: string, ms: number) => reported.push(`${name} ${typeof ms}`);
    await migrate(db, undefined, report);
    await migrate(db, undefined, report);
    expect(reported).toEqual(names.map((name) => `${name} number`));
  });

  test('an empty database gets every migration once, and a migrated one gets none', async () => {
    const db = await openDatabase.again(await openDatabase.target('empty'));
    expect(await migrationStatus(db)).toEqual({ applied: [], pending: names, unknown: [] });
    expect(await migrate(db)).toEqual(names);
    expect(await migrate(db)).toEqual([]);
    expect(await migrationStatus(db)).toEqual({ applied: names, pending: [], unknown: [] });
  });

  test('five servers that start together all succeed and apply each migration once', async () => {
    const target = await openDatabase.target('empty');
    const replicas = await Promise.all(Array.from({ length: 5 }, () => openDatabase.again(target)));
    const applied = await Promise.all(replicas.map((replica) => migrate(replica)));
    expect(applied.flat().sort()).toEqual(names);
  });

  test('a later migration is applied on top of the earlier ones', async () => {
    const db = await openDatabase();
    expect(await migrate(db, [...migrations, addColour])).toEqual(['9001_colour']);
    expect(await db.run(db.dialect.builder('colours').insert({ name: 'red' }))).toBe(1);
  });

  test('a schema newer than the program is refused in one line and left as it is', async () => {
    const db = await openDatabase();
    await migrate(db, [...migrations, addColour]);
    const error = await migrate(db, [...migrations, breaksHalfWay]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(String(error)).toContain('9001_colour');
    expect(String(error)).not.toContain('\n');
    expect((await migrationStatus(db)).unknown).toEqual(['9001_colour']);
    await expect(db.all(db.dialect.builder('half'))).rejects.toThrow();
  });

  test('a migration that fails half-way leaves nothing, and the next start repeats it', async () => {
    const db = await openDatabase();
    await expect(migrate(db, [...migrations, addColour, breaksHalfWay])).rejects.toThrow('no_such_table');
    expect((await migrationStatus(db)).unknown).toEqual(['9001_colour']);
    await expect(db.all(db.dialect.builder('half'))).rejects.toThrow();
    expect(await migrate(db, [...migrations, addColour])).toEqual([]);
  });

  test('deleting a project deletes everything that belongs to it', async () => {
    const db = await openDatabase();
    const qb = db.dialect.builder;
    const project = '00000000-0000-7000-8000-000000000001';
    const other = '00000000-0000-7000-8000-000000000002';
    const row = (n: number) => `00000000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;
    await db.run(qb('master_keys').insert({ id: 'k', created_at: 0 }));
    /** The rows with these values in place of the names that begin with $. */
    const rowsWith = ($key: string, $hook: string, $event: string): Record<string, object> => {
      const values: Record<string, unknown> = { $key, $hook, $event, $blob: Buffer.from('x') };
      const filled = (columns: object) =>
        Object.entries(columns).map(([name, value]) => [name, values[value] ?? value]);
      return Object.fromEntries(
        Object.entries(tables).map(([table, columns]) => [table, Object.fromEntries(filled(columns))]),
      );
    };
    const common = { created_at: 1, updated_at: 1 };
    const rows = [rowsWith(row(1), row(2), row(3)), rowsWith(row(11), row(12), row(13))] as const;
    for (const [index, id] of [project, other].entries()) {
      await db.run(qb('projects').insert({ id, name: 'p', ...common }));
      for (const [table, values] of Object.entries(rows[index] ?? {}))
        await db.run(qb(table).insert({ project_id: id, ...values }));
    }
    expect(await db.run(qb('projects').where('id', project).del())).toBe(1);
    for (const table of ['projects', ...Object.keys(rows[0])]) {
      const column = table === 'projects' ? 'id' : 'project_id';
      const remainingRows = await db.all<Record<string, string>>(qb(table).select(column));
      expect({ table, left: remainingRows.map((entry) => entry[column]) }).toEqual({ table, left: [other] });
    }
  });

  test('a project has at most one owner', async () => {
    const db = await openDatabase();
    const qb = db.dialect.builder;
    const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
    await db.run(qb('projects').insert({ id: id(1), name: 'p', created_at: 1, updated_at: 1 }));
    const key = (n: number, role: string) =>
      db.run(
        qb('api_keys').insert({
          id: id(n),
          project_id: id(1),
          key_hash: String(n),
          prefix: 'mk_',
          role,
          created_at: 1,
        }),
      );
    await key(2, 'owner');
    await key(3, 'admin');
    await key(4, 'admin');
    const refused = await key(5, 'owner').catch((error: unknown) => error);
    expect(db.dialect.isUniqueViolation(refused)).toBe(true);
  });
});
