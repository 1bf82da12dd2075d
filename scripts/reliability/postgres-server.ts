// A PostgreSQL server for checks: which they start, kill, freeze and start again.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { loadEmbeddedPostgres } from '../../test/support/reachable-postgres.ts';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** Starts PostgreSQL in a new folder. Commits are durable, as in production. */
export async function startPostgres(folder: string) {
  mkdirSync(folder, { mode: 0o755 });
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const EmbeddedPostgres = await loadEmbeddedPostgres(folder);
  const databaseDir = path.join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'envsnap',
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
    ],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const urlOf = (database: string) => `postgres://envsnap:${password}@127.0.0.1:${port}/${database}`;
  let created = 0;

  async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = server.getPgClient(new URL(url).pathname.slice(1), '127.0.0.1');
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
  /** The server's process and those of its connections. */
  function signal(name: NodeJS.Signals): void {
    const [pid = ''] = readFileSync(path.join(databaseDir, 'postmaster.pid'), 'utf8').split('\n');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const one of [pid, ...children]) {
      try {
        process.kill(Number(one), name);
      } catch {
        // A connection that has ended in the meantime.
      }
    }
  }
  return {
    port,
    /** A new, empty database; its URL. */
    async createDatabase(): Promise<string> {
      created += 1;
      const name = `check_${created}`;
      await query(urlOf('postgres'), `create database ${name}`);
      return urlOf(name);
    },
    async restart() {
      await server.stop();
      await server.start();
    },
    /** Stops every process of the server without ending it; `thaw` lets them go on. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    query,
    /** Counts rows of a table, with an optional condition. */
    count: async (url: string, table: string) =>
      Number((await query(url, `select count(*) from ${table}`))[0]?.count),
    stop: () => server.stop(),
  };
}

/** A port of loopback on which nothing listens right now. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
