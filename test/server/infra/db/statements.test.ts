// PostgreSQL accepts every statement that the server declares and that is no insertion: tables, columns and types are there, and the SQL is its own.
//
// @module-tag both-databases

import { expect, test } from 'vitest';
import { describeEachDatabase } from '../../../support/databases.ts';
import { exportedSql } from './exported-sql.ts';

describeEachDatabase((openDatabase) => {
  // For SQLite, plans.test.ts looks at each.
  test.skipIf(openDatabase.databaseName === 'sqlite')('every statement can be prepared', async () => {
    const database = await openDatabase();
    const { builder } = database.dialect;
    const refused: string[] = [];
    for (const [place, sql] of (await exportedSql(database.dialect)).entries()) {
      const prepare = builder.raw(`prepare declared_${place} as ${sql}`);
      await database.run(prepare).catch((error) => refused.push(`${error}: ${sql}`));
    }
    expect(refused).toEqual([]);
  });
});
