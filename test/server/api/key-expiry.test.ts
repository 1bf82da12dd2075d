// Keys that expire: refused everywhere from then on, and announced a week before.

import { operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { authorize } from '../../../packages/server/src/api-keys/authorize.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, startServiceOn, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const dayMs = 24 * 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

async function createKey(service: TestService, owner: string, expiresAt: string | null) {
  const body = { label: 'ci', role: 'admin', expiresAt };
  const made = await service.send(owner, 'POST', '/machine/keys', body);
  expect(made.status).toBe(201);
  return made.body as { apiKeyId: string; apiKey: string; expiresAt: string | null };
}

/** Changes the creation and expiry of a key. */
async function moveKey(database: Database, id: string, byMs: number): Promise<void> {
  const { builder } = database.dialect;
  const columns = ['expires_at', 'created_at'] as const;
  for (const column of columns) await database.run(builder('api_keys').where({ id }).increment(column, byMs));
}

describeEachDatabase((openDatabase) => {
  describe('a key that expires', () => {
    it('has its expiry in every response; a key without expiry has none', async () => {
      const { service, key: owner, apiKeyId } = await startProject(openDatabase);
      const expiresAt = at(Date.now() + 90 * dayMs);
      const made = await createKey(service, owner, expiresAt);
      const forever = await createKey(service, owner, null);
      expect([made.expiresAt, forever.expiresAt]).toEqual([expiresAt, null]);
      const { keys } = (await service.send(owner, 'GET', '/machine/keys')).body;
      const ends = Object.fromEntries(
        keys.map((key: { id: string; expiresAt: string }) => [key.id, key.expiresAt]),
      );
      expect(ends).toEqual({ [made.apiKeyId]: expiresAt, [forever.apiKeyId]: null, [apiKeyId]: null });
      const current = await service.send(made.apiKey, 'GET', '/machine/keys/current');
      expect(current.body.expiresAt).toBe(expiresAt);
      const audit = await service.send(owner, 'GET', '/machine/audit?action=key.created');
      expect(audit.body.entries.map(({ details }: { details: object }) => details)).toEqual([
        { role: 'admin' },
        { role: 'admin', expiresAt },
      ]);
    });

    it('reads a day as its beginning in UTC, and refuses a moment that has passed, for an invited member too', async () => {
      const { service, key: owner, projectId } = await startProject(openDatabase);
      const day = at(Date.now() + 3 * dayMs).slice(0, 10);
      expect((await createKey(service, owner, day)).expiresAt).toBe(`${day}T00:00:00.000Z`);
      const team = `/machine/team/${projectId}/members`;
      const invited = await service.send(owner, 'POST', team, { expiresAt: day });
      expect([invited.status, invited.body.expiresAt]).toEqual([201, `${day}T00:00:00.000Z`]);
      const current = await service.send(invited.body.apiKey, 'GET', '/machine/keys/current');
      expect(current.body.expiresAt).toBe(invited.body.expiresAt);
      for (const path of ['/machine/keys', team])
        for (const expiresAt of [at(Date.now() - 1000), '2020-01-01', 'soon', 90, '2027-02-30']) {
          const refused = await service.send(owner, 'POST', path, { expiresAt });
          expect([refused.status, refused.body.code, refused.body.details[0].path], `${expiresAt}`).toEqual([
            400,
            'validation_failed',
            'expiresAt',
          ]);
        }
    });

    it('is refused from its end on, on every server, and says why', { tags: 'both-databases' }, async () => {
      const database = await openDatabase();
      const masterKey = '11'.repeat(32);
      const service = await startServiceOn(database, {}, masterKey);
      const replica = await startServiceOn(database, {}, masterKey);
      const { apiKey: owner } = await service.bootstrap();
      const made = await createKey(service, owner, at(Date.now() + dayMs));
      const read = (one: TestService) => one.send(made.apiKey, 'GET', '/machine/keys/current');
      // Counted once before, so that its row of counters is there.
      expect((await read(service)).status).toBe(200);
      await moveKey(database, made.apiKeyId, -dayMs);
      for (const one of [service, replica]) {
        const refused = await read(one);
        expect([refused.status, refused.body.code]).toEqual([401, 'invalid_api_key']);
        expect(refused.body.error).toContain('has expired');
        const change = { key: made.apiKey, body: { machineName: 'm' } };
        expect((await one.request('POST', '/machine/snapshots', change)).status).toBe(401);
      }
      // It stays in the list, and can be revoked.
      const revoked = await service.send(owner, 'DELETE', `/machine/keys/${made.apiKeyId}`);
      expect(revoked.status).toBe(200);
      expect((await read(service)).body.error).toBe('Invalid API key');
    });

    it('has no effect any more in a transaction that ends after it', { tags: 'both-databases' }, async () => {
      const service = await startService(openDatabase);
      const { database } = service;
      const { apiKey: owner, projectId } = await service.bootstrap();
      const { apiKeyId } = await createKey(service, owner, at(Date.now() + dayMs));
      const principal = {
        apiKeyId,
        projectId,
        role: 'admin' as const,
        maxRequestsPerMinute: 1,
        maxRequestsPerDay: 1,
        payer: 'p',
      };
      const check = (operation: (typeof operations)[keyof typeof operations]) =>
        database.transact((executor) => authorize(executor, principal, operation, { hold: true }));
      const { createSnapshot, revokeKey } = operations;
      for (const operation of [createSnapshot, revokeKey]) await check(operation);
      await moveKey(database, apiKeyId, -dayMs);
      for (const operation of [createSnapshot, revokeKey])
        await expect(check(operation)).rejects.toMatchObject({ code: 'invalid_api_key' });
      await expect(authorize(database, principal, createSnapshot, { hold: false })).rejects.toMatchObject({
        code: 'invalid_api_key',
      });
    });

    it('is announced once, a week before its end, unless it was made for less', async () => {
      const database = await openDatabase();
      const masterKey = '11'.repeat(32);
      const env = { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' };
      const first = await startServiceOn(database, env, masterKey);
      const { apiKey: owner } = await first.bootstrap();
      const receiver = await startReceiver(() => 200);
      const webhook = { url: receiver.origin, events: ['key.expiring'] };
      expect((await first.send(owner, 'POST', '/machine/webhooks', webhook)).status).toBe(201);
      const soon = await createKey(first, owner, at(Date.now() + 30 * dayMs));
      const short = await createKey(first, owner, at(Date.now() + 3 * dayMs));
      await createKey(first, owner, at(Date.now() + 60 * dayMs));
      await createKey(first, owner, null);
      await moveKey(database, soon.apiKeyId, -24 * dayMs);
      // A server checks at startup; two that check at once announce it once.
      const others = await Promise.all([1, 2].map(() => startServiceOn(database, env, masterKey)));
      await receiver.arrived(1);
      await Promise.all(others.map((other) => other.stop()));
      const events = await database.all<{ payload: string }>(
        database.dialect.builder('outbox_events').select('payload').where('event', 'key.expiring'),
      );
      expect(events.map(({ payload }) => JSON.parse(payload).data)).toEqual([
        {
          apiKeyId: soon.apiKeyId,
          label: 'ci',
          role: 'admin',
          expiresAt: at(Date.parse(soon.expiresAt as string) - 24 * dayMs),
        },
      ]);
      expect(short.expiresAt).not.toBeNull();
    });
  });
});
