// @module-tag both-databases

import { expect, test } from 'vitest';
import {
  defineInsert,
  defineSql,
  type NoParams,
} from '../../../../packages/server/src/infra/db/statement.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
}

const insertProject = defineInsert<ProjectRow & { updated_at: number }>('projects');

const findProject = defineSql<{ id: string }, ProjectRow>(
  'select id, name, description, created_at from projects where id = :id',
);

const pageOfNames = defineSql<{ limit: number; offset: number }, { name: string; total: number }>(
  'select name, count(*) over () as total from projects order by name limit :limit offset :offset',
);

const namesOf = defineSql<{ ids: string[] }, { name: string }>(
  ({ anyOf }) => `select name from projects where ${anyOf('id', 'ids')} order by name`,
);

const renameReturning = defineSql<{ id: string; name: string }, { id: string; name: string }>(
  'update projects set name = :name where id = :id returning id, name',
);

const sumOfTimes = defineSql<NoParams, { sum: number; count: number }>(
  'select sum(created_at) as sum, count(*) as count from projects',
);

function id(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

const now = 1_800_000_000_123;
const times = { created_at: now, updated_at: now };

describeEachDatabase((openDatabase) => {
  test('a statement binds its parameters by name and returns plain rows', async () => {
    const db = await openDatabase();
    expect(await db.run(insertProject, { id: id(1), name: 'one', description: null, ...times })).toBe(1);
    expect(await db.get(findProject, { id: id(1) })).toEqual({
      id: id(1),
      name: 'one',
      description: null,
      created_at: now,
    });
    expect(await db.get(findProject, { id: id(2) })).toBeUndefined();
    expect(await db.all(findProject, { id: id(2) })).toEqual([]);
  });

  test('limit and offset are parameters too, and sums and counts are numbers', async () => {
    const db = await openDatabase();
    for (let n = 1; n <= 5; n += 1)
      await db.run(insertProject, { id: id(n), name: `p${n}`, description: null, ...times });
    expect(await db.all(pageOfNames, { limit: 2, offset: 0 })).toEqual([
      { name: 'p1', total: 5 },
      { name: 'p2', total: 5 },
    ]);
    expect(await db.all(pageOfNames, { limit: 2, offset: 4 })).toEqual([{ name: 'p5', total: 5 }]);
    expect(await db.get(sumOfTimes)).toEqual({ sum: now * 5, count: 5 });
  });

  test('a list of any length is one parameter', async () => {
    const db = await openDatabase();
    for (let n = 1; n <= 3; n += 1)
      await db.run(insertProject, { id: id(n), name: `p${n}`, description: null, ...times });
    expect(await db.all(namesOf, { ids: [id(1), id(3), id(9)] })).toEqual([{ name: 'p1' }, { name: 'p3' }]);
    expect(await db.all(namesOf, { ids: [] })).toEqual([]);
  });

  test('a query whose shape varies is built with Knex and run the same way', async () => {
    const db = await openDatabase();
    for (let n = 1; n <= 3; n += 1)
      await db.run(insertProject, { id: id(n), name: `p${n}`, description: n === 2 ? 'x' : null, ...times });
    const query = db.dialect
      .builder('projects')
      .select('name')
      .whereNull('description')
      .orderBy('name', 'desc');
    expect(await db.all<{ name: string }>(query)).toEqual([{ name: 'p3' }, { name: 'p1' }]);
    expect(
      await db.run(
        db.dialect
          .builder('projects')
          .whereIn('id', [id(1), id(2)])
          .del(),
      ),
    ).toBe(2);
  });

  test('a writing query outside a transaction may return rows', async () => {
    const db = await openDatabase();
    await db.run(insertProject, { id: id(1), name: 'old', description: null, ...times });
    expect(await db.get(renameReturning, { id: id(1), name: 'new' })).toEqual({ id: id(1), name: 'new' });
    expect((await db.get(findProject, { id: id(1) }))?.name).toBe('new');
  });

  test('a missing parameter throws instead of becoming null', async () => {
    const db = await openDatabase();
    await db.get(findProject, { id: id(1) });
    await expect(db.get(findProject, {} as { id: string })).rejects.toThrow('lacks its parameter "id"');
  });

  test('a statement that takes all columns of a table is refused: a later release may add one', async () => {
    const db = await openDatabase();
    for (const sql of [
      'select * from projects',
      'select projects.*, 1 as more from projects',
      "update projects set name = 'new' returning *",
    ])
      await expect(db.all(defineSql<NoParams>(sql))).rejects.toThrow('must name its columns');
    expect(await db.all(defineSql<NoParams>('select * from (select id from projects) as known'))).toEqual([]);
  });

  test('booleans, bytes and the database clock arrive as JavaScript values', async () => {
    const db = await openDatabase();
    const qb = db.dialect.builder;
    await db.run(insertProject, { id: id(1), name: 'p', description: null, ...times });
    const secret = Buffer.from([0, 1, 2, 255]);
    const insertHook = qb('webhooks').insert({
      id: id(2),
      project_id: id(1),
      url: 'https://example.com',
      events: '[]',
      secret_ciphertext: secret,
      active: true,
      created_at: now,
      updated_at: now,
    });
    expect(await db.all(insertHook.returning(['active']))).toEqual([{ active: true }]);
    const hook = await db.get<{ active: boolean; secret_ciphertext: Buffer }>(
      qb('webhooks').select('active', 'secret_ciphertext').where('active', true),
    );
    expect(hook?.active).toBe(true);
    expect(hook?.secret_ciphertext.equals(secret)).toBe(true);
    const before = Date.now();
    const clock = await db.get<{ now: number }>(qb.raw(`select ${db.dialect.nowMs()} as now`));
    // Both databases run on this machine; a millisecond covers rounding.
    expect(clock?.now).toBeGreaterThanOrEqual(before - 1);
    expect(clock?.now).toBeLessThanOrEqual(Date.now() + 1);
    expect(Number.isInteger(clock?.now)).toBe(true);
  });

  test('constraint violations can be distinguished', async () => {
    const db = await openDatabase();
    const row = { id: id(1), name: 'p', description: null, ...times };
    await db.run(insertProject, row);
    const duplicate = await db.run(insertProject, row).catch((error: unknown) => error);
    expect(db.dialect.isUniqueViolation(duplicate)).toBe(true);
    expect(db.dialect.isForeignKeyViolation(duplicate)).toBe(false);
    const orphan = db.dialect
      .builder('memberships')
      .insert({ id: id(1), project_id: id(1), api_key_id: id(7), joined_at: now });
    const refused = await db.run(orphan).catch((error: unknown) => error);
    expect(db.dialect.isForeignKeyViolation(refused)).toBe(true);
    expect(db.dialect.isUniqueViolation(refused)).toBe(false);
  });

  test('names that look like SQL or like prototype members are data', async () => {
    const db = await openDatabase();
    for (const [n, name] of ["'; drop table projects; --", '__proto__', '$1 ? ??', 'ü🙂'].entries()) {
      await db.run(insertProject, { id: id(n), name, description: null, ...times });
      expect((await db.get(findProject, { id: id(n) }))?.name).toBe(name);
    }
  });
});
