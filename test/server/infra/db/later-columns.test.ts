// A newer release has added columns to every table while this one still runs, as in a rolling upgrade. PostgreSQL refuses a
// prepared statement whose result has changed its shape: one that selects all columns.
//
// @module-tag both-databases

import { type Operation, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { startServiceOn, type TestService } from '../../../support/service.ts';
import { createWorld, pathOf, validBodyOf } from '../../api/world.ts';

const names = (Object.keys(operations) as (keyof typeof operations)[])
  // Deletions come last, and the project is never deleted.
  .sort((a, b) => Number(operations[a].method === 'DELETE') - Number(operations[b].method === 'DELETE'))
  .filter((name) => name !== 'deleteProject');

async function callAll(service: TestService): Promise<string[]> {
  const world = await createWorld(service);
  const answers: string[] = [];
  for (const name of names) {
    const operation: Operation = operations[name];
    const options = { key: world.keys.owner, ...validBodyOf(name, world) };
    const { status } = await service.request(operation.method, pathOf(operation, world), options);
    answers.push(`${name} ${status}`);
  }
  return answers;
}

async function addColumns({ run, all, dialect }: Database): Promise<void> {
  const { builder } = dialect;
  const tables: { name: string }[] = await all(
    dialect.name === 'sqlite'
      ? builder('sqlite_master').select('name').where('type', 'table').whereNot('name', 'like', 'sqlite_%')
      : builder('pg_class')
          .select({ name: 'relname' })
          .whereIn('relkind', ['r', 'p'])
          .where('relispartition', false)
          .whereRaw("relnamespace = 'public'::regnamespace"),
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables)
    await run(builder.raw('alter table ?? add column added_later integer', [name]));
}

/** The server's log of failed requests. */
function errorsIn(log: string): string {
  return log
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .join('\n')
    .slice(0, 4000);
}

describeEachDatabase((openDatabase) => {
  describe('columns of a later release', () => {
    // Only one server uses the embedded database, so only its own later release changes it.
    const tags = openDatabase.databaseName === 'sqlite' ? ['release'] : [];
    it('change nothing for a server that knows none of them', { tags }, async () => {
      const target = await openDatabase.target('migrated');
      // One connection: on another one, statements would be prepared after the change.
      const service = await startServiceOn(await openDatabase.again({ ...target, poolSize: 1 }));
      const before = await callAll(service);
      expect(before.filter((answer) => / 5\d\d$/.test(answer))).toEqual([]);
      await addColumns(service.database);
      const after = await callAll(service);
      expect(after, errorsIn(service.log())).toEqual(before);
    });
  });
});
