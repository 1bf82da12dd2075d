// A server whose heap is small, whatever the machine has: large snapshots from many callers are refused in time.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { type DatabaseTarget, describeEachDatabase } from '../support/databases.ts';
import { programs } from '../support/programs.ts';

const callers = 40;

/** Starts only the server, because the code that watches traffic in other tests would need the heap. */
async function startOnSmallHeap({ url: database, dataDir }: DatabaseTarget): Promise<string> {
  ensureBuilt();
  const args = ['--max-old-space-size=160', programs.server, 'start', '--port', '0'];
  const child = spawn(process.execPath, [...args, '--data-dir', path.join(dataDir, 'data')], {
    env: {
      ...childEnvironment,
      HOME: dataDir,
      ENVSNAP_RATE_PER_MINUTE: '10000',
      ENVSNAP_LOG_LEVEL: 'silent',
      ...(database !== undefined && { DATABASE_URL: database, ENVSNAP_ENCRYPTION_KEY: 'ab'.repeat(32) }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAfterTest(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.kill('SIGTERM')) await ended;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const [url] = /http:\S+/.exec(String(chunk)) ?? [];
      if (url) resolve(url);
    });
  });
}

describeEachDatabase((openDatabase) => {
  it('stays alive under forty callers who store and read snapshots of 7.5 MB', {
    tags: 'release',
  }, async () => {
    const url = await startOnSmallHeap(await openDatabase.target('empty'));
    const request = async (method: string, target: string, key?: string, body?: string) => {
      const response = await fetch(`${url}${target}`, {
        method,
        headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { status: response.status, length: text.length, text };
    };
    const project = JSON.stringify({ projectName: 'p' });
    const { apiKey } = JSON.parse(
      (await request('POST', '/machine/keys/bootstrap', undefined, project)).text,
    );
    const packages = Object.fromEntries(
      Array.from({ length: 95_000 }, (_, place) => [
        `package-${place}-${'x'.repeat(30)}`,
        `1.0.${place}-${'y'.repeat(20)}`,
      ]),
    );
    const body = JSON.stringify({ machineName: 'm', dependencies: { 'package-lock.json': packages } });
    expect(body.length).toBeGreaterThan(7_500_000);
    const statuses = new Set<number>();
    const storeAndRead = async () => {
      const stored = await request('POST', '/machine/snapshots', apiKey, body);
      statuses.add(stored.status);
      if (stored.status !== 201) return;
      const target = `/machine/snapshots/${JSON.parse(stored.text).id}`;
      statuses.add((await request('GET', target, apiKey)).status);
    };
    await Promise.all(Array.from({ length: callers }, storeAndRead));
    // Refused requests succeed when repeated one after the other.
    const stored = await request('POST', '/machine/snapshots', apiKey, body);
    expect(stored.status).toBe(201);
    const read = await request('GET', `/machine/snapshots/${JSON.parse(stored.text).id}`, apiKey);
    expect([read.status, read.length > 7_000_000]).toEqual([200, true]);
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect((await request('GET', '/health')).status).toBe(200);
  });
});
