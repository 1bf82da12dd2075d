// @module-tag both-databases

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { startReceiver } from '../server/webhooks/receiver.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { type DatabaseTarget, describeEachDatabase } from '../support/databases.ts';
import { programs } from '../support/programs.ts';

const masterKey = randomBytes(32).toString('hex');
const writers = 4;

interface RunningProgram {
  readonly url: string;
  readonly process: ChildProcess;
}

async function startProgram(target: DatabaseTarget): Promise<RunningProgram> {
  const child = spawn(process.execPath, [programs.server, 'start', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...childEnvironment,
      ENVSNAP_DATA_DIR: target.dataDir,
      ENVSNAP_ENCRYPTION_KEY: masterKey,
      ENVSNAP_WEBHOOK_ALLOW: '127.0.0.1',
      ENVSNAP_WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0,1,1,1',
      ENVSNAP_WEBHOOK_TIMEOUT_MS: '500',
      ENVSNAP_RATE_PER_MINUTE: '1000000',
      ENVSNAP_RATE_PER_DAY: '10000000',
      ENVSNAP_MAX_SNAPSHOTS: '1000000',
      ENVSNAP_LOG_LEVEL: 'error',
      ...(target.url === undefined ? {} : { DATABASE_URL: target.url }),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^envsnap-server listening on (http:\S+)$/.exec(line) ?? [];
    if (url) return { url, process: child };
  }
  throw new Error(`the server ended with ${child.exitCode}`);
}

async function end(program: RunningProgram, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(program.process, 'exit');
  program.process.kill(signal);
  const [code] = await exited;
  return code as number | null;
}

async function post(url: string, body: unknown, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

describeEachDatabase((openDatabase) => {
  // The reliability checks do this for an hour.
  const [sampled, all] = openDatabase.databaseName === 'sqlite' ? [[1], [4]] : [[], [2]];
  const title = 'kill -9 under load, %i times, loses no acknowledged snapshot, no event and no notice of one';
  test.each(sampled)(title, loseNothing);
  test.each(all)(title, { tags: 'release', timeout: 240_000 }, loseNothing);

  async function loseNothing(cycles: number): Promise<void> {
    ensureBuilt();
    const target = await openDatabase.target('empty');
    const [deliveries, notices] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
    const receiver = await startReceiver(({ headers, body }, index) => {
      const { event, data } = JSON.parse(body.toString());
      const about = event === 'snapshot.created' ? deliveries : notices;
      const ids = about.get(data.snapshotId) ?? new Set();
      about.set(data.snapshotId, ids.add(String(headers['webhook-id'])));
      return index % 10 === 3 ? 500 : 200;
    });
    let server = await startProgram(target);
    const { body: project } = await post(`${server.url}/machine/keys/bootstrap`, { projectName: 'p' });
    const key = String(project.apiKey);
    const events = ['snapshot.created', 'environment.changed', 'run.failed', 'run.recovered'];
    const subscription = { url: receiver.origin, events };
    expect((await post(`${server.url}/machine/webhooks`, subscription, key)).status).toBe(201);

    const acknowledged: string[] = [];
    let major = 0;
    // In turn a changed machine, a failing run and a passing run, each of which causes a notice.
    async function write(url: string, of: string): Promise<void> {
      for (let turn = 0; ; turn += 1) {
        try {
          major += 1;
          const result = [undefined, 'failed', 'passed'][turn % 3];
          const snapshot = {
            machineName: 'm',
            runtimeVersions: { node: `${major}.0.0` },
            ...(result && { metadata: { outcome: { result, of } } }),
          };
          await sleep(2);
          const { status, body } = await post(`${url}/machine/snapshots`, snapshot, key);
          if (status === 201) acknowledged.push(String(body.id));
        } catch {
          return;
        }
      }
    }
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const before = acknowledged.length;
      const writing = Array.from({ length: writers }, (_, at) => write(server.url, `${cycle}-${at}`));
      while (acknowledged.length < before + 3 * writers) await sleep(5);
      await sleep(Math.random() * 200);
      await end(server, 'SIGKILL');
      await Promise.all(writing);
      server = await startProgram(target);
    }

    // On PostgreSQL the leases of killed servers have to expire first: 15.5 s with these settings.
    await expect
      .poll(() => acknowledged.filter((id) => !deliveries.has(id)).length, { interval: 50 })
      .toBe(0);
    expect(acknowledged.length).toBeGreaterThanOrEqual(cycles * writers);
    // Each is reported once, except the machine's first.
    await expect.poll(() => deliveries.size - notices.size, { interval: 50, timeout: 60_000 }).toBe(1);
    const repeatedUnderAnotherId = [...deliveries, ...notices].filter(([, ids]) => ids.size !== 1);
    expect(repeatedUnderAnotherId).toEqual([]);

    expect(await end(server, 'SIGTERM')).toBe(0);
    const database = await openDatabase.again(target);
    const { builder } = database.dialect;
    const rows = await database.all<{ id: string }>(builder('snapshots').select('id'));
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  }
});
