// A machine whose clock is days off: everything uses the database's clock, and nothing is deleted, ended or switched off early.
// `test/architecture/imports.test.ts` finds code that uses another clock.
//
// @module-tag both-databases

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { createDatabaseClock } from '../../../../packages/server/src/infra/db/database-clock.ts';
import { createLogger } from '../../../../packages/server/src/infra/logger.ts';
import { recordOperation } from '../../../../packages/server/src/operator/operator-audit.ts';
import { createRetentionWorker, prune } from '../../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { startServiceOn } from '../../../support/service.ts';
import { createWorld } from '../../api/world.ts';
import { startReceiver } from '../../webhooks/receiver.ts';

const dayMs = 86_400_000;
const kept = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };
const masterKey = '01'.repeat(32);
const env = {
  ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
  ENVSNAP_WEBHOOK_RETRY_SECONDS: '1,3600',
  ENVSNAP_MAX_SNAPSHOTS: '100',
};

/** Rows by table. */
async function countRows(database: Database): Promise<Record<string, number>> {
  const { builder, name: dialect } = database.dialect;
  const tables = await database.all<{ name: string }>(
    builder.raw(
      dialect === 'sqlite'
        ? "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name"
        : "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1",
    ),
  );
  const counts = tables.map(async ({ name }) => {
    const row = await database.get<{ rows: number }>(builder(name).count({ rows: '*' }));
    return [name, Number(row?.rows)];
  });
  return Object.fromEntries(await Promise.all(counts));
}

function setOwnClock(days: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
}

const quiet = createLogger({ level: 'silent', destination: { write: () => undefined } });
const silent = { countRetention: () => undefined };

afterEach(() => vi.useRealTimers());

describeEachDatabase((openDatabase) => {
  describe("the database's clock", () => {
    for (const [days, tags] of [
      [400, 'both-databases'],
      [-400, 'release'],
    ] as const)
      it(`decides on a machine whose clock is ${days} days off, for everything that has a time or an end`, {
        tags,
      }, async () => {
        const database = await openDatabase();
        const { builder } = database.dialect;
        const before = await startServiceOn(database, env, masterKey);
        const world = await createWorld(before);
        const { owner } = world.keys;
        const receiver = await startReceiver(() => 500);
        const until = (inDays: number) => new Date(Date.now() + inDays * dayMs).toISOString();
        const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
          (await before.request('POST', path, { key: owner, body, headers })).body;
        const signIn = (url: string) => fetch(url, { redirect: 'manual' });
        const hook = { url: receiver.origin, events: ['snapshot.created', 'key.expiring'] };
        const { id: webhookId } = await post('/machine/webhooks', hook);
        const ending = await post('/machine/keys', { role: 'admin', expiresAt: until(300) });
        const { id: revoked } = await post('/machine/keys', { role: 'viewer' });
        await before.send(owner, 'DELETE', `/machine/keys/${revoked}`);
        const retried = { 'idempotency-key': 'k' };
        await post('/machine/snapshots', { machineName: 'kept' }, retried);
        const accepted = `accepted: [{key: "runtimes.node", reason: r, until: "${until(300).slice(0, 10)}"}]`;
        const made = { machineName: 'm', metadata: { policy: { path: '.envsnap.yaml', text: accepted } } };
        const pair = {
          snapshotA: (await post('/machine/snapshots', { ...made, runtimeVersions: { node: '22.1.0' } })).id,
          snapshotB: (await post('/machine/snapshots', { ...made, runtimeVersions: { node: '24.1.0' } })).id,
        };
        const share = (await post('/machine/shares', { kind: 'snapshot', snapshotId: pair.snapshotA })).url;
        const signedIn = await signIn((await post('/machine/console-links', {})).url);
        const cookie = String(signedIn.headers.getSetCookie()[0]?.split(';')[0]);
        const link = (await post('/machine/console-links', {})).url;
        await before.request('GET', '/machine/fingerprint-key', { key: owner });
        await before.request('GET', '/machine/health', { key: owner });
        const blob = { storage_key: 'upload', remove_after: Date.now() + dayMs };
        await database.run(builder('unneeded_blobs').insert(blob));
        // It has failed for a day. After five, the second attempt of an event would switch it off.
        await database.run(builder('webhooks').update({ failing_since: Date.now() - dayMs }));
        await expect.poll(async () => (await countRows(database)).pending_notices).toBe(0);
        await before.stop();
        const there = await countRows(database);
        // If you add a table, add a row of it above.
        expect(Object.entries(there).filter(([, rows]) => rows === 0)).toEqual([['pending_notices', 0]]);

        setOwnClock(days);
        const clock = createDatabaseClock(database);
        const service = await startServiceOn(database, env, masterKey);
        await expect
          .poll(async () => (await service.request('GET', '/ready')).body.clockSkewSeconds)
          .toBeDefined();
        const created = await service.send(ending.apiKey, 'POST', '/machine/snapshots', { machineName: 'n' });
        expect(created.status).toBe(201);
        const madeMs = Date.parse(created.body.createdAt) + days * dayMs;
        expect(Math.abs(madeMs - Date.now())).toBeLessThan(dayMs);
        const again = { key: owner, body: { machineName: 'kept' }, headers: retried };
        const replayed = await service.request('POST', '/machine/snapshots', again);
        expect(replayed.headers.get('idempotency-replayed')).toBe('true');
        const compared = await service.send(owner, 'POST', '/machine/snapshots/compare', pair);
        expect(compared.body).toMatchObject({ verdict: 'tolerated', counting: 0 });
        const at = (url: string) => service.url + new URL(url).pathname + new URL(url).search;
        expect((await fetch(at(share))).status).toBe(200);
        expect((await fetch(`${service.url}/console/runs`, { headers: { cookie } })).status).toBe(200);
        expect((await signIn(at(link))).headers.getSetCookie()).toHaveLength(1);
        const shown = async () => (await service.send(owner, 'GET', `/machine/webhooks/${webhookId}`)).body;
        await expect
          .poll(async () => (await shown()).recentDeliveries.length, { timeout: 10_000 })
          .toBeGreaterThan(1);
        expect(await shown()).toMatchObject({ active: true });
        await recordOperation(database, 'database.compacted', {});
        const log: string[] = [];
        const logger = createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } });
        await createRetentionWorker(database, clock, kept, logger, silent).wake();
        // Even an explicit request uses the real time.
        await clock.synchronize();
        await prune(database, clock, kept);
        expect(log).toEqual([]);
        const [, skew] =
          /^envsnap_clock_skew_seconds (\S+)$/m.exec((await service.request('GET', '/metrics')).body) ?? [];
        expect(Number(skew) / 86_400).toBeCloseTo(days, 1);
        expect(service.log()).toContain("clock differs from the database's");
        await service.stop();
        const after = await countRows(database);
        const fewer = Object.keys(there).filter((table) => Number(after[table]) < Number(there[table]));
        // A link works only once.
        expect(fewer).toEqual(['console_links']);
        const entry = builder('audit_log').where('action', 'database.compacted').first('id', 'created_at');
        const audited = await database.get<{ id: string; created_at: number }>(entry);
        expect(Math.abs(Number(audited?.created_at) + days * dayMs - Date.now())).toBeLessThan(dayMs);
      });

    it('deletes nothing old while its own clock is wrong, and does so once it is right', async () => {
      const database = await openDatabase();
      const { builder } = database.dialect;
      const entry = { actor_type: 'server', actor: 'server', target_type: 'server', details: '{}' };
      const old = { ...entry, id: '01936500-0000-7000-8000-000000000001', action: 'a', created_at: 1 };
      await database.run(builder('audit_log').insert(old));
      const run = async () => {
        await createRetentionWorker(database, createDatabaseClock(database), kept, quiet, silent).wake();
        return (await countRows(database)).audit_log;
      };
      setOwnClock(-2);
      expect(await run()).toBe(1);
      vi.useRealTimers();
      expect(await run()).toBe(0);
    });

    it('is read again when the server’s clock jumps', async () => {
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
