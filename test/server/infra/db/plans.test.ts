// How SQLite finds rows: by a suitable index, whatever the database contained when the server last started or stopped.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { operations } from '@envsnap/shared';
import { expect, it, vi } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { sqliteDialect } from '../../../../packages/server/src/infra/db/dialect.ts';
import { SqliteSession } from '../../../../packages/server/src/infra/db/sqlite-session.ts';
import { isStatement } from '../../../../packages/server/src/infra/db/statement.ts';
import { prune } from '../../../../packages/server/src/retention/retention.ts';
import { describeOnSqlite } from '../../../support/databases.ts';
import { startServiceOn, type TestService } from '../../../support/service.ts';
import { readTestData } from '../../../support/test-data.ts';
import { words } from '../../../support/words.ts';
import { createWorld, pathOf, validBodyOf } from '../../api/world.ts';

const { allowed } = readTestData<{ allowed: Record<string, string> }>(import.meta);

/** Lists by their filters. */
const lists = words`
  /machine/snapshots?limit=2&offset=1 /machine/snapshots?os=linux&from=2026-01-01&to=2036-01-01
  /machine/snapshots?outcome=passed&limit=2
  /machine/snapshots?outcome=passed&outcomeOf=x&arch=x64
  /machine/snapshots?machineName=m1&outcome=passed /machine/machines?keys=os
  /machine/history?key=os&snapshots=20 /machine/history?key=os&machineName=m1 /machine/health
  /machine/audit?action=key.created&from=2026-01-01 /machine/audit?actor=ACTOR
  /machine/audit?action=key.created&actor=ACTOR&offset=1 /machine/files?limit=1&offset=1
  /machine/usage/requests?period=hour&from=2026-01-01`;

/** More rows than SQLite, without statistics, would look up by id instead of reading a project's index. */
const snapshotCount = 12;

/** A step that finds rows only by their project. */
const byOwner = /^SEARCH (?!project_quotas).*\((project|webhook)_id=\?\)$/;
const ofRuns = /^(?!.*(?:machine_name|where id) = ).*outcome is not null/;

const masterKey = 'ab'.repeat(32);
const source = path.resolve(import.meta.dirname, '../../../../packages/server/src');

/** The SQL of the statements that modules of the server export. */
async function exportedSql(): Promise<string[]> {
  const sqls: string[] = [];
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => !/^(operator|infra.db.migrat)/.test(file) && file.endsWith('.ts'))
    .filter((file) => readFileSync(path.join(source, file), 'utf8').includes('defineS'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files)
    for (const value of Object.values(await import(path.join(source, file)))) {
      if (!isStatement(value)) continue;
      const sql = value.sqlFor(sqliteDialect, []).replace(/\s+/g, ' ').trim();
      sqls.push(sql.replace(/(?<!:):\w+/g, '?'));
    }
  return sqls;
}

async function callAll(service: TestService): Promise<void> {
  const world = await createWorld(service);
  const { owner } = world.keys;
  const made = Array.from({ length: snapshotCount }, (_, run) => {
    const metadata = { outcome: run % 2 ? 'passed' : 'failed' };
    return service.send(owner, 'POST', '/machine/snapshots', { machineName: `m${run}`, metadata });
  });
  for (const { status } of await Promise.all(made)) expect(status).toBe(201);
  for (const list of lists) {
    const { status, body } = await service.send(owner, 'GET', list.replace('ACTOR', world.keyIds.owner));
    expect(status, `${list}: ${JSON.stringify(body)}`).toBe(200);
  }
  await service.send(owner, 'POST', '/machine/diagnosis', {});
  const names = Object.keys(operations) as (keyof typeof operations)[];
  // Deletions come last, and the project at the very end.
  const rank = (name: keyof typeof operations) =>
    name === 'deleteProject' ? 2 : Number(operations[name].method === 'DELETE');
  for (const name of names.sort((a, b) => rank(a) - rank(b))) {
    const operation = operations[name];
    const options = { key: owner, ...validBodyOf(name, world) };
    const { status } = await service.request(operation.method, pathOf(operation, world), options);
    expect(status, name).toBeLessThan(500);
  }
}

async function planOf(database: Database, sql: string): Promise<string[]> {
  const { builder } = database.dialect;
  const values = Array.from(sql.matchAll(/\?/g), () => 'x');
  const rows = await database.all<{ detail: string }>(builder.raw(`explain query plan ${sql}`, values));
  return rows.map(({ detail }) => detail);
}

/** Whether a step reads a whole table or index; results of a part of the statement do not count. */
const isWholeRead = (step: string, steps: readonly string[]) =>
  /^SCAN (?!CONSTANT|json_each)/.test(step) && !steps.includes(step.replace('SCAN', 'CO-ROUTINE'));

const isAllowed = (step: string) =>
  step in allowed || step.replace(/ USING COVERING INDEX sqlite.*/, '') in allowed;

describeOnSqlite((openDatabase) => {
  it('never reads a whole table that grows, also where an earlier release counted one row in it', async () => {
    const target = await openDatabase.target('migrated');
    const first = await openDatabase.again(target);
    const before = await startServiceOn(first, {}, masterKey);
    const { apiKey } = await before.bootstrap();
    await before.send(apiKey, 'POST', '/machine/snapshots', { machineName: 'm' });
    await before.stop();
    const statistics = first.dialect.builder.raw(
      "select name from sqlite_master where name like 'sqlite_stat%'",
    );
    await first.run(first.dialect.builder.raw('analyze'));
    expect(await first.all(statistics)).not.toEqual([]);
    await first.close();

    const prepare = vi.spyOn(SqliteSession.prototype, 'prepare');
    const database = await openDatabase.again(target);
    const service = await startServiceOn(database, {}, masterKey);
    await callAll(service);
    await prune(database, { nowMs: Date.now }, service.config.retention, false);
    await service.stop();
    const sqls = prepare.mock.results.map(({ value }) => value.prepared.compiled.sql as string);
    prepare.mockRestore();
    const problems: string[] = [];
    for (const sql of new Set([...sqls, ...(await exportedSql())])) {
      if (!/^(select|with|update|delete)/i.test(sql)) continue;
      const steps = await planOf(database, sql);
      const found = steps.filter((step) => isWholeRead(step, steps) && !isAllowed(step));
      const isBounded = steps.includes('CO-ROUTINE newest') && / limit \?\) as newest/.test(sql);
      if (/ in \((\?|select value)/.test(sql) && !isBounded && steps.some((step) => byOwner.test(step)))
        found.push('reads all that the owner has for a few');
      if (ofRuns.test(sql) && !steps.some((step) => step.includes('snapshots_of_runs')))
        found.push('does without the index of runs');
      if (found.length > 0) problems.push(`${found.join(', ')}: ${sql}\n${steps.join('\n')}`);
    }
    expect(problems).toEqual([]);
    expect(await database.all(statistics)).toEqual([]);
  });
});
