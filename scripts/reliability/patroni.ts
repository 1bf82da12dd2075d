// A PostgreSQL cluster for checks: three nodes under Patroni with synchronous replication, etcd, and HAProxy in front, which
// forwards to the current leader. A node can be lost as with its machine, and return.

import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../packages/server/src/infra/db/postgres.ts';
import { freePort } from './postgres-server.ts';
import { findMissing, folderOf, startProgram, unprivilegedUser } from './programs.ts';
import type { World } from './world.ts';

const debianPrograms = '/usr/lib/postgresql';
const nodeNames = ['one', 'two', 'three'] as const;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly dataDir: string;
  readonly configFile: string;
  process: ChildProcess;
}

/** The program that is missing to run a cluster here; undefined if none is. */
export function findMissingPart(): string | undefined {
  const missing = findMissing('patroni', 'haproxy', 'etcd');
  if (missing) return `${missing} is not installed`;
  return binariesFolder() === undefined ? 'Debian’s PostgreSQL is not installed' : undefined;
}

function binariesFolder(): string | undefined {
  const versions = existsSync(debianPrograms) ? readdirSync(debianPrograms).map(Number) : [];
  const folders = versions.toSorted((a, b) => b - a).map((version) => `${debianPrograms}/${version}/bin`);
  return folders.find((folder) => existsSync(`${folder}/pg_basebackup`));
}

/** Starts the cluster; returns when it has a leader and a synchronous standby. */
export async function startCluster(world: World) {
  const user = unprivilegedUser();
  const folder = folderOf(world, user);
  const password = randomBytes(12).toString('hex');
  const etcdPort = await startEtcd(world, user);
  const nodes = new Map<string, Node>();

  const start = (configFile: string, restPort: number) =>
    startProgram(world, ['patroni', configFile], { user, env: { HOME: folder }, port: restPort });
  for (const name of nodeNames) {
    const [port, restPort] = [await freePort(), await freePort()];
    const dataDir = path.join(folderOf(world, user), 'data');
    const configFile = path.join(folder, `${name}.json`);
    // JSON is YAML.
    const config = nodeConfig({ name, port, restPort, dataDir, etcdPort, password, folder });
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o644 });
    world.onEnd(() => killPostgres(dataDir));
    nodes.set(name, {
      name,
      port,
      restPort,
      dataDir,
      configFile,
      process: await start(configFile, restPort),
    });
  }
  const proxyPort = await startHaproxy(world, user, [...nodes.values()]);
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${proxyPort}/${database}`;
  let created = 0;

  const cluster = {
    /** A new database, through HAProxy. */
    async createDatabase(): Promise<string> {
      created += 1;
      await cluster.query(urlOf('postgres'), `create database check_${created}`);
      return urlOf(`check_${created}`);
    },
    async query(url: string, sql: string): Promise<Record<string, unknown>[]> {
      const database = await openPostgres({ url, poolSize: 1 });
      try {
        return await database.all(database.dialect.builder.raw(sql));
      } finally {
        await database.close();
      }
    },
    /** The leader's name; undefined while there is none. */
    async leader(): Promise<string | undefined> {
      for (const { name, restPort } of nodes.values()) if (await answers(restPort, 'primary')) return name;
      return undefined;
    },
    /** Waits until the leader has a standby that confirms each commit. */
    untilSynchronous: (): Promise<void> =>
      until('a synchronous standby', async () => {
        const found = await Promise.all([...nodes.values()].map(({ restPort }) => answers(restPort, 'sync')));
        return (await cluster.leader()) !== undefined && found.includes(true);
      }),
    /** Kills a node with everything on it. */
    async lose(name: string): Promise<void> {
      const node = nodes.get(name) as Node;
      const ended = once(node.process, 'exit');
      node.process.kill('SIGKILL');
      killPostgres(node.dataDir);
      await ended;
    },
    async restore(name: string): Promise<void> {
      const node = nodes.get(name) as Node;
      node.process = await start(node.configFile, node.restPort);
    },
  };
  await cluster.untilSynchronous();
  await until('HAProxy leads to the leader', () =>
    cluster.query(urlOf('postgres'), 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return cluster;
}

type User = ReturnType<typeof unprivilegedUser>;

async function startEtcd(world: World, user: User): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = ['--name=only', `--data-dir=${path.join(folderOf(world, user), 'etcd')}`];
  args.push(`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`);
  args.push(`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`);
  await startProgram(world, ['etcd', ...args, `--initial-cluster=only=${peer}`], { user, port });
  return port;
}

async function startHaproxy(world: World, user: User, nodes: readonly Node[]): Promise<number> {
  const port = await freePort();
  const file = path.join(folderOf(world, user), 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen postgresql
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: own, restPort }) => `  server ${name} 127.0.0.1:${own} check port ${restPort}`).join('\n')}
`,
    { mode: 0o644 },
  );
  await startProgram(world, ['haproxy', '-db', '-f', file], { user, port });
  return port;
}

type NodeSettings = Omit<Node, 'configFile' | 'process'> & {
  etcdPort: number;
  password: string;
  folder: string;
};

function nodeConfig(settings: NodeSettings): object {
  const { name, port, restPort, dataDir, etcdPort, password, folder } = settings;
  const address = (of: number) => ({ listen: `127.0.0.1:${of}`, connect_address: `127.0.0.1:${of}` });
  return {
    scope: 'check',
    name,
    restapi: address(restPort),
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      // The shortest times that Patroni accepts.
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      ...address(port),
      data_dir: dataDir,
      bin_dir: binariesFolder(),
      pgpass: path.join(folder, `pgpass-${name}`),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '', password_encryption: 'scram-sha-256' },
    },
  };
}

/** Kills PostgreSQL in a folder with the processes of its connections, if it runs. */
function killPostgres(dataDir: string): void {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [pid = ''] = readFileSync(file, 'utf8').split('\n');
  let children: string[] = [];
  try {
    children = execFileSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' }).trim().split(/\s+/);
  } catch {
    // No file: it has ended.
  }
  for (const one of [pid, ...children]) {
    try {
      if (Number(one) > 1) process.kill(Number(one), 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** Whether a node says that it has this role. */
async function answers(restPort: number, role: 'primary' | 'sync'): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2000);
    const response = await fetch(`http://127.0.0.1:${restPort}/${role}`, { signal });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`${what}: not within two minutes`);
    await sleep(200);
  }
}
