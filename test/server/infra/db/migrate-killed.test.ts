// @module-tag both-databases

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrate, migrationStatus } from '../../../../packages/server/src/infra/db/migrate.ts';
import type { Migration } from '../../../../packages/server/src/infra/db/migration.ts';
import { migrations } from '../../../../packages/server/src/infra/db/migrations.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

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
