import { statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { folderOfTest, temporaryFolder } from '../../support/databases.ts';
import { runServerCommandHere, startServerIn } from '../../support/programs.ts';
import { fillDisk, mountSmallDisk } from '../../support/small-disk.ts';

async function call(url: string, method: string, key?: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** Stores snapshots with some megabytes and deletes all but one; its key and id. */
async function storeAndDelete(url: string): Promise<{ key: string; id: string }> {
  const { apiKey: key } = (
    await call(`${url}/machine/keys/bootstrap`, 'POST', undefined, { projectName: 'p' })
  ).body;
  const envVars = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`A${n}`, 'x'.repeat(4000)]));
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const made = await call(`${url}/machine/snapshots`, 'POST', key, { machineName: 'm', envVars });
    ids.push(made.body.id);
  }
  const [id = '', ...others] = ids;
  for (const other of others)
    expect((await call(`${url}/machine/snapshots/${other}`, 'DELETE', key)).status).toBe(200);
  return { key, id };
}

it('compact returns the space of deleted rows while a server keeps running', async () => {
  const folder = folderOfTest();
  const server = await startServerIn(folder);
  const { key, id } = await storeAndDelete(server.url);
  const data = path.join(folder, 'data');
  const compacted = await runServerCommandHere(['compact', '--json', '--data-dir', data]);
  expect([compacted.exitCode, compacted.stderr]).toEqual([0, expect.stringContaining('in use')]);
  const { bytesBefore, bytesAfter } = JSON.parse(compacted.stdout);
  expect(bytesAfter).toBeLessThan(bytesBefore / 2);
  const snapshotRead = await call(`${server.url}/machine/snapshots/${id}`, 'GET', key);
  expect([snapshotRead.status, snapshotRead.body.envVars.A7]).toEqual([200, 'x'.repeat(4000)]);
  expect((await call(`${server.url}/machine/snapshots`, 'POST', key, { machineName: 'later' })).status).toBe(
    201,
  );
  server.running.child.kill('SIGTERM');
  await server.running.finished;
  expect(statSync(path.join(data, 'envsnap.db')).size).toBeLessThan(bytesBefore / 2);
  const again = await runServerCommandHere(['compact', '--data-dir', data]);
  expect([again.exitCode, again.stdout, again.stderr]).toEqual([
    0,
    expect.stringMatching(/^nothing to compact: the database takes .* MiB\n$/),
    '',
  ]);
  expect((await runServerCommandHere(['doctor', '--data-dir', data])).exitCode).toBe(0);
});

it('compact refuses PostgreSQL, and a disk without room for the copy, before it changes anything', {
  tags: 'release',
}, async ({ skip }) => {
  const env = {
    DATABASE_URL: await (await fetch(`${inject('postgresBroker')}/migrated`)).text(),
    ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32),
  };
  const postgres = await runServerCommandHere(['compact', '--data-dir', temporaryFolder()], env);
  expect([postgres.exitCode, postgres.stderr]).toEqual([2, expect.stringContaining('VACUUM FULL')]);
  const disk = mountSmallDisk(32 * 1024 * 1024);
  if (disk === undefined) return skip('mounting a small disk needs root');
  const server = await startServerIn(disk);
  await storeAndDelete(server.url);
  server.running.child.kill('SIGTERM');
  await server.running.finished;
  const file = path.join(disk, 'data/envsnap.db');
  const { size } = statSync(file);
  const filler = fillDisk(disk, 32 * 1024 * 1024);
  // Enough to open the database, but not for a copy of it.
  truncateSync(filler, statSync(filler).size - 256 * 1024);
  const refused = await runServerCommandHere(['compact', '--data-dir', path.join(disk, 'data')]);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('bytes of free space')]);
  expect(statSync(file).size).toBe(size);
});
