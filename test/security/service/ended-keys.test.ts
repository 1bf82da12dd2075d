// However a key ends, and on whichever server: everything that depends on it ends with it, on every server.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../packages/server/src/infra/db/migrate.ts';
import { beginDownload, fileBytes, takeRest, upload } from '../../server/files/support.ts';
import { describeEachDatabase, temporaryFolder } from '../../support/databases.ts';
import { runServerCommand, runServerCommandHere, startServerIn } from '../../support/programs.ts';
import { startServiceOn, type TestService } from '../../support/service.ts';

const masterKey = 'e5'.repeat(32);

/** A key, the response that showed it, and the owner's key of its project. */
interface Held {
  readonly projectId: string;
  readonly owner: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly showAgain: () => Promise<{ readonly status: number; readonly text: string }>;
}

describeEachDatabase((openDatabase) => {
  async function start() {
    const target = await openDatabase.target('migrated');
    const database = await openDatabase.again(target);
    await migrate(database);
    const env = { ENVSNAP_DATA_DIR: target.dataDir };
    const service = await startServiceOn(database, env, masterKey);
    // One embedded database has one server.
    const other = target.url === undefined ? database : await openDatabase.again(target);
    const replica = await startServiceOn(other, env, masterKey);
    const operate = (...args: string[]) =>
      runServerCommandHere([...args, '--json'], {
        ...env,
        ENVSNAP_ENCRYPTION_KEY: masterKey,
        ...(target.url !== undefined && { DATABASE_URL: target.url }),
      });
    return { service, replica, operate };
  }

  async function show(service: TestService, path: string, key: string | undefined, body: unknown) {
    const headers = { 'idempotency-key': `the request that has shown a key: ${path}` };
    const answer = await service.request('POST', path, { key, body, headers });
    return { status: answer.status, text: JSON.stringify(answer.body), body: answer.body };
  }

  /** A key from a response to a request with an Idempotency-Key. */
  async function hold(service: TestService, pathIn?: (projectId: string) => string): Promise<Held> {
    const { projectId, apiKey: owner } = await service.bootstrap();
    const path = pathIn?.(projectId);
    const body = { role: 'member' };
    const showAgain =
      path === undefined
        ? () => show(service, '/machine/projects', owner, { name: 'another' })
        : () => show(service, path, owner, body);
    const made = (await showAgain()).body;
    return path === undefined
      ? { projectId: made.projectId, owner: made.apiKey, ...made, showAgain }
      : { projectId, owner, ...made, showAgain };
  }

  /** Things that depend on a key: a session and a link of the console, and a download that waits for its reader. */
  async function use(service: TestService, replica: TestService, { apiKey, owner }: Held) {
    const answer = await fetch(`${service.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ key: apiKey }),
      redirect: 'manual',
    });
    const cookie = String(answer.headers.get('set-cookie')).split(';')[0] as string;
    const link = (await service.send(apiKey, 'POST', '/machine/console-links', {})).body.url as string;
    const { id } = (await upload(service, { key: owner, content: new Uint8Array(fileBytes) })).body;
    const download = await beginDownload(replica.url, `/machine/files/${id}`, apiKey);
    return { cookie, link: new URL(link).search, download };
  }

  const look = async (url: string, cookie = '') =>
    (await fetch(url, { headers: { accept: 'text/html', cookie }, redirect: 'manual' })).status;

  describe('a key that has ended', () => {
    const title = 'opens nothing, nor does what it has opened';
    it(`${title}: revoked, or its project deleted`, () => openNothing(['revoked', 'deleted']));
    it(`${title}: removed, expired, or reset`, { tags: 'release' }, () =>
      openNothing(['removed', 'expired', 'reset']),
    );

    async function openNothing(tried: readonly string[]): Promise<void> {
      const { service, replica, operate } = await start();
      const keys = '/machine/keys';
      const { database } = service;
      const all: readonly [string, () => Promise<Held>, (held: Held) => Promise<unknown>][] = [
        ['reset', () => hold(service), ({ projectId }) => operate('keys', 'reset-owner', projectId)],
        [
          'revoked',
          () => hold(service, () => keys),
          ({ owner, apiKeyId }) => service.send(owner, 'DELETE', `${keys}/${apiKeyId}`),
        ],
        [
          'removed',
          () => hold(service, (id) => `/machine/team/${id}/members`),
          async ({ owner, projectId, apiKeyId }) => {
            const path = `/machine/team/${projectId}/members`;
            const { members } = (await service.send(owner, 'GET', path)).body;
            const { id } = members.find((member: { apiKeyId: string }) => member.apiKeyId === apiKeyId);
            return service.send(owner, 'DELETE', `${path}/${id}`);
          },
        ],
        [
          'expired',
          () => hold(service, () => keys),
          ({ apiKeyId: id }) =>
            database.run(
              database.dialect.builder('api_keys').where({ id }).update({ expires_at: Date.now() }),
            ),
        ],
        [
          'deleted',
          () => hold(service),
          ({ owner, projectId }) => service.send(owner, 'DELETE', `/machine/projects/${projectId}`),
        ],
      ];
      const chosen = all.filter(([way]) => tried.includes(way));
      const ways = await Promise.all(
        chosen.map(async ([way, make, end]) => [way, await make(), end] as const),
      );
      const used = await Promise.all(ways.map(([, held]) => use(service, replica, held)));
      for (const [place, [way, held]] of ways.entries()) {
        const { cookie } = used[place] as (typeof used)[number];
        expect([way, (await held.showAgain()).status]).toEqual([way, 201]);
        for (const { url } of [service, replica])
          expect([way, await look(`${url}/console/runs`, cookie)]).toEqual([way, 200]);
      }
      for (const [, held, end] of ways) await end(held);
      await sleep(2500);
      for (const [place, [way, held]] of ways.entries()) {
        const { cookie, link, download } = used[place] as (typeof used)[number];
        const opened = await Promise.all(
          [service, replica].map(async (one) => ({
            api: (await one.send(held.apiKey, 'GET', '/machine/keys/current')).status,
            session: await look(`${one.url}/console/runs`, cookie),
            link: await look(`${one.url}/console/sign-in${link}`),
          })),
        );
        const shown = await held.showAgain();
        expect({
          way,
          opened,
          shown: [shown.status, shown.text.includes(held.apiKey)],
          isDownloadWhole: (await takeRest(download)) >= fileBytes,
        }).toEqual({
          way,
          opened: Array(2).fill({ api: 401, session: 303, link: 401 }),
          shown: [404, false],
          isDownloadWhole: false,
        });
      }
    }
  });
});

// A second server on one data folder, while the first runs, and after it was killed.

it('a second server on a data folder is refused with the name of the first, and served after its kill', {
  tags: 'release',
}, async () => {
  const folder = temporaryFolder();
  const dataDir = path.join(folder, 'data');
  const first = await startServerIn(folder);
  const { pid } = first.running.child;
  const refused = await runServerCommand(['start', '--port', '0', '--data-dir', dataDir]);
  expect([refused.stdout, refused.exitCode]).toEqual(['', 2]);
  expect(refused.stderr).toMatch(/^envsnap-server: another envsnap-server [^\n]+\n$/);
  expect(refused.stderr).toContain(`(process ${pid}, ${first.url}, since `);
  expect(refused.stderr).toContain(dataDir);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);

  // Operators' commands still work.
  expect((await runServerCommandHere(['migrate', '--status', '--data-dir', dataDir])).exitCode).toBe(0);

  first.running.child.kill('SIGKILL');
  await first.running.finished;
  expect(existsSync(path.join(dataDir, 'server.json'))).toBe(true);
  const second = await startServerIn(folder);
  const again = await runServerCommand(['start', '--port', '0', '--data-dir', dataDir]);
  expect(again.stderr).toContain(`(process ${second.running.child.pid}, ${second.url}, since `);
});
