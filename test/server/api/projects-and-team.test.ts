import { existsSync, readdirSync } from 'node:fs';
import { webhookEvents } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';
import { createTargets, createWorld, multipart } from './world.ts';

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const keyPattern = /^mk_[0-9a-f]{64}$/;

/** Every table that has rows of projects, with the number of rows of one project. */
async function rowsOf(database: Database, projectId: string): Promise<Record<string, number>> {
  const { builder, name } = database.dialect;
  const tables =
    name === 'sqlite'
      ? await database.all<{ table: string }>(
          builder.raw(
            "select m.name as \"table\" from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'project_id'",
          ),
        )
      : await database.all<{ table: string }>(
          builder.raw(
            "select c.relname as \"table\" from pg_class c join pg_attribute a on a.attrelid = c.oid where a.attname = 'project_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition",
          ),
        );
  const counts: Record<string, number> = {};
  for (const { table } of tables) {
    const row = await database.get<{ n: number }>(
      builder(table).where({ project_id: projectId }).count({ n: '*' }),
    );
    counts[table] = Number(row?.n);
  }
  const project = await database.get<{ n: number }>(
    builder('projects').where({ id: projectId }).count({ n: '*' }),
  );
  return { ...counts, projects: Number(project?.n) };
}

async function members(service: TestService, key: string, projectId: string) {
  return (await service.send(key, 'GET', `/machine/team/${projectId}/members`)).body.members;
}

/** Notices that are not due, because the server computes others at once. */
async function queueNotice(database: Database, projectId: string): Promise<void> {
  const { builder } = database.dialect;
  const [snapshot] = await database.all<{ id: string }>(
    builder('snapshots').select('id').where('project_id', projectId).limit(1),
  );
  const times = { created_at: 0, due_at: 9e15, attempts: 0 };
  const row = { snapshot_id: snapshot?.id, project_id: projectId, ...times };
  await database.run(builder('pending_notices').insert(row).onConflict('snapshot_id').merge());
}

describeEachDatabase((openDatabase) => {
  describe('projects', () => {
    it('begin with bootstrap: a key that is shown once, an owner who is the first member', async () => {
      const service = await startService(openDatabase);
      const answer = await service.request('POST', '/machine/keys/bootstrap', {
        body: { projectName: '  My project ', description: ' what it is ' },
      });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        projectId: expect.any(String),
        id: answer.body.apiKeyId,
        apiKeyId: expect.any(String),
        apiKey: expect.stringMatching(keyPattern),
        message: 'Store this API key securely; it will not be shown again.',
      });
      const { projectId, apiKeyId, apiKey: key } = answer.body;
      const project = {
        id: projectId,
        name: 'My project',
        description: 'what it is',
        role: 'owner',
        createdAt: expect.stringMatching(timestampPattern),
        updatedAt: expect.stringMatching(timestampPattern),
      };
      expect((await service.send(key, 'GET', '/machine/projects')).body).toEqual({ projects: [project] });
      expect((await service.send(key, 'GET', `/machine/projects/${projectId}`)).body).toEqual({
        ...project,
        counts: { snapshots: 0, files: 0, members: 1 },
      });
      expect(await members(service, key, projectId)).toEqual([
        {
          id: expect.any(String),
          apiKeyId,
          keyLabel: 'bootstrap',
          role: 'owner',
          invitedBy: null,
          joinedAt: expect.stringMatching(timestampPattern),
        },
      ]);
    });

    it('created by a key of another project get a new owner key, the only one that can use them', async () => {
      const service = await startService(openDatabase);
      const { keys, projectId } = await createWorld(service);
      const created = await service.send(keys.viewer, 'POST', '/machine/projects', { name: ' second ' });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        projectId: expect.any(String),
        apiKeyId: expect.any(String),
        apiKey: expect.stringMatching(keyPattern),
        name: 'second',
        message: 'Store this API key securely; it will not be shown again.',
      });
      const path = `/machine/projects/${created.body.projectId}`;
      expect((await service.send(keys.owner, 'GET', path)).status).toBe(403);
      const own = await service.send(created.body.apiKey, 'GET', path);
      expect(own.body).toMatchObject({ name: 'second', description: null, role: 'owner' });
      const [owner] = await members(service, created.body.apiKey, created.body.projectId);
      expect(owner).toMatchObject({ keyLabel: 'owner', role: 'owner', invitedBy: null });
      for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
        const { body } = await service.send(keys[role], 'GET', '/machine/projects');
        expect(
          body.projects.map((project: { id: string; role: string }) => [project.id, project.role]),
        ).toEqual([[projectId, role]]);
      }
    });

    it('change name and description, each for itself, and say when', async () => {
      const service = await startService(openDatabase);
      const { apiKey: key, projectId } = await service.bootstrap('before');
      const path = `/machine/projects/${projectId}`;
      const show = async () => (await service.send(key, 'GET', path)).body;
      const first = await show();
      const change = async (body: object) => (await service.send(key, 'PATCH', path, body)).body;
      expect(await change({ name: ' after ' })).toEqual({ success: true });
      const second = await show();
      expect([second.name, second.description, second.createdAt]).toEqual(['after', null, first.createdAt]);
      expect(second.updatedAt >= first.updatedAt).toBe(true);
      await change({ description: 'text' });
      expect(await show()).toMatchObject({ name: 'after', description: 'text' });
      await change({ description: null });
      expect((await show()).description).toBeNull();
    });

    it('count snapshots, files and members, the owner included', async () => {
      const service = await startService(openDatabase);
      const { keys, projectId, snapshotId, fileId, keyId } = await createWorld(service);
      const counts = async () =>
        (await service.send(keys.viewer, 'GET', `/machine/projects/${projectId}`)).body.counts;
      expect(await counts()).toEqual({ snapshots: 1, files: 1, members: 5 });
      await createTargets(service, keys.owner, projectId, ['snapshotId', 'fileId']);
      expect(await counts()).toEqual({ snapshots: 2, files: 2, members: 5 });
      await service.send(keys.owner, 'DELETE', `/machine/snapshots/${snapshotId}`);
      await service.send(keys.owner, 'DELETE', `/machine/files/${fileId}`);
      await service.send(keys.owner, 'DELETE', `/machine/keys/${keyId}`);
      expect(await counts()).toEqual({ snapshots: 1, files: 1, members: 4 });
    });

    it('deleted are gone from every table, with their data key, their files and their keys; others stay', async () => {
      const service = await startService(openDatabase);
      const world = await createWorld(service);
      const other = await createWorld(service);
      for (const { keys } of [world, other]) {
        const key = keys.owner;
        await service.send(key, 'POST', '/machine/webhooks', {
          url: 'http://127.0.0.1:9/',
          // The others follow the response, once the comparison is done.
          events: webhookEvents.filter((event) => !/^(environment|run)\./.test(event)),
        });
        const headers = { 'idempotency-key': 'k' };
        await service.request('POST', '/machine/snapshots', {
          key,
          headers,
          body: { machineName: 'm', envVars: { A: 'x' } },
        });
        const revoked = await service.send(key, 'POST', '/machine/keys', {});
        await service.send(key, 'DELETE', `/machine/keys/${revoked.body.apiKeyId}`);
        const form = multipart('more bytes');
        await service.request('POST', '/machine/files', { key, body: form.body, headers: form.headers });
        await service.send(key, 'GET', '/machine/usage/requests/live');
        const signIn = {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        };
        await service.request('POST', '/console/sign-in', { body: `key=${key}`, headers: signIn });
        await service.send(key, 'POST', '/machine/console-links');
      }
      for (const { projectId } of [world, other]) await queueNotice(service.database, projectId);
      const before = await rowsOf(service.database, world.projectId);
      const unused = Object.entries(before).filter(([, count]) => count === 0);
      expect(unused.map(([table]) => table)).toEqual([]);
      const othersBefore = await rowsOf(service.database, other.projectId);

      const path = `/machine/projects/${world.projectId}`;
      const deleted = await service.send(world.keys.owner, 'DELETE', path);
      expect(deleted.body).toEqual({ success: true, message: expect.stringMatching(/./) });
      expect((await service.send(world.keys.owner, 'DELETE', path)).status).toBe(401);
      // Requests that were still to be logged must not bring rows back.
      await service.send(other.keys.owner, 'GET', '/machine/usage/requests/live');
      // A small project is deleted before the response; on a busy machine, soon after it.
      await expect
        .poll(async () =>
          Object.entries(await rowsOf(service.database, world.projectId)).filter(([, rows]) => rows > 0),
        )
        .toEqual([]);
      const othersAfter = await rowsOf(service.database, other.projectId);
      for (const table of words`api_keys memberships snapshots files webhooks data_keys outbox_events projects`)
        expect([table, othersAfter[table]]).toEqual([table, othersBefore[table]]);
      const shown = await service.send(other.keys.owner, 'GET', `/machine/snapshots/${other.snapshotId}`);
      expect(shown.status).toBe(200);
      expect((await service.send(other.keys.owner, 'GET', `/machine/files/${other.fileId}`)).body).toBe(
        'bytes',
      );
      const stored = `${service.config.dataDir}/files`;
      await expect
        .poll(
          () =>
            (existsSync(stored) ? readdirSync(stored, { recursive: true, withFileTypes: true }) : []).filter(
              (entry) => entry.isFile(),
            ).length,
        )
        .toBe(2);
    });

    const atWork = 'deleted while their keys are at work give 401 or a success, never a failure';
    it(atWork, { tags: 'both-databases' }, () => deleteAtWork(1));
    it(`${atWork}: three times`, { tags: 'release' }, () => deleteAtWork(3));

    async function deleteAtWork(rounds: number): Promise<void> {
      const service = await startService(openDatabase, { ENVSNAP_LOG_LEVEL: 'error' });
      for (let round = 0; round < rounds; round += 1) {
        const { keys, projectId, snapshotId } = await createWorld(service);
        const work = Array.from({ length: 60 }, (_, index) => {
          const key = keys[index % 2 ? 'admin' : 'owner'];
          if (index === 20) return service.send(keys.owner, 'DELETE', `/machine/projects/${projectId}`);
          if (index % 5 === 0) return service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
          if (index % 5 === 1)
            return service.request('POST', '/machine/keys', {
              key,
              body: {},
              headers: { 'idempotency-key': `${index}` },
            });
          if (index % 5 === 2)
            return service.send(key, 'POST', '/machine/webhooks', {
              url: 'http://127.0.0.1:9/',
              events: ['file.deleted'],
            });
          if (index % 5 === 3) return service.request('POST', '/machine/files', { key, ...multipart('x') });
          return service.send(key, 'GET', `/machine/snapshots/${snapshotId}`);
        });
        for (const { status, body } of await Promise.all(work)) {
          expect([[200, 201, 401, 404].includes(status), status, body.error]).toEqual([
            true,
            status,
            body.error,
          ]);
        }
        expect(service.log()).toBe('');
      }
    }
  });

  describe('team members', () => {
    it('are invited with a fresh key, listed by joining, changed and removed', async () => {
      const { service, key: owner, apiKeyId: ownerId, projectId } = await startProject(openDatabase);
      const path = `/machine/team/${projectId}/members`;
      const invited = await service.send(owner, 'POST', path, { label: 'Ada', role: 'admin' });
      expect(invited.status).toBe(201);
      expect(invited.body).toMatchObject({
        memberId: expect.any(String),
        apiKeyId: expect.any(String),
        apiKey: expect.stringMatching(keyPattern),
        role: 'admin',
        message: 'Share this API key with the invited member; it will not be shown again.',
      });
      const byAda = await service.send(invited.body.apiKey, 'POST', path, {});
      expect(byAda.body.role).toBe('member');
      const list = await members(service, byAda.body.apiKey, projectId);
      expect(
        list.map((member: { keyLabel: unknown; role: unknown; invitedBy: unknown }) => [
          member.keyLabel,
          member.role,
          member.invitedBy,
        ]),
      ).toEqual([
        ['bootstrap', 'owner', null],
        ['Ada', 'admin', ownerId],
        [null, 'member', invited.body.apiKeyId],
      ]);
      for (const member of list) {
        expect(Object.keys(member).sort()).toEqual(words`apiKeyId id invitedBy joinedAt keyLabel role`);
        expect(member.joinedAt).toMatch(timestampPattern);
      }
      const changed = await service.send(owner, 'PATCH', `${path}/${byAda.body.memberId}`, {
        role: 'viewer',
      });
      expect(changed).toMatchObject({
        status: 200,
        body: { success: true, memberId: byAda.body.memberId, newRole: 'viewer' },
      });
      const removed = await service.send(invited.body.apiKey, 'DELETE', `${path}/${byAda.body.memberId}`);
      expect([removed.status, removed.body]).toEqual([200, { success: true }]);
      expect((await service.send(byAda.body.apiKey, 'GET', path)).status).toBe(401);
      expect((await service.send(owner, 'DELETE', `${path}/${byAda.body.memberId}`)).status).toBe(404);
      // The inviter's id remains after the inviter is removed.
      const third = await service.send(invited.body.apiKey, 'POST', path, { label: 'third' });
      await service.send(owner, 'DELETE', `${path}/${invited.body.memberId}`);
      const [, last] = await members(service, owner, projectId);
      expect(last).toMatchObject({ id: third.body.memberId, invitedBy: invited.body.apiKeyId });
    });

    it('are the keys of the project: made, listed and removed on either side', async () => {
      const { service, key: owner, apiKeyId: ownerId, projectId } = await startProject(openDatabase);
      const made = await service.send(owner, 'POST', '/machine/keys', { label: 'ci', role: 'viewer' });
      const invited = await service.send(owner, 'POST', `/machine/team/${projectId}/members`, {
        label: 'Bob',
      });
      const keys = (await service.send(owner, 'GET', '/machine/keys')).body.keys;
      const list = await members(service, owner, projectId);
      expect(list.map((member: { apiKeyId: string }) => member.apiKeyId).sort()).toEqual(
        keys.map((key: { id: string }) => key.id).sort(),
      );
      expect(
        list.find((member: { apiKeyId: string }) => member.apiKeyId === made.body.apiKeyId),
      ).toMatchObject({ keyLabel: 'ci', role: 'viewer', invitedBy: ownerId });
      await service.send(owner, 'DELETE', `/machine/keys/${invited.body.apiKeyId}`);
      const memberOfMade = list.find(
        (member: { apiKeyId: string }) => member.apiKeyId === made.body.apiKeyId,
      ).id;
      await service.send(owner, 'DELETE', `/machine/team/${projectId}/members/${memberOfMade}`);
      expect(await members(service, owner, projectId)).toHaveLength(1);
      expect((await service.send(owner, 'GET', '/machine/keys')).body.keys).toHaveLength(1);
      expect((await service.send(owner, 'GET', '/machine/usage')).body.resources.apiKeys).toBe(1);
      for (const key of [made.body.apiKey, invited.body.apiKey])
        expect((await service.send(key, 'GET', '/machine/usage')).status).toBe(401);
    });

    it('removed twice at the same moment are removed once', { tags: 'both-databases' }, async () => {
      const service = await startService(openDatabase);
      const { keys, projectId } = await createWorld(service);
      const { memberId } = await createTargets(service, keys.owner, projectId, ['memberId']);
      const path = `/machine/team/${projectId}/members/${memberId}`;
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          service.send(index % 2 ? keys.owner : keys.admin, 'DELETE', path),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    });
  });
});
