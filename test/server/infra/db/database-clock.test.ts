// A replica whose own clock is wrong: it goes by the database's, says so, and deletes and switches off nothing.
//
// @module-tag both-databases

import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { createDatabaseClock } from '../../../../packages/server/src/infra/db/database-clock.ts';
import { createLogger } from '../../../../packages/server/src/infra/logger.ts';
import { createRetentionWorker, prune } from '../../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { startServiceOn } from '../../../support/service.ts';
import { words } from '../../../support/words.ts';
import { startReceiver } from '../../webhooks/receiver.ts';

const dayMs = 86_400_000;
const kept = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };

/** The clock of a machine that is so many days ahead. */
function daysAhead(database: Database, days: number) {
  return createDatabaseClock(database, { nowMs: () => Date.now() + days * dayMs });
}

describeEachDatabase((openDatabase) => {
  describe("the database's clock", () => {
    it('holds on a replica 400 days ahead, which switches off no webhook and deletes no row', async () => {
      const database = await openDatabase();
      const clock = daysAhead(database, 400);
      const service = await startServiceOn(
        database,
        { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8', ENVSNAP_WEBHOOK_RETRY_SECONDS: '1,3600' },
        undefined,
        clock,
      );
      await expect.poll(clock.isOwnClockWrong).toBe(true);
      const { apiKey: key, projectId } = await service.bootstrap();
      const receiver = await startReceiver(() => 500);
      const webhook = { url: receiver.origin, events: ['snapshot.created'] };
      const { id } = (await service.send(key, 'POST', '/machine/webhooks', webhook)).body;
      const { builder } = database.dialect;
      // It has failed for a day. After five, the second attempt of an event would switch it off.
      await database.run(builder('webhooks').update({ failing_since: Date.now() - dayMs }));
      const made = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      expect(Math.abs(Date.parse(made.body.createdAt) - Date.now())).toBeLessThan(dayMs);
      const shown = async () => (await service.send(key, 'GET', `/machine/webhooks/${id}`)).body;
      await expect.poll(async () => (await shown()).recentDeliveries.length).toBe(2);
      expect(await shown()).toMatchObject({ active: true });

      const counts = async () => {
        const tables = words`request_logs webhook_attempts outbox_events audit_log rate_limit_windows`;
        return Promise.all(
          tables.map(
            async (table) => (await database.all(builder(table).where('project_id', projectId))).length,
          ),
        );
      };
      await expect.poll(async () => (await counts()).every((count) => count > 0)).toBe(true);
      const before = await counts();
      const log: string[] = [];
      const worker = createRetentionWorker(
        database,
        clock,
        kept,
        createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } }),
        { countRetention: () => undefined },
      );
      await worker.wake();
      // Even where it is asked outright, it goes by the time that it is.
      await prune(database, clock, kept);
      const after = await counts();
      expect(after.map((count, table) => count >= (before[table] as number))).toEqual(before.map(() => true));
      expect(log).toEqual([]);

      const ready = await service.request('GET', '/ready');
      expect(ready.status).toBe(200);
      expect(ready.body.clockSkewSeconds / 86_400).toBeCloseTo(400, 1);
      const [, skew] =
        /^envsnap_clock_skew_seconds (\S+)$/m.exec((await service.request('GET', '/metrics')).body) ?? [];
      expect(Number(skew) / 86_400).toBeCloseTo(400, 1);
      expect(service.log()).toContain("clock differs from the database's");
    });

    it('deletes nothing that is old while the own clock is wrong, and does once it is right', async () => {
      const database = await openDatabase();
      const { builder } = database.dialect;
      const entry = { actor_type: 'server', actor: 'server', target_type: 'server', details: '{}' };
      const old = { ...entry, id: '01936500-0000-7000-8000-000000000001', action: 'a', created_at: 1 };
      await database.run(builder('audit_log').insert(old));
      let ahead = -2;
      const clock = createDatabaseClock(database, { nowMs: () => Date.now() + ahead * dayMs });
      const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
      const run = async () => {
        const worker = createRetentionWorker(database, clock, kept, logger, {
          countRetention: () => undefined,
        });
        await worker.wake();
        return (await database.all(builder('audit_log').select('id'))).length;
      };
      expect(await run()).toBe(1);
      ahead = 0;
      expect(await run()).toBe(0);
    });

    it('is read again when the own clock jumps against its timer', async () => {
      const database = await openDatabase();
      let own = Date.now();
      const clock = createDatabaseClock(database, { nowMs: () => own });
      await clock.synchronize();
      expect(clock.isOwnClockWrong()).toBe(false);
      own += 2 * dayMs;
      expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(dayMs);
      await expect.poll(clock.isOwnClockWrong).toBe(true);
    });
  });
});
