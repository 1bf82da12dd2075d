// The rotation of the master key as docs/hosting.md describes it: no step fails a request, in any order of restarts.
//
// @module-tag both-databases
//
// @module-tag release

import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeEachDatabase, temporaryFolder } from '../support/databases.ts';
import { runServerCommandHere, type ServerProcess, startServerIn } from '../support/programs.ts';

const [older, newer] = [1, 2].map(() => randomBytes(32).toString('hex'));
const bothNewFirst = `new:${newer},old:${older}`;
/** The servers' settings in each step. */
const beforeRotation = [`old:${older}`, `old:${older},new:${newer}`, bothNewFirst];

async function call(url: string, key: string | undefined, body?: unknown) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([url, response.status]).toEqual([url, body === undefined ? 200 : 201]);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (await response.json()) as any;
}

describeEachDatabase((openDatabase) => {
  it('goes one server at a time, and every server can read what the others store', async () => {
    const { url, dataDir } = await openDatabase.target('empty');
    // An embedded database has one server.
    const folders = url === undefined ? [dataDir] : [temporaryFolder(), temporaryFolder()];
    const envOf = (keys: string) => ({
      ENVSNAP_ENCRYPTION_KEY: keys,
      ...(url !== undefined && { DATABASE_URL: url }),
    });
    const command = (keys: string, ...args: string[]) =>
      runServerCommandHere([...args, '--data-dir', `${folders[0]}/data`], envOf(keys));
    const servers: ServerProcess[] = [];
    const stored: { key: string; path: string; value: string }[] = [];

    async function storeAndRead(): Promise<void> {
      for (const server of servers) {
        const project = { projectName: 'p' };
        const { apiKey: key } = await call(`${server.url}/machine/keys/bootstrap`, undefined, project);
        const value = randomBytes(8).toString('hex');
        const body = { machineName: 'm', envVars: { VALUE: value } };
        const { id } = await call(`${server.url}/machine/snapshots`, key, body);
        stored.push({ key, path: `/machine/snapshots/${id}`, value });
      }
      for (const server of servers)
        for (const { key, path, value } of stored)
          expect((await call(server.url + path, key)).envVars.VALUE).toBe(value);
    }
    async function restartAll(keys: string): Promise<void> {
      for (const [index, folder] of folders.entries()) {
        const before = servers[index];
        before?.running.child.kill('SIGTERM');
        await before?.running.finished;
        servers[index] = await startServerIn(folder, envOf(keys));
        await storeAndRead();
      }
    }

    for (const keys of beforeRotation) await restartAll(keys);
    const rotated = await command(bothNewFirst, 'keys', 'rotate', '--json');
    expect([rotated.exitCode, JSON.parse(rotated.stdout).retired]).toEqual([0, [expect.any(String)]]);
    await storeAndRead();
    await restartAll(`new:${newer}`);
    const alone = await command(`new:${newer}`, 'doctor');
    expect([alone.exitCode, alone.stdout]).toEqual([0, expect.stringMatching(/nothing is wrong/)]);
  });

  it('can be undone before the keys are wrapped again', { tags: 'release' }, async () => {
    const { url, dataDir } = await openDatabase.target('empty');
    const envOf = (keys: string) => ({
      ENVSNAP_ENCRYPTION_KEY: keys,
      ...(url !== undefined && { DATABASE_URL: url }),
    });
    for (const keys of [`old:${older}`, bothNewFirst, `old:${older}`]) {
      const server = await startServerIn(dataDir, envOf(keys));
      server.running.child.kill('SIGTERM');
      expect((await server.running.finished).exitCode).toBe(0);
    }
    const env = envOf(`old:${older}`);
    const status = await runServerCommandHere(['keys', 'status', '--data-dir', `${dataDir}/data`], env);
    expect([status.exitCode, status.stderr]).toEqual([0, '']);
  });
});
