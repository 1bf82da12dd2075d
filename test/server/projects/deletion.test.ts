// Deleting a project or a webhook: unusable at once, its rows and files removed in slices afterwards.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteFilesOf } from '../../../packages/server/src/files/service.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { listWebhooks } from '../../../packages/server/src/operator/project-commands.ts';
import {
  contentSlices,
  deletedAtOnce,
  deletedInSlices,
} from '../../../packages/server/src/projects/deletion-repository.ts';
import { createDeletionWorker } from '../../../packages/server/src/projects/deletion-worker.ts';
import { insertAttempt } from '../../../packages/server/src/webhooks/delivery-repository.ts';
import { deleteWebhook } from '../../../packages/server/src/webhooks/repository.ts';
import { describeEachDatabase, type OpenDatabase } from '../../support/databases.ts';
import { startProject, startService, type TestService } from '../../support/service.ts';
import { createWorld, multipart } from '../api/world.ts';

/** Every table with rows of projects, as the database itself lists them. */
async function listTables({ databaseName }: OpenDatabase, database: Database): Promise<string[]> {
  const sql =
    databaseName === 'sqlite'
      ? "select m.name as name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'project_id'"
      : `select c.table_name as name from information_schema.columns c join pg_class on relname = c.table_name
        where c.table_schema = 'public' and c.column_name = 'project_id' and not relispartition and relkind in ('r', 'p')`;
  const rows = await database.all<{ name: string }>(database.dialect.builder.raw(sql));
  return rows.map(({ name }) => name).sort();
}

function createWorker(database: Database, afterFiles: () => void = () => undefined) {
  const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
  return createDeletionWorker({ database, logger, deleteFiles: deleteFilesOf, afterFiles });
}

describeEachDatabase((openDatabase) => {
  describe('a deleted project', () => {
    it('knows every table that has rows of projects', { tags: 'both-databases' }, async () => {
      const database = await openDatabase();
      const known = [...deletedAtOnce, ...deletedInSlices.map(({ name }) => name), 'files'];
      expect(await listTables(openDatabase, database)).toEqual(known.sort());
    });

    it('can be neither reached nor decrypted after the response, while its rows still exist', async () => {
      const service = await startService(openDatabase);
      const { database } = service;
      const world = await createWorld(service);
      const stranger = await service.bootstrap();
      const { builder } = database.dialect;
      await service.send(world.keys.owner, 'DELETE', `/machine/projects/${world.projectId}`);

      const own = await service.send(world.keys.owner, 'GET', '/machine/snapshots');
      expect([own.status, own.body.code]).toEqual([401, 'invalid_api_key']);
      for (const path of ['projects/:id', 'team/:id/members']) {
        const answer = await service.send(
          stranger.apiKey,
          'GET',
          `/machine/${path.replace(':id', world.projectId)}`,
        );
        expect([path, answer.status]).toEqual([path, 404]);
      }
      for (const table of deletedAtOnce) {
        const query = builder(table).count({ left: '*' }).where('project_id', world.projectId);
        expect(await database.get(query)).toEqual({ left: 0 });
      }
      const row = await database.get<{ name: string }>(
        builder('projects').select('name', 'description').where('id', world.projectId),
      );
      expect(row ?? { name: '', description: null }).toEqual({ name: '', description: null });
    });

    it('leaves nothing, however much there was and however often the work was interrupted, and others untouched', {
      tags: 'both-databases',
    }, async () => {
      const service = await startService(openDatabase);
      const { database } = service;
      const { builder } = database.dialect;
      const [gone, kept] = [await createWorld(service), await createWorld(service)];
      for (const world of [gone, kept]) {
        for (let index = 0; index < 3; index += 1)
          await service.request('POST', '/machine/files', {
            key: world.keys.owner,
            ...multipart(`file ${index}`),
          });
        await database.run(
          builder('request_logs').insert(
            Array.from({ length: 450 }, (_, index) => ({
              project_id: world.projectId,
              api_key_id: world.keyId,
              method: 'GET',
              path: '/',
              route: '/',
              // Many at the same time.
              status_code: 200,
              response_time_ms: 1,
              created_at: 1_800_000_000_000 + (index >> 5),
            })),
          ),
        );
      }
      await service.stop();
      const tables = await listTables(openDatabase, database);
      const countsOf = async (projectId: string) =>
        Object.fromEntries(
          await Promise.all(
            tables.map(async (table) => {
              const query = database.dialect
                .builder(table)
                .count({ rows: '*' })
                .where('project_id', projectId);
              return [table, (await database.get<{ rows: number }>(query))?.rows];
            }),
          ),
        );
      const before = await countsOf(kept.projectId);
      await database.run(builder('projects').where('id', gone.projectId).update({ deleted_at: 1 }));
      for (const table of deletedAtOnce)
        await database.run(builder(table).where('project_id', gone.projectId).delete());

      // Each worker is stopped after its first slice.
      for (let interruption = 0; interruption < 3; interruption += 1) {
        const worker = createWorker(database);
        worker.start();
        await worker.stop();
      }
      let filesGone = 0;
      await createWorker(database, () => {
        filesGone += 1;
      }).finish();

      expect(await countsOf(gone.projectId)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
      expect(await database.all(builder('projects').select('id').where('id', gone.projectId))).toEqual([]);
      expect(await countsOf(kept.projectId)).toEqual(before);
      const blobs = await database.get(builder('unneeded_blobs').count({ queued: '*' }));
      expect(blobs).toEqual({ queued: 4 });
      expect(filesGone).toBeGreaterThan(0);
    });
  });

  it('large snapshots of a project go one at a time, whatever a slice may hold', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    for (let index = 0; index < 4; index += 1) {
      const envVars = Object.fromEntries(
        Array.from({ length: index < 2 ? 25 : 1 }, (_, at) => [`V${at}`, 'x'.repeat(30_000)]),
      );
      const made = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm', envVars });
      expect(made.status).toBe(201);
    }
    const { database } = service;
    const deleteSnapshots =
      contentSlices('project')[deletedInSlices.findIndex(({ name }) => name === 'snapshots')];
    const remainingCounts: number[] = [];
    for (let more: boolean | undefined = true; more; ) {
      more = await database.transact(
        (executor) => deleteSnapshots?.(executor, projectId, 100) ?? Promise.reject(),
      );
      const { rows } = (await database.get(database.dialect.builder('snapshots').count({ rows: '*' }))) as {
        rows: number;
      };
      remainingCounts.push(Number(rows));
    }
    expect(remainingCounts).toEqual([3, 0]);
  });

  describe('a deleted webhook', () => {
    async function subscribe(service: TestService, key: string): Promise<string> {
      const body = { url: 'https://hooks.example.com/envsnap', events: ['snapshot.created'] };
      return (await service.send(key, 'POST', '/machine/webhooks', body)).body.id;
    }

    it('is gone after the response, whatever is left of it', async () => {
      const service = await startService(openDatabase);
      const { builder } = service.database.dialect;
      const { apiKey: key, projectId } = await service.bootstrap();
      const id = await subscribe(service, key);
      await service.database.run(
        builder('project_quotas').where('project_id', projectId).update({ max_webhooks: 1 }),
      );
      // In the state after the response to its deletion.
      await service.database.run(deleteWebhook, { projectId, id, nowMs: 1 });

      expect((await service.send(key, 'GET', `/machine/webhooks/${id}`)).status).toBe(404);
      expect((await service.send(key, 'DELETE', `/machine/webhooks/${id}`)).status).toBe(404);
      expect((await service.send(key, 'POST', `/machine/webhooks/${id}/test`)).status).toBe(404);
      expect((await service.send(key, 'GET', '/machine/webhooks')).body).toMatchObject({ webhooks: [] });
      expect(await service.database.all(listWebhooks, { projectId })).toEqual([]);
      expect(await subscribe(service, key)).not.toBe(id);
      const row = await service.database.get(
        builder('webhooks').select('url', 'secret_ciphertext').where('id', id),
      );
      expect(row).toEqual({ url: '', secret_ciphertext: Buffer.alloc(0) });
    });

    it('leaves nothing, however long its log was and however often the work was interrupted, and others untouched', {
      tags: 'both-databases',
    }, async () => {
      const service = await startService(openDatabase);
      const { database } = service;
      const { builder } = database.dialect;
      const { apiKey: key, projectId } = await service.bootstrap();
      const [gone, kept] = [await subscribe(service, key), await subscribe(service, key)];
      await service.stop();
      for (const webhookId of [gone, kept]) {
        for (let attempt = 1; attempt <= 250; attempt += 1) {
          await database.run(insertAttempt, {
            id: randomUUID(),
            project_id: projectId,
            webhook_id: webhookId,
            delivery_id: randomUUID(),
            event_id: randomUUID(),
            event: 'snapshot.created',
            attempt,
            response_status: 200,
            success: true,
            error: null,
            duration_ms: 1,
            attempted_at: 1_800_000_000_000,
          });
        }
      }
      await database.run(deleteWebhook, { projectId, id: gone, nowMs: 1 });
      for (let interruption = 0; interruption < 2; interruption += 1) {
        const worker = createWorker(database);
        worker.start();
        await worker.stop();
      }
      await createWorker(database).finish();

      const remainingRows = await database.all(
        builder('webhook_attempts').select('webhook_id').count({ rows: '*' }).groupBy('webhook_id'),
      );
      expect(remainingRows).toEqual([{ webhook_id: kept, rows: 250 }]);
      expect(await database.all(builder('webhooks').select('id'))).toEqual([{ id: kept }]);
    });

    it('does not wait for a large project that is being removed', async () => {
      const database = await openDatabase();
      const { builder } = database.dialect;
      const [large, other, webhook] = [randomUUID(), randomUUID(), randomUUID()];
      for (const [id, deletedAt] of [
        [large, 1],
        [other, null],
      ] as const)
        await database.run(
          builder('projects').insert({ id, name: 'p', created_at: 0, updated_at: 0, deleted_at: deletedAt }),
        );
      await database.run(
        builder('webhooks').insert({
          id: webhook,
          project_id: other,
          url: 'http://127.0.0.1/',
          events: '["snapshot.created"]',
          secret_ciphertext: Buffer.of(1),
          active: true,
          created_at: 0,
          updated_at: 0,
        }),
      );
      const begun = Promise.withResolvers<void>();
      let isLarge = true;
      const worker = createDeletionWorker({
        database,
        logger: createLogger({ level: 'silent', destination: { write: () => undefined } }),
        // A project with endless files, until the test has seen enough.
        deleteFiles: async () => {
          begun.resolve();
          return isLarge;
        },
        afterFiles: () => undefined,
      });
      worker.start();
      await begun.promise;
      await database.run(deleteWebhook, { projectId: other, id: webhook, nowMs: 2 });
      await worker.catchUp('webhook');
      expect(await database.all(builder('webhooks').select('id'))).toEqual([]);
      expect(await database.all(builder('projects').select('id').where('id', large))).toEqual([
        { id: large },
      ]);
      isLarge = false;
      await worker.finish();
      expect(await database.all(builder('projects').select('id'))).toEqual([{ id: other }]);
      await worker.stop();
    });
  });
});
