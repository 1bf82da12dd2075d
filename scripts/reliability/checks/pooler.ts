// PgBouncer in transaction mode in front of PostgreSQL, with fewer connections than the servers want.

import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Check, every, none, shown, shownP99 } from '../check.ts';
import { freePort } from '../postgres-server.ts';
import { findMissing, folderOf, startProgram, unprivilegedUser } from '../programs.ts';
import { bootstrap, countStatuses, send, workers } from '../requests.ts';
import type { World } from '../world.ts';

/** Connections to PostgreSQL that PgBouncer may open. */
const poolSize = 5;
const servers = 3;

/** Whether the PgBouncer here can keep named statements, and its version. */
function examine(): { version: string; keepsStatements: boolean } {
  const [, version = '0.0'] =
    /PgBouncer (\S+)/.exec(spawnSync('pgbouncer', ['--version']).stdout.toString()) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { version, keepsStatements: major > 1 || minor >= 21 };
}

/** The same database through its own PgBouncer. */
async function startPooler(world: World, databaseUrl: string, preparedStatements: number): Promise<string> {
  const user = unprivilegedUser();
  const folder = folderOf(world, user);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const own = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    ...(preparedStatements > 0 ? [`max_prepared_statements = ${preparedStatements}`] : []),
  ];
  writeFileSync(file, settings.join('\n'));
  chmodSync(file, 0o644);
  await startProgram(world, ['pgbouncer', file], { user, port: own });
  return `postgres://${username}:unused@127.0.0.1:${own}${pathname}`;
}

export const pooler: Check = {
  name: 'pooler',
  what: `${servers} servers share ${poolSize} connections of PgBouncer in transaction mode: start at once, read, write, count, back up`,
  unavailable: () => (findMissing('pgbouncer') ? 'pgbouncer is not installed' : undefined),
  async run(context) {
    const { version, keepsStatements } = examine();
    return [
      shown('PgBouncer', version),
      ...(await behindPooler(context, 0)),
      ...(keepsStatements ? await behindPooler(context, 200) : []),
    ];
  },
};

async function behindPooler({ rounds, world }: Parameters<Check['run']>[0], preparedStatements: number) {
  const named = preparedStatements > 0 ? 'with named statements: ' : '';
  const postgres = await world.postgres();
  const direct = await postgres.createDatabase();
  const databaseUrl = await startPooler(world, direct, preparedStatements);
  const env = { ENVSNAP_DATABASE_POOL_SIZE: '10' };
  const started = await Promise.all(
    Array.from({ length: servers }, () => world.startServer({ databaseUrl, env })),
  );
  const urls = started.map(({ url }) => url);
  const { key, projectId } = await bootstrap(urls[0] as string);

  const answers: { status: number; ms: number }[] = [];
  let acknowledged = 0;
  const endMs = performance.now() + rounds(20) * 1000;
  await workers(
    24,
    () => performance.now() > endMs,
    async (worker) => {
      const url = `${urls[worker % servers]}/machine/snapshots`;
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const made = await send('POST', url, { key, headers, body: { machineName: 'm' } });
      if (made.status === 201) acknowledged += 1;
      answers.push(made, await send('GET', `${url}/${made.body?.id}`, { key }));
    },
  );
  const total = await postgres.count(direct, 'snapshots');

  const fresh = await send('POST', `${urls[0]}/machine/keys`, { key, body: { label: 'limited' } });
  const limit = await world.command(['quota', 'set', projectId, '--requests-per-minute', '60'], {
    DATABASE_URL: databaseUrl,
    ENVSNAP_DATA_DIR: world.folder(),
  });
  const limited = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      send('GET', `${urls[index % servers]}/machine/usage`, { key: fresh.body.apiKey }),
    ),
  );

  const operator = { DATABASE_URL: databaseUrl, ENVSNAP_DATA_DIR: world.folder() };
  const file = path.join(world.folder(), 'backup');
  const commands = [await world.command(['backup', file], operator)];
  const copy = new URL(await postgres.createDatabase());
  const copyUrl = new URL(databaseUrl);
  copyUrl.pathname = copy.pathname;
  const target = { DATABASE_URL: copyUrl.href, ENVSNAP_DATA_DIR: world.folder() };
  commands.push(await world.command(['restore', file], target));
  commands.push(await world.command(['prune'], target), await world.command(['doctor'], target));
  const ends = await Promise.all(started.map((server) => server.end()));
  const locks = await postgres.count(direct, "pg_locks where locktype = 'advisory'");
  return [
    none(
      `${named}responses that are neither 200 nor 201, of ${answers.length}`,
      answers.filter(({ status }) => status !== 200 && status !== 201).length,
    ),
    shown(`${named}statuses`, JSON.stringify(countStatuses(answers))),
    every(`${named}snapshots stored, of those acknowledged`, total, acknowledged),
    every(
      `${named}admitted by a limit of 60, of 200 at once over the servers`,
      limit.exitCode === 0 ? limited.filter(({ status }) => status === 200).length : -1,
      60,
    ),
    every(
      `${named}backup, restore, prune and doctor through the pooler`,
      commands.filter(({ exitCode }) => exitCode === 0).length,
      commands.length,
    ),
    every(`${named}servers that ended with 0`, ends.filter((code) => code === 0).length, servers),
    none(`${named}locks left behind`, locks),
    shownP99(
      `${named}requests`,
      answers.map(({ ms }) => ms),
    ),
  ];
}
