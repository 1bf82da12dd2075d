// Snapshots of runs: a separate limit, at which the oldest are deleted, outside the snapshots' quota.

import { describe, expect, it } from 'vitest';
import { listMiscounts } from '../../../packages/server/src/operator/recount.ts';
import { listStaleMachines } from '../../../packages/server/src/snapshots/machine-counts.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';

const env = { ENVSNAP_MAX_SNAPSHOTS: '2', ENVSNAP_MAX_RUNS: '3' };

describeEachDatabase((openDatabase) => {
  describe('snapshots of runs', () => {
    async function start() {
      const { service, key } = await startProject(openDatabase, env);
      const store = (machineName: string, outcome?: unknown) =>
        service.send(key, 'POST', '/machine/snapshots', {
          machineName,
          ...(outcome !== undefined && { metadata: { outcome } }),
        });
      const names = async (query = '') => {
        const { body } = await service.send(key, 'GET', `/machine/snapshots${query}`);
        const found = body.snapshots.map(({ machineName }: { machineName: string }) => machineName);
        expect(body.total).toBe(found.length);
        return found as string[];
      };
      const usage = async () => {
        const { resources, quotas } = (await service.send(key, 'GET', '/machine/usage')).body;
        return { ...resources, maxRuns: quotas.maxRuns, maxSnapshots: quotas.maxSnapshots };
      };
      return { service, key, store, names, usage };
    }

    it('are never refused: the oldest are removed, and no other snapshot is', async () => {
      const { service, store, names, usage } = await start();
      expect((await store('kept 1')).status).toBe(201);
      for (let index = 1; index <= 5; index += 1) {
        // The earlier form is an outcome too.
        const outcome = index === 2 ? 'failed' : { result: index === 4 ? 'failed' : 'passed', of: 'ci' };
        expect((await store(`run ${index}`, outcome)).status).toBe(201);
      }
      expect((await store('kept 2')).status).toBe(201);
      const refused = await store('kept 3');
      expect([refused.status, refused.body.error]).toEqual([403, 'Snapshot quota exceeded (max 2)']);
      expect((await store('run 6', { result: 'passed' })).status).toBe(201);
      // A value that only looks like an outcome counts against the quota.
      expect((await store('kept 4', { result: 'unknown' })).status).toBe(403);
      expect(await names()).toEqual(['run 6', 'kept 2', 'run 5', 'run 4', 'kept 1']);
      expect(await names('?outcome=failed')).toEqual(['run 4']);
      expect(await usage()).toMatchObject({ snapshots: 2, runs: 3, maxSnapshots: 2, maxRuns: 3 });
      expect(await listMiscounts(service.database)).toEqual([]);
      expect(await listStaleMachines(service.database)).toEqual([]);
    });

    it('free their place when they are deleted', async () => {
      const { service, key, store, names, usage } = await start();
      const { id } = (await store('run 1', { result: 'passed' })).body;
      await store('run 2', { result: 'passed' });
      await store('kept 1');
      expect((await service.send(key, 'DELETE', `/machine/snapshots/${id}`)).status).toBe(200);
      expect(await usage()).toMatchObject({ snapshots: 1, runs: 1 });
      await store('run 3', { result: 'failed' });
      await store('run 4', { result: 'failed' });
      expect(await names()).toEqual(['run 4', 'run 3', 'kept 1', 'run 2']);
    });

    it('are counted exactly when many come at the same moment', { tags: 'both-databases' }, async () => {
      const { service, store, usage } = await start();
      const stored = await Promise.all(
        Array.from({ length: 30 }, (_, index) => store(`run ${index}`, { result: 'passed' })),
      );
      expect(stored.map(({ status }) => status)).toEqual(new Array(30).fill(201));
      expect(await usage()).toMatchObject({ snapshots: 0, runs: 3 });
      expect(await listMiscounts(service.database)).toEqual([]);
      expect(await listStaleMachines(service.database)).toEqual([]);
    });

    it('are removed to make room for the bytes of a run, while a snapshot beyond the quota is refused', {
      tags: 'both-databases',
    }, async () => {
      const limits = { ENVSNAP_MAX_RUNS: '100', ENVSNAP_MAX_SNAPSHOT_BYTES: '20000' };
      const { service, key } = await startProject(openDatabase, limits);
      const store = async (machineName: string, bytes: number, outcome?: unknown) =>
        service.send(key, 'POST', '/machine/snapshots', {
          machineName,
          metadata: { text: 'x'.repeat(bytes), ...(outcome !== undefined && { outcome }) },
        });
      const storage = async () => (await service.send(key, 'GET', '/machine/usage')).body.snapshotStorage;
      const names = async () =>
        (await service.send(key, 'GET', '/machine/snapshots')).body.snapshots.map(
          (each: { machineName: string }) => each.machineName,
        );
      const { id } = (await store('kept', 8000)).body;
      for (const name of ['run 1', 'run 2', 'run 3']) await store(name, 3000, { result: 'passed' });
      const refused = await store('refused', 4000);
      expect([refused.status, refused.body.code, refused.body.error]).toEqual([
        403,
        'snapshot_storage_quota_exceeded',
        'Snapshot storage quota exceeded (max 20000 bytes)',
      ]);
      expect((await store('run 4', 5000, { result: 'passed' })).status).toBe(201);
      expect(await names()).toEqual(['run 4', 'run 3', 'run 2', 'kept']);
      const { usedBytes, maxBytes } = await storage();
      expect([usedBytes > 19_000 && usedBytes <= 20_000, maxBytes]).toEqual([true, 20_000]);
      // Storing a run never fails, however large it is.
      expect((await store('run 5', 30_000, { result: 'passed' })).status).toBe(201);
      expect(await names()).toEqual(['run 5', 'kept']);
      await service.send(key, 'DELETE', `/machine/snapshots/${id}`);
      expect((await storage()).usedBytes).toBeLessThan(31_000);
      expect(await listMiscounts(service.database)).toEqual([]);
    });

    it('are removed at once when an operator has lowered their number', async () => {
      const { service, store, usage } = await start();
      for (let index = 1; index <= 3; index += 1) await store(`run ${index}`, { result: 'passed' });
      const { builder } = service.database.dialect;
      await service.database.run(builder('project_quotas').update({ max_runs: 1 }));
      await store('run 4', { result: 'passed' });
      expect(await usage()).toMatchObject({ runs: 1, maxRuns: 1 });
    });
  });
});
