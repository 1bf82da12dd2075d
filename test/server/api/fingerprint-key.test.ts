import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recordKeyring } from '../../../packages/server/src/infra/crypto/keyring.ts';
import { parseMasterKeys } from '../../../packages/server/src/infra/crypto/master-keys.ts';
import { rotateMasterKey } from '../../../packages/server/src/infra/crypto/rotate-master-key.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, startServiceOn, type TestService } from '../../support/service.ts';
import { createWorld } from './world.ts';

const keyPath = '/machine/fingerprint-key';
const rotatePath = `${keyPath}/rotate`;
/** A fingerprint in the form that captures make. */
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

describeEachDatabase((openDatabase) => {
  describe('the fingerprint key', () => {
    it('is the same for the whole project, and viewers never see it', async () => {
      const service = await startService(openDatabase);
      const { keys } = await createWorld(service);
      const owners = await service.send(keys.owner, 'GET', keyPath);
      expect(owners.body).toEqual({
        id: expect.any(String),
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: expect.any(String),
      });
      for (const role of ['admin', 'member'] as const)
        expect((await service.send(keys[role], 'GET', keyPath)).body).toEqual(owners.body);
      expect((await service.send(keys.viewer, 'GET', keyPath)).status).toBe(403);
      expect((await service.send(keys.member, 'POST', rotatePath)).status).toBe(403);
      const other = await service.bootstrap();
      const others = await service.send(other.apiKey, 'GET', keyPath);
      expect(others.body.key).not.toBe(owners.body.key);
      expect(service.log()).not.toContain(owners.body.key);
    });

    it('when it is replaced, what is stored stays and compares as unknown with what comes', async () => {
      const { service, key } = await startProject(openDatabase);
      const old = (await service.send(key, 'GET', keyPath)).body;
      const first = await store(service, key, { TOKEN: fingerprint(old.key, 'TOKEN=a') }, old.id);
      const changed = await store(service, key, { TOKEN: fingerprint(old.key, 'TOKEN=b') }, old.id);
      const before = await show(service, key, first);

      const made = (await service.send(key, 'POST', rotatePath)).body;
      expect(made).toEqual({
        id: expect.not.stringMatching(old.id),
        key: expect.not.stringMatching(old.key),
        createdAt: expect.any(String),
      });
      expect((await service.send(key, 'GET', keyPath)).body).toEqual(made);
      expect(await show(service, key, first)).toEqual(before);
      const known = { key, headers: { 'if-none-match': before.etag } };
      expect((await service.request('GET', `/machine/snapshots/${first}`, known)).status).toBe(304);

      const compare = async (snapshotA: string, snapshotB: string) => {
        const body = { snapshotA, snapshotB, compareEnvValues: true };
        const answer = await service.send(key, 'POST', '/machine/snapshots/compare', body);
        return answer.body.diff.envVars.find((entry: { key: string }) => entry.key === 'TOKEN');
      };
      expect(await compare(first, changed)).toEqual({ key: 'TOKEN', status: 'changed' });
      // A capture that was in progress when the key was replaced.
      const late = await store(service, key, { TOKEN: fingerprint(old.key, 'TOKEN=a') }, old.id);
      expect(await compare(first, late)).toEqual({ key: 'TOKEN', status: 'same' });
      for (const text of ['TOKEN=a', 'TOKEN=b']) {
        const later = await store(service, key, { TOKEN: fingerprint(made.key, text) }, made.id);
        expect(await compare(first, later)).toEqual({ key: 'TOKEN', status: 'same', comparable: false });
      }
    });

    it('is there once in the database, however often it is replaced', async () => {
      const { service, key } = await startProject(openDatabase);
      const made = [];
      for (let round = 0; round < 3; round += 1)
        made.push((await service.send(key, 'POST', rotatePath)).body);
      const rows = await service.database.all(
        service.database.dialect.builder('fingerprint_keys').select('id'),
      );
      expect(rows).toEqual([{ id: made[2].id }]);
    });

    it('is wrapped again with a new master key, and is deleted with its project', async () => {
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
