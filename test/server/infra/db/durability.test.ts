// @module-tag both-databases

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../../../packages/server/src/infra/app-error.ts';
import { migrate } from '../../../../packages/server/src/infra/db/migrate.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

const fixture = path.resolve(import.meta.dirname, '../../../fixtures/write-until-killed.ts');

describeEachDatabase((openDatabase) => {
  const title = 'rows acknowledged with durability "%s" survive kill -9 at any moment';
  // test/e2e/kill-server.test.ts kills a server on SQLite that writes with durability "power".
  const sampled = openDatabase.databaseName === 'sqlite' ? 'process' : 'power';
  test.each([sampled])(title, (durability) => surviveKills(durability, 1));
  test.each(['power', 'process'])(`${title}: six times`, { tags: 'release' }, (durability) =>
    surviveKills(durability, 6),
  );

  async function surviveKills(durability: string, cycles: number): Promise<void> {
    const target = await openDatabase.target('empty');
    const db = await openDatabase.again(target);
    await migrate(db);
    await db.close();
    const reportFile = path.join(target.dataDir, 'acknowledged');
    const report = openSync(reportFile, 'a');
    const reported = () => readFileSync(reportFile, 'utf8').split('\n').slice(0, -1);
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const child = spawn(
        process.execPath,
        [
          '--conditions=envsnap-source',
          fixture,
          durability,
          target.dataDir,
          ...(target.url ? [target.url] : []),
        ],
        { stdio: ['ignore', report, 'inherit'] },
      );
      const enough = reported().length + 4;
      while (reported().length < enough && child.exitCode === null) await sleep(5);
      await sleep(50 + Math.random() * 200);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    closeSync(report);
    const acknowledged = reported();
    const after = await openDatabase.again(target);
    const rows = await after.all<{ subject: string }>(
      after.dialect.builder('rate_limit_windows').select('subject'),
    );
    const stored = new Set(rows.map(({ subject }) => subject));
    expect(acknowledged.length).toBeGreaterThanOrEqual(cycles * 4);
    expect(acknowledged.filter((subject) => !stored.has(subject))).toEqual([]);
  }

  if (openDatabase.databaseName === 'sqlite') {
    test('when the disk is full, nobody hears of a commit that did not happen', async () => {
      const db = await openDatabase();
      const qb = db.dialect.builder;
      const insert = (subject: string, bytes: number) =>
        db.transact((executor) =>
          executor.run(
            qb('rate_limit_windows').insert({
              subject,
              kind: 'key',
              counters: Buffer.alloc(bytes, 1),
              updated_at: 0,
            }),
          ),
        );
      await db.all(qb.raw('pragma max_page_count = 100'));
      const attempts = Array.from({ length: 12 }, (_, n) => insert(`s${n}`, n === 5 ? 1_000_000 : 10));
      const results = await Promise.allSettled(attempts);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused) {
        expect(reason).toBeInstanceOf(AppError);
        expect((reason as AppError).code).toBe('database_unavailable');
      }
      const rows = await db.all<{ subject: string }>(qb('rate_limit_windows').select('subject'));
      const committed = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [`s${n}`] : []));
      expect(rows.map(({ subject }) => subject).sort()).toEqual(committed.sort());
      await db.all(qb.raw('pragma max_page_count = 1000000'));
      expect(await insert('after', 1_000_000)).toBe(1);
    });
  }
});
