import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectHealth } from '@envsnap/shared';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';

const { emptyHealth } = readTestData<{ emptyHealth: object }>(import.meta);

const run = (result: 'passed' | 'failed', node: string, of = 'test') => ({
  runtimeVersions: { node },
  metadata: { outcome: { result, of } },
});

describeEachDatabase((openDatabase) => {
  async function start(env: Record<string, string> = {}) {
    const { service, key } = await startProject(openDatabase, { ENVSNAP_JOB_SECONDS: '100', ...env });
    return {
      service,
      key,
      store: (machineName: string, part: object = {}) => store(service, key, machineName, part),
      health: async () => (await service.send(key, 'GET', '/machine/health')).body as ProjectHealth,
    };
  }

  async function store(service: TestService, key: string, machineName: string, part: object) {
    const answer = await service.send(key, 'POST', '/machine/snapshots', { machineName, ...part });
    expect(answer.status).toBe(201);
    // Two snapshots of one millisecond have no order.
    await sleep(2);
    return answer.body.id as string;
  }

  it('lists only the quotas for an empty project', async () => {
    const { health } = await start({ ENVSNAP_MAX_SNAPSHOTS: '50' });
    expect(await health()).toEqual(emptyHealth);
  });

  it('says of each machine whether it changed or departs from its own policy', {
    tags: 'both-databases',
  }, async () => {
    const { store, health } = await start();
    const policy = (node: string) => ({
      policy: { path: 'envsnap.yml', text: `expect:\n  runtimes:\n    node: '${node}'\n` },
    });
    await store('steady', { runtimeVersions: { node: '22.11.0' } });
    const steady = await store('steady', { runtimeVersions: { node: '22.11.0' } });
    const before = await store('changed', { runtimeVersions: { node: '22.11.0' } });
    const changed = await store('changed', { runtimeVersions: { node: '24.4.1' } });
    const departs = await store('departs', { runtimeVersions: { node: '24.4.1' }, metadata: policy('22') });
    const { machines, machineCount } = await health();
    expect(machineCount).toBe(3);
    expect(machines).toMatchObject([
      { machineName: 'departs', snapshotId: departs, state: 'departs', previousSnapshotId: null },
      {
        machineName: 'changed',
        snapshotId: changed,
        state: 'changed',
        counting: 1,
        previousSnapshotId: before,
      },
      { machineName: 'steady', snapshotId: steady, state: 'steady', counting: 0, cause: null },
    ]);
    expect(machines[1]?.cause).toEqual({
      what: 'node is 22.11.0 in the previous snapshot, 24.4.1 in this one (major)',
      advice: 'use node 22.11.0 in this one',
    });
    // Results of comparisons are stored, and the second response equals the first.
    expect((await health()).machines).toEqual(machines);
  });

  it('compares a machine with its snapshots of the same kind, and those that are left', async () => {
    const { service, key, store, health } = await start();
    const first = await store('m', { runtimeVersions: { node: '22.11.0' } });
    await store('m', run('passed', '20.1.0'));
    const second = await store('m', { runtimeVersions: { node: '24.4.1' } });
    expect((await health()).machines).toMatchObject([{ snapshotId: second, previousSnapshotId: first }]);
    expect((await service.send(key, 'DELETE', `/machine/snapshots/${first}`)).status).toBe(200);
    expect((await health()).machines).toMatchObject([
      { snapshotId: second, previousSnapshotId: null, state: 'steady' },
    ]);
  });

  it('says of each name of runs how the last ones ended, since when it fails, and why', {
    tags: 'both-databases',
  }, async () => {
    const { store, health } = await start();
    for (let count = 0; count < 31; count += 1) await store('ci', run('passed', '22.11.0', 'lint'));
    await store('ci', run('failed', '20.1.0'));
    const passed = await store('ci', run('passed', '22.11.0'));
    const [one, two] = [
      await store('ci-1', run('failed', '24.4.1')),
      await store('ci-2', run('failed', '24.4.1')),
    ];
    const { runs } = await health();
    expect(runs.map(({ of, last, failingSince }) => [of, last.length, failingSince])).toEqual([
      ['test', 4, runs[0]?.last[1]?.createdAt],
      ['lint', 30, null],
    ]);
    expect(runs[0]).toMatchObject({
      failedRuns: 2,
      lastPassedId: passed,
      cause: {
        what: 'node is 22.11.0 in the run that passed, 24.4.1 in this run (major)',
        advice: 'use node 22.11.0 in this run',
      },
    });
    expect(runs[0]?.last.slice(0, 2)).toMatchObject([
      { id: two, result: 'failed' },
      { id: one, result: 'failed' },
    ]);
  });

  it('says before and now of a machine, also where its snapshots are the runs that are compared', async () => {
    const { store, health } = await start();
    await store('ci', run('passed', '22.11.0'));
    await store('ci', run('failed', '24.4.1'));
    const read = async () => {
      const { machines, runs } = await health();
      return [machines[0]?.cause?.what, runs[0]?.cause?.what];
    };
    const expected = [
      'node is 22.11.0 in the previous snapshot, 24.4.1 in this one (major)',
      'node is 22.11.0 in the run that passed, 24.4.1 in this run (major)',
    ];
    expect(await read()).toEqual(expected);
    expect(await read()).toEqual(expected);
  });

  it('never advises to repair an earlier snapshot', async () => {
    const { store, health } = await start();
    for (const [node, satisfied] of Object.entries({ '24.4.1': false, '22.11.0': true })) {
      const toolchain = { node: { declared: [{ version: '22.11', source: '.nvmrc', satisfied }] } };
      await store('ci', { runtimeVersions: { node }, metadata: { toolchain } });
    }
    const [machine] = (await health()).machines;
    expect(machine?.cause?.advice).toMatch(/^change nothing in this one: the previous snapshot /);
  });

  it('names no cause if no run has passed', async () => {
    const { store, health } = await start();
    await store('ci', run('failed', '24.4.1'));
    expect((await health()).runs).toMatchObject([{ failedRuns: 1, lastPassedId: null, cause: null }]);
  });

  it('shows no value of a variable, not even to a viewer', async () => {
    const { service, key, store } = await start();
    const { body: viewer } = await service.send(key, 'POST', '/machine/keys', { role: 'viewer' });
    await store('m', { envVars: { API_URL: 'https://old.invalid', NODE_ENV: 'production' } });
    await store('m', { envVars: { API_URL: 'https://new.invalid', NODE_ENV: 'development' } });
    const { status, body } = await service.send(viewer.apiKey, 'GET', '/machine/health');
    expect(status).toBe(200);
    expect(body.machines).toMatchObject([{ state: 'changed', counting: 2 }]);
    expect(JSON.stringify(body)).not.toMatch(/invalid|production|development/);
  });

  it('judges a machine by the defaults where the policy that it carries cannot be read', async () => {
    const { store, health } = await start();
    await store('odd', { metadata: { policy: { path: 'p.yml', text: 'ignore: [' } } });
    await store('small', { runtimeVersions: { node: '22.11.0' } });
    expect((await health()).machines.map(({ machineName }) => machineName).sort()).toEqual(['odd', 'small']);
  });
});
