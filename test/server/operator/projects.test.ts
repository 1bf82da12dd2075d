// The operator's commands on projects, on a database in use by a server: their output, and their entries in the audit log.

import { describe, expect, it } from 'vitest';
import { migrate } from '../../../packages/server/src/infra/db/migrate.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { runServerCommandHere, startServerCommand } from '../../support/programs.ts';
import { startServiceOn } from '../../support/service.ts';

const masterKey = 'a1'.repeat(32);

describeEachDatabase((openDatabase) => {
  async function start() {
    const target = await openDatabase.target('migrated');
    const database = await openDatabase.again(target);
    await migrate(database);
    const service = await startServiceOn(database, { ENVSNAP_DATA_DIR: target.dataDir }, masterKey);
    const env = {
      ENVSNAP_ENCRYPTION_KEY: masterKey,
      ENVSNAP_DATA_DIR: target.dataDir,
      ...(target.url !== undefined && { DATABASE_URL: target.url }),
    };
    const run = (...args: string[]) => runServerCommandHere(args, env);
    const read = async (...args: string[]) => {
      const { stdout, stderr, exitCode } = await run(...args, '--json');
      expect({ args, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
        args,
        exitCode: 0,
        stderr: '',
      });
      return JSON.parse(stdout);
    };
    const follow = (...args: string[]) => startServerCommand(['audit', '--follow', ...args], env);
    return { service, run, read, follow };
  }

  describe('the operator', () => {
    it('lists and shows projects with their keys and webhooks, and no secret of theirs', async () => {
      const { service, run, read } = await start();
      const { projectId, apiKey: key, apiKeyId } = await service.bootstrap('shop');
      await service.bootstrap('billing');
      await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      const body = { url: 'https://hooks.example.com/T0/secret-path', events: ['file.deleted'] };
      await service.send(key, 'POST', '/machine/webhooks', body);
      const { projects } = await read('project', 'list');
      expect(projects).toMatchObject([
        { id: projectId, name: 'shop', used: { snapshots: 1, files: 0, storageBytes: 0, apiKeys: 1 } },
        { name: 'billing', used: { snapshots: 0 } },
      ]);
      const shown = await run('project', 'show', projectId.toUpperCase());
      expect(shown.stdout).toMatch(new RegExp(`^${apiKeyId} +owner +${key.slice(0, 11)} .* bootstrap$`, 'm'));
      expect(shown.stdout).toContain('https://hooks.example.com');
      expect(shown.stdout).not.toMatch(/secret-path|whsec_/);
      expect(shown.stdout).not.toContain(key);
      const unknown = await run('project', 'show', '00000000-0000-7000-8000-000000000000');
      expect([unknown.exitCode, unknown.stderr]).toEqual([4, expect.stringContaining('there is no project')]);
    });

    it('prints names that callers chose without obeying them', { tags: 'release' }, async () => {
      const { service, run } = await start();
      const { projectId } = await service.bootstrap('evil\u001b[2J\u009b2J\u202e\nfake row');
      const shown = /evil\\x1b\[2J\\x9b2J\\u202e(\\n| )fake row/;
      for (const command of [
        ['project', 'list'],
        ['project', 'show', projectId],
        ['project', 'delete', projectId],
        ['keys', 'reset-owner', projectId],
      ]) {
        const { stdout, stderr } = await run(...command);
        expect(stdout + stderr).toMatch(shown);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
        expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      }
      const { stdout } = await run('project', 'list', '--json');
      expect(stdout).not.toMatch(/[\u009b\u202e]/);
      expect(JSON.parse(stdout).projects[0].name).toContain('\u009b');
    });

    it('replaces the key of the owner, who stays the same member, and records that in the audit log', async () => {
      const { service, read } = await start();
      const { projectId, apiKey: old, apiKeyId } = await service.bootstrap();
      const owner = async (key: string) =>
        (await service.send(key, 'GET', `/machine/team/${projectId}/members`)).body.members;
      const [before] = await owner(old);
      const reset = await read('keys', 'reset-owner', projectId);
      const { apiKeyId: id } = reset;
      expect(reset).toEqual({ projectId, apiKeyId: id, apiKey: expect.stringMatching(/^mk_[0-9a-f]{64}$/) });
      expect(id).not.toBe(apiKeyId);
      expect(await owner(reset.apiKey)).toEqual([{ ...before, apiKeyId: id }]);
      expect((await service.send(old, 'GET', '/machine/keys/current')).status).toBe(401);
      const { body } = await service.send(reset.apiKey, 'GET', '/machine/audit');
      expect(body.entries).toMatchObject([
        { action: 'sign_in.failed', target: { id: apiKeyId } },
        {
          action: 'key.owner_reset',
          actor: { type: 'operator', apiKeyId: null },
          target: { id },
          details: { replaced: apiKeyId },
        },
        { action: 'project.created' },
      ]);
      expect((await service.send(reset.apiKey, 'GET', '/machine/keys/current')).body.role).toBe('owner');
    });

    it("revokes any project's key but an owner's, as the service does", async () => {
      const { service, run, read } = await start();
      const { projectId, apiKey: owner, apiKeyId } = await service.bootstrap('shop');
      const { body: made } = await service.send(owner, 'POST', '/machine/keys', {
        label: 'ci',
        role: 'member',
      });
      expect((await service.send(made.apiKey, 'GET', '/machine/keys/current')).status).toBe(200);
      const result = { revoked: made.id, label: 'ci', role: 'member', projectId, projectName: 'shop' };
      expect(await read('keys', 'revoke', made.id.toUpperCase())).toEqual(result);
      expect((await service.send(made.apiKey, 'GET', '/machine/keys/current')).status).toBe(401);
      const { body } = await service.send(owner, 'GET', '/machine/audit?action=key.revoked');
      expect(body.entries).toMatchObject([
        { actor: { type: 'operator' }, target: { id: made.id, name: 'ci' }, details: { role: 'member' } },
      ]);
      for (const [id, exitCode, text] of [
        [made.id, 4, 'may have been revoked already'],
        [apiKeyId, 2, `keys reset-owner ${projectId}`],
        [owner, 2, `keys reset-owner ${projectId}`],
        ['ci', 2, 'KEY must be the id of a key or its first 11'],
      ]) {
        const refused = await run('keys', 'revoke', id);
        expect([refused.exitCode, refused.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
      }
      expect((await service.send(owner, 'GET', '/machine/keys/current')).status).toBe(200);
    });

    it('finds a person in all projects and removes them, and sets the limits of many projects', async () => {
      const { service, run, read } = await start();
      const shop = await service.bootstrap('shop');
      const billing = await service.bootstrap('billing');
      const invite = async ({ apiKey, projectId }: typeof shop, label: string) => {
        const body = { label, role: 'member' };
        return (await service.send(apiKey, 'POST', `/machine/team/${projectId}/members`, body)).body.apiKey;
      };
      const hers = [await invite(shop, 'Jane Doe'), await invite(billing, 'jane doe')];
      const his = await invite(shop, 'Jane Doeson');
      const { keys } = await read('people', 'list', 'doe');
      expect(keys.map((key: Record<string, unknown>) => [key.label, key.projectName])).toEqual([
        ['Jane Doe', 'shop'],
        ['jane doe', 'billing'],
        ['Jane Doeson', 'shop'],
      ]);
      expect(await run('people', 'remove', 'Jane Doe')).toMatchObject({ exitCode: 2, stdout: '' });
      const { revoked } = await read('people', 'remove', 'Jane Doe', '--yes');
      expect(revoked).toHaveLength(2);
      const statusOf = async (key: string) =>
        (await service.send(key, 'GET', '/machine/keys/current')).status;
      expect(await Promise.all([...hers, his, shop.apiKey].map(statusOf))).toEqual([401, 401, 200, 200]);
      const { body } = await service.send(billing.apiKey, 'GET', '/machine/audit?action=key.revoked');
      expect(body.entries).toMatchObject([{ actor: { type: 'operator' }, target: { name: 'jane doe' } }]);
      expect((await run('people', 'remove', 'Jane Doe', '--yes')).exitCode).toBe(4);
      const owners = await run('people', 'remove', 'bootstrap');
      expect([owners.exitCode, owners.stderr]).toEqual([
        7,
        expect.stringContaining(`reset-owner ${shop.projectId}`),
      ]);

      const ids = [shop.projectId, billing.projectId];
      expect(await read('quota', 'set', ...ids, '--max-files', '7')).toEqual({ changed: ids });
      expect((await read('quota', 'set', '--all', '--max-runs', '9')).changed.sort()).toEqual(
        [...ids].sort(),
      );
      for (const id of ids)
        expect((await read('quota', 'get', id)).quotas).toMatchObject({ maxFiles: 7, maxRuns: 9 });
      for (const args of [[], ['--all', ...ids]])
        expect((await run('quota', 'set', ...args, '--max-files', '8')).exitCode).toBe(2);
      const unknown = [shop.projectId, '00000000-0000-7000-8000-000000000000', '--max-files', '8'];
      expect((await run('quota', 'set', ...unknown)).exitCode).toBe(4);
      expect((await read('quota', 'get', shop.projectId)).quotas.maxFiles).toBe(7);
    });

    it('shows the entries of all projects, those of a time, and new ones as they come', async () => {
      const { service, run, read, follow } = await start();
      const shop = await service.bootstrap('shop');
      const billing = await service.bootstrap('billing');
      await read('prune');
      const { entries, total } = await read('audit', '--all');
      expect([total, entries]).toMatchObject([
        3,
        [
          { action: 'logs.pruned', projectId: null },
          { action: 'project.created', projectId: billing.projectId },
          { action: 'project.created', projectId: shop.projectId },
        ],
      ]);
      const [, , { createdAt: first }] = entries;
      const before = new Date(Date.parse(first) - 1).toISOString();
      const range = ['audit', '--all', '--limit', '1', '--from', first];
      expect((await read(...range)).total).toBe(3);
      expect(await read(...range, '--to', before)).toEqual({ entries: [], total: 0 });

      const newOnes = follow('--all');
      const older = follow('--from', first, shop.projectId);
      await newOnes.waitFor('stderr', /Waiting/);
      await older.waitFor('stdout', /project\.created/);
      await service.send(shop.apiKey, 'PATCH', `/machine/projects/${shop.projectId}`, { name: 'store' });
      await service.send(billing.apiKey, 'POST', '/machine/keys', { label: 'ci', role: 'member' });
      await newOnes.waitFor('stdout', /key\.created/);
      await older.waitFor('stdout', /project\.updated/);
      const linesOf = async (running: typeof older) => {
        running.child.kill('SIGTERM');
        const { stdout } = await running.finished;
        return stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
      };
      expect(await linesOf(newOnes)).toMatchObject([
        { action: 'project.updated', projectId: shop.projectId },
        { action: 'key.created', projectId: billing.projectId },
      ]);
      expect((await linesOf(older)).map(({ action }) => action)).toEqual([
        'project.created',
        'project.updated',
      ]);
      // The command ends when its collector ends.
      const follower = follow('--all', '--from', first);
      follower.child.stdout?.destroy();
      expect(await follower.finished).toMatchObject({ exitCode: 0, stderr: '' });

      for (const args of [
        [shop.projectId, '--all'],
        ['--follow', '--limit', '1'],
        ['--from', 'yesterday'],
      ])
        expect(await run('audit', ...args)).toMatchObject({ exitCode: 2, stdout: '' });
    });

    it('deletes a project only with --yes, and finds the deletion in its own log', async () => {
      const { service, run, read } = await start();
      const { projectId, apiKey: key } = await service.bootstrap('shop');
      const refused = await run('project', 'delete', projectId);
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
      expect((await service.send(key, 'GET', '/machine/usage')).status).toBe(200);
      expect(await read('project', 'delete', projectId, '--yes')).toEqual({
        deleted: projectId,
        name: 'shop',
      });
      expect((await service.send(key, 'GET', '/machine/usage')).status).toBe(401);
      expect((await read('project', 'list')).projects).toEqual([]);
      const { entries } = await read('audit', '--action', 'project.deleted');
      expect(entries).toMatchObject([
        { actor: { type: 'operator' }, target: { type: 'project', id: projectId, name: 'shop' } },
      ]);
    });

    it('leaves changes of quotas in the log of the project, with what was and what is', {
      tags: 'release',
    }, async () => {
      const { service, run, read } = await start();
      const { projectId, apiKey: key } = await service.bootstrap();
      await read('quota', 'set', projectId, '--max-files', '7', '--requests-per-minute', '600');
      const { body } = await service.send(key, 'GET', '/machine/audit?actor=operator');
      expect(body.entries).toMatchObject([
        {
          action: 'quota.changed',
          details: { maxFiles: { from: 100, to: 7 }, requestsPerMinute: { from: 1_000_000, to: 600 } },
        },
      ]);
      expect((await read('audit', projectId)).entries).toMatchObject(
        body.entries.concat({ action: 'project.created', projectId }),
      );
      await run('prune');
      expect((await read('audit')).entries).toMatchObject([
        { action: 'logs.pruned', target: { type: 'server' } },
      ]);
    });
  });
});

describe('envsnap-server config', () => {
  it('shows what is in effect and where it comes from, and no secret', async () => {
    const env = {
      DATABASE_URL: 'postgres://envsnap:hunter22@127.0.0.1:1/envsnap',
      ENVSNAP_ENCRYPTION_KEY: masterKey,
      ENVSNAP_BOOTSTRAP: 'token',
      ENVSNAP_BOOTSTRAP_TOKEN: 'a-token-that-nobody-sees',
      ENVSNAP_TRUST_PROXY: '10.0.0.0/8,fd00::/8',
    };
    const { stdout, exitCode } = await runServerCommandHere(
      ['config', '--json', '--data-dir', '/tmp/nowhere'],
      env,
    );
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(new RegExp(`hunter22|${masterKey}|nobody-sees`));
    const settings = new Map<string, unknown>(
      JSON.parse(stdout).settings.map(({ name, ...rest }: { name: string }) => [name, rest]),
    );
    expect(settings.get('ENVSNAP_DATA_DIR')).toEqual({ value: '/tmp/nowhere', source: 'flag' });
    expect(settings.get('ENVSNAP_PORT')).toEqual({ value: 4780, source: 'default' });
    expect(settings.get('ENVSNAP_TRUST_PROXY')).toEqual({
      value: ['10.0.0.0/8', 'fd00::/8'],
      source: 'variable',
    });
    expect(settings.get('ENVSNAP_ENCRYPTION_KEY')).toEqual({
      value: null,
      source: 'variable',
      secret: 'set',
    });
    expect(settings.get('DATABASE_URL')).toMatchObject({
      value: 'postgres://envsnap:hidden@127.0.0.1:1/envsnap',
    });
    const wrong = await runServerCommandHere(['config'], { ENVSNAP_PORT: 'x' });
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('ENVSNAP_PORT must be')]);
  });
});
