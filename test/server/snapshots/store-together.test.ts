import { describe, expect, it } from 'vitest';
import type { NewStoredAnswer } from '../../../packages/server/src/idempotency/repository.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { listMiscounts } from '../../../packages/server/src/operator/recount.ts';
import { listStaleLists } from '../../../packages/server/src/snapshots/recount-lists.ts';
import type { NewSnapshotRow } from '../../../packages/server/src/snapshots/repository.ts';
import { createStoreTogether } from '../../../packages/server/src/snapshots/store-together.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startServiceOn } from '../../support/service.ts';

const masterKey = '01'.repeat(32);
const keyA = '00000000-0000-4000-8000-00000000000a';
const keyB = '00000000-0000-4000-8000-00000000000b';

interface Project {
  projectId: string;
  apiKeyId: string;
}

let made = 0;

function newRow({ projectId }: Project): NewSnapshotRow {
  made += 1;
  return {
    ...{ id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`, project_id: projectId },
    ...{ created_at: Date.now(), machine_name: 'm', os: null, arch: 'x64', outcome: null, outcome_of: null },
    ...{ runtime_versions: '{}', metadata: '{}', dependencies: '{}' },
    ...{ env_names: '[]', env_ciphertext: Buffer.of(1) },
  };
}

function newAnswer({ projectId }: Project, scope: string): NewStoredAnswer {
  return {
    ...{ scope, project_id: projectId, fingerprint: 'f', status_code: 201, response: Buffer.from('{}') },
    ...{ response_encrypted: false, created_at: 1, expires_at: Date.now() + 60_000 },
  };
}

const event = { id: '01890000-0000-7000-8000-00000000000e', event: 'snapshot.created' };

function newClaim({ projectId, apiKeyId }: Project) {
  const draftEvent = () => ({ ...event, projectId, payload: '{}', traceparent: 'trace', nowMs: 5 });
  return { apiKeyId, answer: undefined, draftEvent };
}

function addWebhook(database: Database, { projectId }: Project, id: string, changes = {}) {
  return database.run(
    database.dialect.builder('webhooks').insert({
      ...{ id, project_id: projectId, url: 'https://example.com/', active: true },
      ...{ events: '["snapshot.created"]', secret_ciphertext: Buffer.of(1), created_at: 1, updated_at: 1 },
      ...changes,
    }),
  );
}

async function contents(database: Database) {
  const { builder } = database.dialect;
  const all = (table: string, order: string) => database.all(builder(table).select('*').orderBy(order));
  return {
    snapshots: await all('snapshots', 'id'),
    quotas: await all('project_quotas', 'project_id'),
    machines: await all('machines', 'project_id'),
    blocks: await all('snapshot_blocks', 'first_at'),
    answers: await all('idempotency_keys', 'scope'),
  };
}

describeEachDatabase((openDatabase) => {
  describe.skipIf(openDatabase.databaseName === 'sqlite')('the statement for snapshots of one moment', () => {
    it('stores one that nothing stands against, with its answer for retries', async () => {
      const database = await openDatabase();
      const service = await startServiceOn(database);
      const project = await service.bootstrap();
      const storeTogether = createStoreTogether(database, () => undefined);
      const claim = { ...newClaim(project), answer: newAnswer(project, 'scope') };
      expect(await storeTogether?.(newRow(project), undefined, claim)).toBe(true);
      const { snapshots, machines, answers } = await contents(database);
      expect(snapshots).toHaveLength(1);
      expect(machines).toMatchObject([{ snapshots: 1 }]);
      expect(answers).toMatchObject([claim.answer]);
      expect(await listMiscounts(database)).toEqual([]);
      expect(await listStaleLists(database)).toEqual([]);
    });

    /** Makes that something stands against a snapshot. */
    const obstacles: Record<string, (database: Database, project: Project) => Promise<unknown>> = {
      'a full quota': (database, { projectId }) =>
        database.run(
          database.dialect
            .builder('project_quotas')
            .where({ project_id: projectId })
            .update({ max_snapshots: 0 }),
        ),
      'a revoked key': (database, { apiKeyId }) =>
        database.run(database.dialect.builder('api_keys').where({ id: apiKeyId }).delete()),
      'a role that may only read': (database, { apiKeyId }) =>
        database.run(database.dialect.builder('api_keys').where({ id: apiKeyId }).update({ role: 'viewer' })),
      'a deleted project': (database, { projectId }) =>
        database.run(database.dialect.builder('projects').where({ id: projectId }).update({ deleted_at: 1 })),
      'a fingerprint key that has been replaced': (database, { projectId }) =>
        database.run(
          database.dialect
            .builder('project_quotas')
            .where({ project_id: projectId })
            .update({ fingerprint_key_id: keyB }),
        ),
      'an answer that is known': (database, project) =>
        database.run(database.dialect.builder('idempotency_keys').insert(newAnswer(project, 'scope'))),
    };

    it.each(Object.entries(obstacles))('leaves nothing of one against %s', async (_name, prepare) => {
      const database = await openDatabase();
      const service = await startServiceOn(database);
      const [project, other] = [await service.bootstrap(), await service.bootstrap()];
      await database.run(database.dialect.builder('project_quotas').update({ fingerprint_key_id: keyA }));
      await prepare(database, project);
      const before = await contents(database);
      const storeTogether = createStoreTogether(database, () => undefined);
      const claim = { ...newClaim(project), answer: newAnswer(project, 'scope') };
      const [passedOver, stored] = await Promise.all([
        storeTogether?.(newRow(project), keyA, claim),
        storeTogether?.(newRow(other), keyA, newClaim(other)),
      ]);
      expect(passedOver).toBe(false);
      expect(stored).toBe(true);
      const after = await contents(database);
      const of = ({ projectId }: Project, rows: unknown[]) =>
        (rows as { project_id: string }[]).filter((row) => row.project_id === projectId);
      expect(of(project, after.snapshots)).toEqual([]);
      expect(of(project, after.machines)).toEqual([]);
      expect(of(project, after.blocks)).toEqual([]);
      expect(of(project, after.quotas)).toEqual(of(project, before.quotas));
      expect(after.answers).toEqual(before.answers);
      expect(of(other, after.snapshots)).toHaveLength(1);
    });

    it.each([
      ['its quotas', 'select 1 from project_quotas for update'],
      ['its key', 'select 1 from api_keys for update'],
      ['its Idempotency-Key', "select pg_advisory_xact_lock(hashtextextended('scope', 0))"],
    ])('waits for nobody: one whose project has %s locked is passed over', async (_what, sql) => {
      const database = await openDatabase();
      const service = await startServiceOn(database);
      const project = await service.bootstrap();
      const storeTogether = createStoreTogether(database, () => undefined);
      const claim = { ...newClaim(project), answer: newAnswer(project, 'scope') };
      const held = Promise.withResolvers<void>();
      const done = Promise.withResolvers<void>();
      const holding = database.transact(async (executor) => {
        await executor.all(executor.dialect.builder.raw(sql));
        held.resolve();
        await done.promise;
      });
      await held.promise;
      expect(await storeTogether?.(newRow(project), undefined, claim)).toBe(false);
      done.resolve();
      await holding;
      expect(await storeTogether?.(newRow(project), undefined, claim)).toBe(true);
    });
  });

  describe.skipIf(openDatabase.databaseName === 'sqlite')('an event of a snapshot stored so', () => {
    it('comes with a delivery for each webhook that listens, and wakes the dispatcher', async () => {
      const database = await openDatabase();
      const service = await startServiceOn(database);
      const [project, other] = [await service.bootstrap(), await service.bootstrap()];
      await addWebhook(database, project, keyA);
      await addWebhook(database, project, keyB);
      await addWebhook(database, project, '00000000-0000-4000-8000-00000000000c', { active: false });
      await addWebhook(database, other, '00000000-0000-4000-8000-00000000000d', {
        events: '["file.uploaded"]',
      });
      let announced = 0;
      const storeTogether = createStoreTogether(database, () => {
        announced += 1;
      });
      expect(await storeTogether?.(newRow(other), undefined, newClaim(other))).toBe(true);
      expect(announced).toBe(0);
      expect(await storeTogether?.(newRow(project), undefined, newClaim(project))).toBe(true);
      expect(announced).toBe(1);
      const { builder } = database.dialect;
      expect(await database.all(builder('outbox_events').select('*'))).toEqual([
        {
          ...{ ...event, project_id: project.projectId },
          ...{ payload: '{}', traceparent: 'trace', created_at: 5 },
        },
      ]);
      const deliveries = await database.all(builder('webhook_deliveries').select('*').orderBy('webhook_id'));
      const queued = { event_id: event.id, project_id: project.projectId, state: 'pending', attempt: 0 };
      expect(deliveries).toMatchObject(
        [keyA, keyB].map((webhookId) => ({
          ...{ ...queued, webhook_id: webhookId },
          ...{ next_attempt_at: 5, created_at: 5, id: expect.stringMatching(/^01890000-0000-7000-[89ab]/) },
        })),
      );
      expect((await contents(database)).snapshots).toHaveLength(2);
      expect(await listMiscounts(database)).toEqual([]);
    });

    it('is not stored without a webhook that somebody is deleting: the snapshot is passed over', async () => {
      const database = await openDatabase();
      const service = await startServiceOn(database);
      const project = await service.bootstrap();
      await addWebhook(database, project, keyA);
      await addWebhook(database, project, keyB);
      const storeTogether = createStoreTogether(database, () => undefined);
      const held = Promise.withResolvers<void>();
      const done = Promise.withResolvers<void>();
      const { builder } = database.dialect;
      const deleting = database.transact(async (executor) => {
        await executor.run(builder('webhooks').where({ id: keyB }).delete());
        held.resolve();
        await done.promise;
      });
      await held.promise;
      expect(await storeTogether?.(newRow(project), undefined, newClaim(project))).toBe(false);
      expect(await database.all(builder('outbox_events').select('*'))).toEqual([]);
      expect((await contents(database)).snapshots).toEqual([]);
      done.resolve();
      await deleting;
      expect(await storeTogether?.(newRow(project), undefined, newClaim(project))).toBe(true);
      expect(await database.all(builder('webhook_deliveries').select('webhook_id'))).toEqual([
        { webhook_id: keyA },
      ]);
    });
  });

  describe('snapshots from everywhere at once', () => {
    it('are stored once each, up to the quota, with exact counts, on two servers', async () => {
      const target = await openDatabase.target('migrated');
      const first = await openDatabase.again(target);
      const isEmbedded = openDatabase.databaseName === 'sqlite';
      const second = isEmbedded ? first : await openDatabase.again(target);
      const servers = [
        await startServiceOn(first, { ENVSNAP_MAX_SNAPSHOTS: '30' }, masterKey),
        await startServiceOn(second, { ENVSNAP_MAX_SNAPSHOTS: '30' }, masterKey),
      ] as const;
      const projects = await Promise.all(Array.from({ length: 4 }, () => servers[0].bootstrap()));
      // One has somebody who listens.
      const webhook = { url: 'https://example.com/', events: ['snapshot.created'] };
      const { apiKey: listened = '' } = projects[0] ?? {};
      await servers[0].request('POST', '/machine/webhooks', { key: listened, body: webhook });

      const post = (index: number) => {
        const { apiKey: key } = projects[index % projects.length] as { apiKey: string };
        // Every key of a retry is used twice, on both servers.
        const headers = { 'idempotency-key': `request ${index}` };
        const body = { machineName: `machine ${index % 3}`, os: index % 5 === 0 ? 'darwin' : 'linux' };
        const send = (server: (typeof servers)[number]) =>
          server.request('POST', '/machine/snapshots', { key, body, headers });
        return Promise.all(servers.map(send));
      };
      const answers = await Promise.all(Array.from({ length: 160 }, (_, index) => post(index)));
      const statuses = new Set(answers.flat().map(({ status }) => status));
      for (const status of statuses) expect([201, 403, 409]).toContain(status);
      const idsOf = (pair: (typeof answers)[number]) => pair.flatMap(({ body }) => body.id ?? []);
      // Both answers to a request are of the same snapshot.
      for (const pair of answers) expect(new Set(idsOf(pair)).size).toBeLessThanOrEqual(1);
      const ids = new Set(answers.flatMap(idsOf));
      expect(ids.size).toBe(30 * projects.length);

      const { snapshots, quotas } = await contents(first);
      expect(new Set((snapshots as { id: string }[]).map(({ id }) => id))).toEqual(ids);
      for (const quota of quotas) expect(quota).toMatchObject({ snapshots_used: 30, machines_used: 3 });
      expect(await listMiscounts(first)).toEqual([]);
      expect(await listStaleLists(first)).toEqual([]);
      const events = await first.all(first.dialect.builder('outbox_events').select('id'));
      expect(events).toHaveLength(30);
    });
  });
});
