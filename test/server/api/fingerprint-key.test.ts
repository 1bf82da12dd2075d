import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recordKeyring } from '../../../packages/server/src/infra/crypto/keyring.ts';
import { parseMasterKeys } from '../../../packages/server/src/infra/crypto/master-keys.ts';
import { rotateMasterKey } from '../../../packages/server/src/infra/crypto/rotate-master-key.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, startServiceOn, type TestService } from '../../support/service.ts';
import { createWorld } from './world.ts';

const keyPath = '/machine/fingerprint-key';
const rotatePath = `${keyPath}/rotate`;
/** A server that finds the work taken, or cannot do it on a busy machine, looks again after a minute. */
const afterAnotherLook = { timeout: 100_000 };

/** A fingerprint as captures make it. */
function fingerprint(keyHex: string, text: string): string {
  const digest = createHmac('sha256', Buffer.from(keyHex, 'hex')).update(text).digest('hex');
  return `hmac:${digest.slice(0, 32)}`;
}

async function store(service: TestService, key: string, envVars: Record<string, string>, keyId?: string) {
  const metadata = { kept: [1], ...(keyId && { capture: { version: '1', fingerprintKey: keyId } }) };
  const body = { machineName: 'm', envVars, metadata };
  return (await service.send(key, 'POST', '/machine/snapshots', body)).body.id as string;
}

async function show(service: TestService, key: string, id: string) {
  const answer = await service.send(key, 'GET', `/machine/snapshots/${id}`);
  return { ...answer.body, etag: answer.headers.get('etag') as string };
}

/** Makes the project one that was there before fingerprint keys were. */
async function makeOld(database: Database, projectId: string): Promise<void> {
  const { builder } = database.dialect;
  await database.run(builder('fingerprint_keys').where('project_id', projectId).delete());
  await database.run(
    builder('project_quotas').where('project_id', projectId).update({ fingerprint_key_id: null }),
  );
}

describeEachDatabase((openDatabase) => {
  describe('the fingerprint key', () => {
    it('is one for the whole project, and viewers never see it', async () => {
      const service = await startService(openDatabase);
      const { keys } = await createWorld(service);
      const owners = await service.send(keys.owner, 'GET', keyPath);
      expect(owners.body).toEqual({
        id: expect.any(String),
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: expect.any(String),
      });
      for (const role of ['admin', 'member'] as const) {
        expect((await service.send(keys[role], 'GET', keyPath)).body).toEqual(owners.body);
      }
      expect((await service.send(keys.viewer, 'GET', keyPath)).status).toBe(403);
      expect((await service.send(keys.member, 'POST', rotatePath)).status).toBe(403);
      const other = await service.bootstrap();
      const others = await service.send(other.apiKey, 'GET', keyPath);
      expect(others.body.key).not.toBe(owners.body.key);
      expect(service.log()).not.toContain(owners.body.key);
    });

    it('when it is replaced, what is stored is fingerprinted anew: the old key tests no guess', {
      tags: 'both-databases',
    }, async () => {
      const { service, key } = await startProject(openDatabase);
      const old = (await service.send(key, 'GET', keyPath)).body;
      const [a, b] = [fingerprint(old.key, 'TOKEN=a'), fingerprint(old.key, 'TOKEN=b')];
      const first = await store(service, key, { TOKEN: a, __proto__x: 'plain' }, old.id);
      const same = await store(service, key, { TOKEN: a }, old.id);
      const plain = await store(service, key, { LANG: 'C', NOTE: 'hmac:not one' }, old.id);
      const changed = await store(service, key, { TOKEN: b }, old.id);
      const before = await show(service, key, first);
      const machines = async () => (await service.send(key, 'GET', '/machine/machines')).body.machines;
      const newest = (name: string) => [
        { latest: { id: changed, metadata: { capture: { fingerprintKey: name } } } },
      ];
      expect(await machines()).toMatchObject(newest(old.id));

      const made = (await service.send(key, 'POST', rotatePath)).body;
      expect(made).toEqual({
        id: expect.not.stringMatching(old.id),
        key: expect.any(String),
        createdAt: expect.any(String),
      });
      expect((await service.send(key, 'GET', keyPath)).body).toEqual(made);

      // The answer waits for 2 s at most, and a busy machine may take longer.
      const { database } = service;
      const pending = database.dialect.builder('fingerprint_keys').whereNotNull('pending_until');
      await expect.poll(() => database.all(pending)).toEqual([]);
      const after = await show(service, key, first);
      expect(after.envVars).toEqual({ TOKEN: fingerprint(made.key, a), __proto__x: 'plain' });
      expect(after.metadata).toEqual({
        kept: [1],
        capture: { version: '1', fingerprintKey: `${old.id}/${made.id}` },
      });
      expect(after.etag).not.toBe(before.etag);
      expect(await machines()).toMatchObject(newest(`${old.id}/${made.id}`));
      const stale = { key, headers: { 'if-none-match': before.etag } };
      expect((await service.request('GET', `/machine/snapshots/${first}`, stale)).status).toBe(200);
      const fresh = { key, headers: { 'if-none-match': after.etag } };
      expect((await service.request('GET', `/machine/snapshots/${first}`, fresh)).status).toBe(304);
      expect((await show(service, key, plain)).metadata.capture.fingerprintKey).toBe(old.id);

      const compare = async (snapshotA: string, snapshotB: string) => {
        const body = { snapshotA, snapshotB, compareEnvValues: true };
        const answer = await service.send(key, 'POST', '/machine/snapshots/compare', body);
        return answer.body.diff.envVars.find((entry: { key: string }) => entry.key === 'TOKEN');
      };
      expect(await compare(first, same)).toEqual({ key: 'TOKEN', status: 'same' });
      expect(await compare(first, changed)).toEqual({ key: 'TOKEN', status: 'changed' });
      const later = await store(service, key, { TOKEN: fingerprint(made.key, 'TOKEN=a') }, made.id);
      expect(await compare(first, later)).toEqual({ key: 'TOKEN', status: 'same', comparable: false });
    });

    it('takes captures that were made with the key before it, and what names no key as it comes', async () => {
      const { service, key } = await startProject(openDatabase);
      const old = (await service.send(key, 'GET', keyPath)).body;
      const made = (await service.send(key, 'POST', rotatePath)).body;
      const value = fingerprint(old.key, 'TOKEN=a');
      const late = await show(service, key, await store(service, key, { TOKEN: value }, old.id));
      expect(late.envVars.TOKEN).toBe(fingerprint(made.key, value));
      expect(late.metadata.capture.fingerprintKey).toBe(`${old.id}/${made.id}`);
      for (const keyId of [made.id, undefined, 'own', '00000000-0000-4000-8000-000000000000']) {
        const shown = await show(service, key, await store(service, key, { TOKEN: value }, keyId));
        expect([keyId, shown.envVars.TOKEN]).toEqual([keyId, value]);
      }
    });

    it('comes to projects that had none, and takes over what was fingerprinted with the project id', {
      timeout: 240_000,
    }, async () => {
      const database = await openDatabase();
      const masterKey = randomBytes(32).toString('hex');
      const service = await startServiceOn(database, {}, masterKey);
      const { apiKey: key, projectId } = await service.bootstrap();
      await makeOld(database, projectId);
      const value = 'hmac:0123456789abcdef';
      const id = await store(service, key, { TOKEN: value });
      const made = (await service.send(key, 'GET', keyPath)).body;
      await service.stop();
      const again = await startServiceOn(database, {}, masterKey);
      await expect
        .poll(async () => (await show(again, key, id)).envVars.TOKEN, afterAnotherLook)
        .toBe(fingerprint(made.key, value));
      expect((await show(again, key, id)).metadata).toEqual({
        kept: [1],
        capture: { fingerprintKey: `project-id/${made.id}` },
      });
      const second = await again.bootstrap();
      await makeOld(database, second.projectId);
      await again.stop();
      const third = await startServiceOn(database, {}, masterKey);
      await expect
        .poll(
          () =>
            third.database.all(
              database.dialect.builder('fingerprint_keys').where('project_id', second.projectId),
            ),
          afterAnotherLook,
        )
        .toHaveLength(1);
    });

    it('is replaced many times, with the server stopped in between: every value once by every key', async () => {
      const database = await openDatabase();
      const masterKey = randomBytes(32).toString('hex');
      let service = await startServiceOn(database, {}, masterKey);
      const { apiKey: key, projectId } = await service.bootstrap();
      const keys = [(await service.send(key, 'GET', keyPath)).body];
      const { builder } = database.dialect;
      const ids: string[] = [];
      const value = (index: number) => fingerprint(keys[0].key, `TOKEN=${index}`);
      for (let index = 0; index < 80; index += 1) {
        ids.push(await store(service, key, { TOKEN: value(index) }, keys[0].id));
      }
      for (let round = 0; round < 3; round += 1) {
        const rotation = service.send(key, 'POST', rotatePath);
        const current = builder('fingerprint_keys').where('generation', round + 2);
        await expect.poll(() => database.all(current), { interval: 2 }).toHaveLength(1);
        await service.stop();
        keys.push((await rotation).body);
        service = await startServiceOn(database, {}, masterKey);
      }
      const pending = builder('fingerprint_keys')
        .where('project_id', projectId)
        .whereNotNull('pending_until');
      await expect.poll(() => database.all(pending)).toEqual([]);
      for (const [index, id] of ids.entries()) {
        const shown = await show(service, key, id);
        let expected = value(index);
        for (const made of keys.slice(1)) expected = fingerprint(made.key, expected);
        expect(shown.envVars.TOKEN).toBe(expected);
        expect(shown.metadata.capture.fingerprintKey).toBe(keys.map((made) => made.id).join('/'));
      }
      const kept = await database.all<{ wrapped_key: Buffer | null }>(
        builder('fingerprint_keys').select('wrapped_key').where('project_id', projectId),
      );
      expect(kept.filter((row) => row.wrapped_key !== null)).toHaveLength(1);
    });

    it('is wrapped anew with the master key, and goes with its project', async () => {
      const database = await openDatabase();
      const [older, newer] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      const service = await startServiceOn(database, {}, older);
      const { apiKey: key, projectId } = await service.bootstrap();
      const before = (await service.send(key, 'GET', keyPath)).body;
      await service.stop();
      const both = parseMasterKeys(`${newer},${older}`, 'the test');
      await recordKeyring(database, both);
      const rotation = await rotateMasterKey(database, both);
      expect(rotation).toMatchObject({
        rewrapped: 1,
        retired: [parseMasterKeys(older, 'the test').primary.id],
      });
      const again = await startServiceOn(database, {}, newer);
      expect((await again.send(key, 'GET', keyPath)).body).toEqual(before);
      await again.send(key, 'DELETE', `/machine/projects/${projectId}`);
      expect(await database.all(database.dialect.builder('fingerprint_keys').select('id'))).toEqual([]);
    });
  });
});
