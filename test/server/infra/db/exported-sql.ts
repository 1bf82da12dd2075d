// Finds the statements that modules of the server export, for tests of all of them.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Dialect } from '../../../../packages/server/src/infra/db/dialect.ts';
import { isStatement } from '../../../../packages/server/src/infra/db/statement.ts';

const source = path.resolve(import.meta.dirname, '../../../../packages/server/src');

/** Their SQL, but for insertions: the columns of those are the parameters of the first call. */
export async function exportedSql(dialect: Dialect): Promise<string[]> {
  const sqls: string[] = [];
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => !/^(operator|infra.db.migrat)/.test(file) && file.endsWith('.ts'))
    .filter((file) => readFileSync(path.join(source, file), 'utf8').includes(' = defineStatement'));
  expect(files.length).toBeGreaterThan(20);
  const anyParameter = new Proxy({}, { get: () => dialect.builder.raw('?', ['x']) });
  for (const file of files) {
    for (const value of Object.values(await import(path.join(source, file)))) {
      if (!isStatement(value)) continue;
      const query = value.build(dialect.builder, anyParameter as never, dialect);
      if ('_method' in query && query._method === 'insert') continue;
      sqls.push(query.toSQL().toNative().sql);
    }
  }
  return sqls;
}
