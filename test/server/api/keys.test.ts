import { apiKeyChecksum } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  describe('keys', () => {
    it('have the documented form: mk_, 56 random digits, their CRC-32', async () => {
      const service = await startService(openDatabase);
      const seen = new Set<string>();
      const { apiKey: owner } = await service.bootstrap();
      for (let index = 0; index < 20; index += 1) {
        const { body } = await service.send(owner, 'POST', '/machine/keys', {});
        expect(body.apiKey).toMatch(/^mk_[0-9a-f]{64}$/);
        expect(body.apiKey.slice(59)).toBe(apiKeyChecksum(body.apiKey.slice(3, 59)));
        seen.add(body.apiKey.slice(3, 59));
      }
      expect(seen.size).toBe(20);
    });

    it('are shown once; afterwards only their first 11 characters are, and nothing else is stored but the SHA-256', async () => {
      const { service, key: owner, apiKeyId } = await startProject(openDatabase);
      const made = await service.send(owner, 'POST', '/machine/keys', { label: 'ci', role: 'admin' });
      expect(made.body).toMatchObject({
        role: 'admin',
        message: 'Store this API key securely; it will not be shown again.',
      });
      const list = await service.send(owner, 'GET', '/machine/keys');
      expect(list.body.keys).toEqual([
        {
          id: made.body.apiKeyId,
          apiKeyId: made.body.apiKeyId,
          label: 'ci',
          role: 'admin',
          prefix: made.body.apiKey.slice(0, 11),
          createdAt: expect.any(String),
          lastUsedAt: null,
          expiresAt: null,
        },
        {
          id: apiKeyId,
          apiKeyId,
          label: 'bootstrap',
          role: 'owner',
          prefix: owner.slice(0, 11),
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
          expiresAt: null,
        },
      ]);
      const rows = await service.database.all(service.database.dialect.builder('api_keys').select('*'));
      expect(JSON.stringify(rows)).not.toContain(made.body.apiKey.slice(0, 12));
      expect(service.log()).not.toContain(made.body.apiKey.slice(0, 20));
    });

    it('show their label, when they were created and when they were last used', async () => {
      const service = await startService(openDatabase);
      const { apiKey: owner, projectId } = await service.bootstrap('the project');
      const made = (await service.send(owner, 'POST', '/machine/keys', { label: 'ci', role: 'viewer' })).body;
      expect(made.id).toBe(made.apiKeyId);
      const before = Date.now();
      const me = await service.send(made.apiKey, 'GET', '/machine/keys/current');
      expect(me.body).toEqual({
        id: made.apiKeyId,
        apiKeyId: made.apiKeyId,
        label: 'ci',
        role: 'viewer',
        prefix: made.apiKey.slice(0, 11),
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: null,
        projectId,
        projectName: 'the project',
      });
      const { keys } = (await service.send(owner, 'GET', '/machine/keys')).body;
      const used = keys.find((key: { id: string }) => key.id === made.apiKeyId).lastUsedAt;
      expect(Math.abs(Date.parse(used) - before)).toBeLessThan(10_000);
    });

    it('once revoked never work again, however often and at whatever moment they are used', {
      tags: 'both-databases',
    }, async () => {
      const { service, key: owner } = await startProject(openDatabase);
      const made = (await service.send(owner, 'POST', '/machine/keys', { role: 'admin' })).body;
      const path = `/machine/keys/${made.apiKeyId}`;
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => service.send(made.apiKey, 'GET', '/machine/usage')),
        service.send(owner, 'DELETE', path),
        ...Array.from({ length: 20 }, () => service.send(made.apiKey, 'POST', '/machine/keys', {})),
      ]);
      for (const { status } of answers) expect([200, 201, 401]).toContain(status);
      for (let index = 0; index < 5; index += 1)
        expect((await service.send(made.apiKey, 'GET', '/machine/usage')).status).toBe(401);
      expect((await service.send(owner, 'DELETE', path)).status).toBe(404);
    });
  });
});
