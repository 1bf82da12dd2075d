import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { claimNotice, deleteNotice } from '../../../packages/server/src/health/notice-queue.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startServiceOn, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const env = {
  ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
  ENVSNAP_WEBHOOK_RETRY_SECONDS: '0,0,0',
  ENVSNAP_JOB_SECONDS: '100',
};
const masterKey = 'ab'.repeat(32);
const noticed = ['environment.changed', 'run.failed', 'run.recovered'];

const node = (version: string) => ({ runtimeVersions: { node: version } });
const run = (result: 'passed' | 'failed', version: string, of = 'test') => ({
  ...node(version),
  metadata: { outcome: { result, of } },
});

async function store(service: TestService, key: string, machineName: string, part: object): Promise<string> {
  const answer = await service.send(key, 'POST', '/machine/snapshots', { machineName, ...part });
  expect(answer.status).toBe(201);
  // Two snapshots of one millisecond have no order.
  await sleep(2);
  return answer.body.id as string;
}

async function countQueued(service: TestService): Promise<number> {
  const { builder } = service.database.dialect;
  return (await service.database.all(builder('pending_notices').select('snapshot_id'))).length;
}

/** Waits until no notice is left to compute or deliver. */
async function settled(service: TestService): Promise<void> {
  const { builder } = service.database.dialect;
  const owed = () =>
    service.database.all(builder('webhook_deliveries').select('id').where('state', 'pending'));
  await vi.waitFor(
    async () => {
      expect(await countQueued(service)).toBe(0);
      expect(await owed()).toEqual([]);
    },
    { timeout: 60_000, interval: 50 },
  );
}

describeEachDatabase((openDatabase) => {
  async function start(events: readonly string[] = noticed) {
    const { service, key } = await startProject(openDatabase, env);
    const receiver = await startReceiver(() => 200);
    const webhook = await service.send(key, 'POST', '/machine/webhooks', { url: receiver.origin, events });
    expect(webhook.status).toBe(201);
    return {
      service,
      key,
      store: (machineName: string, part: object) => store(service, key, machineName, part),
      events: async () => {
        await settled(service);
        return receiver.received.map(({ body }) => JSON.parse(body.toString()));
      },
    };
  }

  it('reports that a machine changed since its previous snapshot', async () => {
    const { store, events } = await start();
    const first = await store('m', node('22.11.0'));
    await store('other', node('24.4.1'));
    const second = await store('m', node('24.4.1'));
    await store('m', node('24.4.1'));
    expect(await events()).toEqual([
      {
        id: expect.any(String),
        event: 'environment.changed',
        timestamp: expect.any(String),
        data: {
          snapshotId: second,
          previousSnapshotId: first,
          machineName: 'm',
          counting: 1,
          causes: [
            { what: expect.stringContaining('node is 22.11.0 in the previous'), advice: expect.anything() },
          ],
        },
      },
    ]);
  });

  it('judges by the policy of the newer snapshot, and shows no value of a variable', async () => {
    const { store, events } = await start();
    const tolerant = { policy: { path: 'p.yaml', text: 'failOn: env\n' } };
    await store('m', { ...node('22.11.0'), envVars: { API_URL: 'https://old.invalid' } });
    await store('m', { ...node('24.4.1'), envVars: { API_URL: 'https://old.invalid' }, metadata: tolerant });
    await store('m', { ...node('24.4.1'), envVars: { API_URL: 'https://new.invalid' }, metadata: tolerant });
    const sent = await events();
    expect(sent).toMatchObject([{ event: 'environment.changed', data: { counting: 1 } }]);
    expect(sent[0].data.causes[0].what).toMatch(/API_URL/);
    expect(JSON.stringify(sent)).not.toContain('invalid');
  });

  it('reports a series of failures once, again when its causes change, and at its end', async () => {
    const { store, events } = await start();
    const passed = await store('ci', run('passed', '22.11.0'));
    const first = await store('ci-1', run('failed', '24.4.1'));
    await store('ci-2', run('failed', '24.4.1'));
    const other = await store('ci-3', run('failed', '20.9.0'));
    await store('ci-4', run('failed', '24.4.1'));
    await store('ci', run('failed', '24.4.1', 'lint'));
    const recovered = await store('ci-5', run('passed', '22.11.0'));
    await store('ci-6', run('passed', '22.11.0'));
    const sent = (await events()).map(({ event, data }) => ({ event, ...data }));
    const { failingSince } = sent[0];
    const expectedCause = expect.stringContaining('node is 22.11.0 in the run');
    const causes = [{ what: expectedCause, advice: expect.anything() }];
    expect(sent).toEqual([
      {
        event: 'run.failed',
        snapshotId: first,
        of: 'test',
        machineName: 'ci-1',
        lastPassedId: passed,
        failingSince,
        causes,
      },
      {
        event: 'run.failed',
        snapshotId: other,
        of: 'test',
        machineName: 'ci-3',
        lastPassedId: passed,
        failingSince,
        causes,
      },
      expect.objectContaining({ event: 'run.failed', of: 'lint', lastPassedId: null, causes: [] }),
      { event: 'run.recovered', snapshotId: recovered, of: 'test', machineName: 'ci-5', failedRuns: 4 },
    ]);
  });

  it('computes nothing if no webhook subscribes to it', async () => {
    const { service, store, events } = await start(['snapshot.created', 'environment.changed']);
    await store('ci', run('passed', '22.11.0'));
    await store('ci', run('failed', '24.4.1'));
    expect(await countQueued(service)).toBe(0);
    expect((await events()).map(({ event }) => event)).toEqual(['snapshot.created', 'snapshot.created']);
  });

  it('reports each event once, whichever server stops and however many share the work', {
    tags: 'both-databases',
  }, async () => {
    const database = await openDatabase();
    const start = () => startServiceOn(database, env, masterKey);
    const first = await start();
    const { apiKey: key } = await first.bootstrap();
    const receiver = await startReceiver(() => 200);
    await first.send(key, 'POST', '/machine/webhooks', { url: receiver.origin, events: noticed });
    const expected: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      await store(first, key, `m${count}`, node('22.11.0'));
      expected.push(await store(first, key, `m${count}`, node('24.4.1')));
    }
    // In the middle of its work.
    await first.stop();
    expect(await countQueued(first)).toBeGreaterThan(0);
    const [second, third] = [await start(), await start()];
    for (let count = 6; count < 12; count += 1) {
      const service = count % 2 === 0 ? second : third;
      await store(service, key, `m${count}`, node('22.11.0'));
      expected.push(await store(service, key, `m${count}`, node('24.4.1')));
    }
    await settled(second);
    const sent = receiver.received.map(({ body }) => JSON.parse(body.toString()).data.snapshotId);
    expect(sent.sort()).toEqual(expected.sort());
  });

  it('gives up a comparison that takes too much work at the first attempt', { tags: 'release' }, async () => {
    const { service, key, store, events } = await start();
    const patterns = Array.from({ length: 40 }, (_, place) => `  - "*${'{a,b}'.repeat(9)}*${place}"`);
    const policy = { path: '.envsnap.yaml', text: ['ignore:', ...patterns].join('\n') };
    for (const version of ['1', '2']) {
      const packages = Array.from({ length: 20_000 }, (_, place) => [`package-${place}`, version]);
      const dependencies = { 'package-lock.json': Object.fromEntries(packages) };
      await store('m', { dependencies, metadata: { policy } });
    }
    const { builder } = service.database.dialect;
    const attempts: number[] = [];
    await vi.waitFor(async () => {
      const queued = await service.database.all(builder('pending_notices').select('attempts'));
      attempts.push(...queued.map((row) => (row as { attempts: number }).attempts));
      expect(queued).toEqual([]);
    }, 60_000);
    expect(Math.max(0, ...attempts)).toBeLessThan(2);
    expect(await events()).toEqual([]);
    const [machine] = (await service.send(key, 'GET', '/machine/health')).body.machines;
    expect(machine).toMatchObject({ machineName: 'm', counting: null });
  });

  it('responds to a creation before it computes anything, and forgets a deleted snapshot', async () => {
    const { service, key, store, events } = await start();
    await store('m', node('22.11.0'));
    const second = await store('m', node('24.4.1'));
    expect((await service.send(key, 'DELETE', `/machine/snapshots/${second}`)).status).toBe(200);
    expect((await events()).every(({ data }) => data.snapshotId === second)).toBe(true);
    expect(await countQueued(service)).toBe(0);
  });

  it('takes turns between payers, so that many notices of one delay no other', {
    tags: 'both-databases',
  }, async () => {
    const database = await openDatabase();
    const service = await startServiceOn(database, env, masterKey);
    const { builder } = database.dialect;
    const ids: string[] = [];
    const notices: object[] = [];
    for (const payer of ['b', 'a']) {
      const { apiKey, projectId } = await service.bootstrap();
      await database.run(builder('project_quotas').where('project_id', projectId).update({ payer }));
      for (const name of ['1', '2', '3']) {
        const at = ids.push(await store(service, apiKey, name, {}));
        const times = { created_at: at, due_at: at, attempts: 0 };
        notices.push({ snapshot_id: ids.at(-1), project_id: projectId, ...times });
      }
    }
    await service.stop();
    await database.run(builder('pending_notices').insert(notices));
    const claimed: number[] = [];
    for (const lastPayer of ['', 'a', 'b', 'a', 'b', 'a']) {
      const claim = await database.get(claimNotice, { nowMs: 9, leaseUntilMs: 99, lastPayer });
      claimed.push(ids.indexOf(claim?.snapshot_id ?? ''));
      await database.run(deleteNotice, { snapshotId: claim?.snapshot_id ?? '' });
    }
    expect(claimed).toEqual([3, 0, 4, 1, 5, 2]);
  });
});
