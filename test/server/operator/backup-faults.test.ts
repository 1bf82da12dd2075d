import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  createWriteStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDiskFileStore } from '../../../packages/server/src/files/disk-file-store.ts';
import type { FileStore } from '../../../packages/server/src/files/file-store.ts';
import { sealedStreamBytes } from '../../../packages/server/src/infra/crypto/sealed-stream.ts';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { migrate, unfinishedRestore } from '../../../packages/server/src/infra/db/migrate.ts';
import { migrations } from '../../../packages/server/src/infra/db/migrations.ts';
import { createBackup } from '../../../packages/server/src/operator/backup/create-backup.ts';
import { openArchive } from '../../../packages/server/src/operator/backup/read-archive.ts';
import { restoreBackup, verifyBackup } from '../../../packages/server/src/operator/backup/restore-backup.ts';
import {
  type Row,
  tables,
  tablesLeftOut,
  writeRows,
} from '../../../packages/server/src/operator/backup/tables.ts';
import {
  describeEachDatabase,
  folderOfTest,
  type OpenDatabase,
  temporaryFolder,
} from '../../support/databases.ts';
import { programs, runServerCommand, runServerCommandHere, startServerIn } from '../../support/programs.ts';
import { fillDisk, mountSmallDisk } from '../../support/small-disk.ts';

const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

async function openTarget(open: OpenDatabase): Promise<Database> {
  const database = await openDatabase(await open.target('empty'));
  opened.push(database);
  return database;
}

const projectId = '00000000-0000-4000-8000-000000000001';
const fileId = '00000000-0000-4000-8000-000000000002';
const content = randomBytes(100);
/** Long enough for a backup to be ended among its bytes. */
const largeFileBytes = 95 * 1024 * 1024;

/** A project with so many logged requests, and the row of one file. */
async function fill(database: Database, requests: number): Promise<void> {
  const table = (name: string) => {
    const found = tables.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no table ${name}`);
    return found;
  };
  await database.transact(async (executor) => {
    const insert = (name: string, rows: Row[]) => writeRows(executor, table(name), rows);
    const times = { created_at: 1_700_000_000_000 };
    await insert('projects', [{ id: projectId, name: 'p', description: null, ...times, updated_at: 1 }]);
    await insert('project_quotas', [
      {
        project_id: projectId,
        max_snapshots: 1,
        max_files: 5,
        max_storage_bytes: 10_000,
        max_requests_per_minute: 1,
        max_requests_per_day: 1,
        files_used: 1,
        storage_used_bytes: content.length,
      },
    ]);
    await insert('files', [
      {
        id: fileId,
        project_id: projectId,
        filename: 'f',
        content_type: 'text/plain',
        size_bytes: content.length,
        checksum: createHash('sha256').update(content).digest('hex'),
        storage_key: fileId,
        ...times,
      },
    ]);
    const logged = Array.from({ length: requests }, (_, index) => ({
      project_id: projectId,
      api_key_id: projectId,
      method: 'GET',
      path: `/machine/snapshots/${randomBytes(20).toString('hex')}`,
      route: '/machine/snapshots/:id',
      status_code: 200,
      response_time_ms: index % 50,
      ...times,
    }));
    await insert('request_logs', logged);
  });
}

async function digestOfRequests(database: Database): Promise<string> {
  const columns = ['method', 'path', 'status_code', 'response_time_ms', 'created_at'];
  const rows = await database.all(database.dialect.builder('request_logs').select(columns).orderBy('path'));
  return `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
}

describeEachDatabase((openSource) => {
  it('every table is in a backup or named as left out of it', async () => {
    const { dialect, ...database } = await withQueries(await openSource());
    const names = await database.names(
      dialect.name === 'sqlite'
        ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        : "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
    );
    expect(names.sort()).toEqual([...tables.map(({ name }) => name), ...tablesLeftOut].sort());
  });

  describeEachDatabase((open) => {
    it('a restore takes thousands of rows, and has no transaction open while files are stored', async () => {
      const source = await openSource();
      await fill(source, 5000);
      const file = path.join(folderOfTest(), 'backup');
      const files = await openDiskFileStore(folderOfTest());
      // As many bytes as a sealed file of this size has.
      await files.put(fileId, chunks(randomBytes(sealedStreamBytes(content.length))));
      const { rows } = await createBackup(file, { database: source, store: files, masterKey: undefined });
      expect(rows.request_logs).toBe(5000);

      const target = await openTarget(open);
      const store = await openDiskFileStore(folderOfTest());
      const isLimited = target.dialect.name === 'postgresql';
      if (isLimited) await limitIdleTransactions(target);
      const slow = isLimited ? slowStore(store) : store;
      const restored = await restoreBackup(await verifyBackup(file), target, slow);
      expect(restored).toMatchObject({ files: 1, rows: { request_logs: 5000, projects: 1 } });
      expect(await digestOfRequests(target)).toBe(await digestOfRequests(source));
    });
  });

  it('a backup of version 0.1, compressed as a whole, is still restored', async () => {
    const source = await openSource();
    await fill(source, 10);
    const made = path.join(folderOfTest(), 'backup');
    await createBackup(made, { database: source, store: undefined, masterKey: undefined });
    const old = path.join(folderOfTest(), 'backup-of-0.1');
    await writeOldArchive(made, old);
    const target = await openTarget(openSource);
    const store = await openDiskFileStore(folderOfTest());
    const { rows } = await restoreBackup(await verifyBackup(old), target, store);
    expect(rows).toMatchObject({ projects: 1, request_logs: 10 });
    writeFileSync(old, readFileSync(old).subarray(0, -100));
    await expect(verifyBackup(old)).rejects.toThrow('is damaged');
  });

  it('no server starts empty on a database whose restore failed; another restore begins anew', async () => {
    const source = await openSource();
    await fill(source, 10);
    const store = await openDiskFileStore(folderOfTest());
    await store.put(fileId, chunks(randomBytes(sealedStreamBytes(content.length))));
    const backup = path.join(folderOfTest(), 'backup');
    await createBackup(backup, { database: source, store, masterKey: undefined });
    const target = await openSource.target('empty');
    const env = {
      ENVSNAP_DATA_DIR: target.dataDir,
      DATABASE_URL: target.url,
      ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32),
    };
    // A folder stands where the bytes of the file belong.
    const inTheWay = path.join(target.dataDir, 'files', fileId);
    mkdirSync(path.join(inTheWay, 'x'), { recursive: true });
    const failed = await runServerCommandHere(['restore', backup], env);
    expect([failed.exitCode, failed.stderr]).toEqual([7, expect.stringContaining('No server starts')]);
    const refused = await runServerCommandHere(['start', '--port', '0'], env);
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('a restore into this database has not finished');
    rmSync(inTheWay, { recursive: true });
    const restored = await runServerCommandHere(['restore', backup], env);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining('1 file')]);
  });

  it('no server starts on a database whose restore was killed; another restore begins anew', {
    tags: 'release',
  }, async () => {
    const source = await openSource();
    await fill(source, 10);
    const backup = path.join(folderOfTest(), 'backup');
    await createBackup(backup, { database: source, store: undefined, masterKey: undefined });
    const target = await openSource.target('empty');
    const killed = await openDatabase(target);
    await migrate(killed, [unfinishedRestore, ...migrations]);
    await killed.close();
    const env = {
      ENVSNAP_DATA_DIR: target.dataDir,
      DATABASE_URL: target.url,
      ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32),
    };
    const refused = await runServerCommand(['start', '--port', '0'], { env });
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('a restore into this database has not finished');
    expect((await runServerCommandHere(['doctor'], env)).stdout).toContain('has not finished');
    const restored = await runServerCommandHere(['restore', backup], env);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining('1 project')]);
    expect((await runServerCommandHere(['migrate', '--status'], env)).exitCode).toBe(0);
  });
});

describe('a backup', () => {
  /** The data folder that {@link dataFolder} copies. */
  let filled: string;
  /** The folder of a server that runs, with one large file. */
  let serving: string;
  beforeAll(async () => {
    filled = temporaryFolder();
    const database = await openDatabase({ url: undefined, dataDir: filled });
    await migrate(database);
    await fill(database, 5000);
    await database.run(database.dialect.builder('files').delete());
    await database.close();
    const where = temporaryFolder();
    const server = await startServerIn(where);
    const { apiKey } = await post(server.url, '/machine/keys/bootstrap', { projectName: 'p' });
    await uploadBytes(server.url, apiKey, largeFileBytes);
    serving = path.join(where, 'data');
  });

  /** A data folder with a database of some hundred kilobytes. */
  function dataFolder(): string {
    const data = path.join(folderOfTest(), 'data');
    cpSync(filled, data, { recursive: true });
    return data;
  }

  it.runIf(process.platform !== 'win32')(
    'that cannot be written to its end says so and leaves nothing',
    async () => {
      const data = dataFolder();
      const target = folderOfTest();
      // The longest file that the process may write: 160 blocks of 512 bytes.
      const script = 'ulimit -f 160; exec "$0" "$@"';
      const program = path.resolve('packages/server/bin/envsnap-server.js');
      const args = [
        '-c',
        script,
        process.execPath,
        program,
        'backup',
        path.join(target, 'b'),
        '--data-dir',
        data,
      ];
      const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
      expect(stderr).toMatch(/^envsnap-server: cannot write \S+b: [^\n]+; nothing was left behind\n$/);
      expect([status, readdirSync(target)]).toEqual([7, []]);
    },
  );

  it('goes to the same name after one that was killed, and removes what that left', async () => {
    const data = dataFolder();
    const target = folderOfTest();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path.join(target, `.b.${pid}.part`), 'killed');
    writeFileSync(path.join(target, `.b.${process.pid}.part`), 'at work');
    const made = await runServerCommand(['backup', path.join(target, 'b'), '--data-dir', data]);
    expect(made.exitCode).toBe(0);
    expect(readdirSync(target).sort()).toEqual([`.b.${process.pid}.part`, 'b']);
  });

  it('that does not fit is refused before it begins, and the server on that disk goes on writing', {
    tags: 'release',
  }, async ({ skip }) => {
    const disk = mountSmallDisk(60 * 1024 * 1024);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const server = await startServerIn(disk);
    const { apiKey } = await post(server.url, '/machine/keys/bootstrap', { projectName: 'p' });
    await uploadBytes(server.url, apiKey, 35 * 1024 * 1024);
    const data = path.join(disk, 'data');
    const refused = await runServerCommandHere(['backup', disk, '--data-dir', data]);
    expect([refused.exitCode, refused.stdout]).toEqual([7, '']);
    expect(refused.stderr).toMatch(/^envsnap-server: the backup needs more than 35\.\d MiB in [^\n]+\n$/);
    expect(readdirSync(disk)).toEqual(['data']);
    await post(server.url, '/machine/snapshots', { machineName: 'm' }, apiKey);
  });

  it('of rows alone that do not fit is refused before it begins too', { tags: 'release' }, async ({
    skip,
  }) => {
    const disk = mountSmallDisk(20 * 1024 * 1024);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const where = folderOfTest();
    const server = await startServerIn(where);
    const { apiKey } = await post(server.url, '/machine/keys/bootstrap', { projectName: 'p' });
    const variables = Array.from({ length: 250 }, (_, index) => [`V${index}`, 'x'.repeat(30_000)]);
    for (let stored = 0; stored < 3; stored += 1) {
      const body = { machineName: 'm', envVars: Object.fromEntries(variables) };
      await post(server.url, '/machine/snapshots', body, apiKey);
    }
    const data = path.join(where, 'data');
    const refused = await runServerCommandHere(['backup', disk, '--no-files', '--data-dir', data]);
    expect([refused.exitCode, refused.stdout, readdirSync(disk)]).toEqual([7, '', []]);
    expect(refused.stderr).toMatch(/^envsnap-server: the backup needs more than 21\.\d MiB in [^\n]+\n$/);
  });

  it('whose disk fills up among the bytes of files ends, and leaves room and no draft', {
    tags: 'release',
  }, async ({ skip }) => {
    const diskBytes = largeFileBytes + 10 * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const args = ['backup', path.join(disk, 'b'), '--data-dir', serving];
    const child = spawn(process.execPath, [programs.server, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const text = buffer(child.stderr).then(String);
    // Somebody else takes the room as soon as the backup has found enough of it.
    await expect.poll(() => readdirSync(disk), { interval: 1 }).toHaveLength(1);
    fillDisk(disk, diskBytes);
    const [exitCode] = await once(child, 'exit');
    expect([exitCode, readdirSync(disk)]).toEqual([7, ['filler']]);
    expect(await text).toMatch(/^envsnap-server: cannot write \S+b: its disk is full: [^\n]+\n$/);
  });

  it.runIf(process.platform !== 'win32')(
    'that meets the end of its file among the bytes of a file says so and leaves nothing',
    async () => {
      const target = folderOfTest();
      // The longest file that the process may write: 8192 blocks of 512 bytes.
      const args = ['-c', 'ulimit -f 8192; exec "$0" "$@"', process.execPath, programs.server];
      const backup = ['backup', path.join(target, 'b'), '--data-dir', serving];
      const { status, stderr } = spawnSync('sh', [...args, ...backup], { encoding: 'utf8' });
      expect(stderr).toMatch(/^envsnap-server: cannot write \S+b: [^\n]+; nothing was left behind\n$/);
      expect([status, readdirSync(target)]).toEqual([7, []]);
    },
  );

  it('that SIGINT ends leaves nothing behind', () => interrupt('SIGINT'));
  it('that SIGTERM ends leaves nothing behind', { tags: 'release' }, () => interrupt('SIGTERM'));

  async function interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
    const target = folderOfTest();
    const args = ['backup', target, '--data-dir', serving];
    const child = spawn(process.execPath, [programs.server, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const text = buffer(child.stderr).then(String);
    await expect.poll(() => readdirSync(target), { interval: 1 }).toHaveLength(1);
    child.kill(signal);
    const [exitCode] = await once(child, 'exit');
    expect([exitCode, readdirSync(target)]).toEqual([signal === 'SIGINT' ? 130 : 143, []]);
    expect(await text).toBe('envsnap-server: interrupted; nothing was left behind\n');
  }

  it('removes what interrupted backups of any name have left in the folder, and nothing of others', async () => {
    const data = dataFolder();
    const target = folderOfTest();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const write = (name: string, text: string) => writeFileSync(path.join(target, name), text);
    write(`.envsnap-20250101T000000000Z.backup.${pid}.part`, 'manifest.json\0and more');
    write(`.nightly.${pid}.part`, 'manifest.json\0and more');
    write(`.nightly.${process.pid}.part`, 'manifest.json\0at work');
    // Its process number belongs to somebody else by now.
    write(`.old.${process.pid}.part`, 'manifest.json\0and more');
    utimesSync(path.join(target, `.old.${process.pid}.part`), 1, 1);
    write(`.download.${pid}.part`, 'of another program');
    const made = await runServerCommand(['backup', target, '--json', '--data-dir', data]);
    expect(readdirSync(target).sort()).toEqual(
      [
        `.download.${pid}.part`,
        `.nightly.${process.pid}.part`,
        path.basename(JSON.parse(made.stdout).file),
      ].sort(),
    );
  });

  it('of a damaged database names the database', async () => {
    const data = dataFolder();
    const file = path.join(data, 'envsnap.db');
    const { size } = statSync(file);
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(size / 2, 0xa5), 0, size / 2, Math.ceil(size / 2));
    closeSync(handle);
    const target = folderOfTest();
    const failed = await runServerCommandHere(['backup', path.join(target, 'b'), '--data-dir', data]);
    expect([failed.exitCode, readdirSync(target)]).toEqual([7, []]);
    expect(failed.stderr).toMatch(/^envsnap-server: the database \S+envsnap\.db is damaged \([^\n]+\n$/);
    expect(failed.stderr).not.toContain(target);
  });

  it('into a folder is named by its time, and --keep removes the oldest of that folder', {
    tags: 'release',
  }, async () => {
    const data = dataFolder();
    const target = folderOfTest();
    writeFileSync(path.join(target, 'notes.backup'), 'not ours');
    const backUp = (...flags: string[]) =>
      runServerCommandHere(['backup', target, '--json', '--data-dir', data, ...flags]);
    const made: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { exitCode, stdout } = await backUp('--keep', '2');
      expect(exitCode).toBe(0);
      made.push(path.basename(JSON.parse(stdout).file));
    }
    expect(readdirSync(target).sort()).toEqual([...made.slice(2), 'notes.backup'].sort());
    expect((await backUp('--keep', '0')).stdout).toContain('--keep must be a whole number');
    const nowhere = ['backup', path.join(target, 'none'), '--keep', '2', '--data-dir', data];
    expect((await runServerCommandHere(nowhere)).stderr).toContain('--keep needs a folder');
  });

  it('of a running server restores beside it, while a restore into its own folder is refused', async () => {
    const where = folderOfTest();
    const server = await startServerIn(where);
    const data = path.join(where, 'data');
    const backup = path.join(where, 'b');
    expect((await runServerCommandHere(['backup', backup, '--data-dir', data])).exitCode).toBe(0);
    const refused = await runServerCommandHere(['restore', backup, '--data-dir', data]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('empty folder only')]);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});

async function post(url: string, route: string, body: unknown, key?: string) {
  const response = await fetch(url + route, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return response.json() as Promise<{ apiKey: string }>;
}

async function uploadBytes(url: string, key: string, bytes: number): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.alloc(bytes)]), 'large');
  const response = await fetch(`${url}/machine/files`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  });
  expect(response.status).toBe(201);
}

async function withQueries(database: Database) {
  return {
    dialect: database.dialect,
    names: async (sql: string) =>
      (await database.all<{ name: string }>(database.dialect.builder.raw(sql))).map(({ name }) => name),
  };
}

async function* chunks(...parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

/** Sessions from now on end when they leave a transaction idle for longer. */
async function limitIdleTransactions(database: Database): Promise<void> {
  const { builder } = database.dialect;
  await database.run(
    builder.raw(
      `do $$ begin execute format('alter database %I set idle_in_transaction_session_timeout = 2000', current_database()); end $$`,
    ),
  );
}

/** A store that takes longer for a file than {@link limitIdleTransactions} allows. */
function slowStore(store: FileStore): FileStore {
  return {
    ...store,
    async put(key, source) {
      await sleep(2500);
      await store.put(key, source);
    },
  };
}

/** Writes a backup as version 0.1 did: a compressed tar with plain rows and the digest of each entry at its end. */
async function writeOldArchive(made: string, old: string): Promise<void> {
  const { pack } = createRequire(path.resolve('packages/server/package.json'))('tar-stream');
  const archive = pack();
  const checksums: Record<string, string> = {};
  for await (const { name, content: entry } of openArchive(made)) {
    const bytes = await buffer(entry);
    const plainName = name.replace(/\.gz$/, '');
    let plain = name === plainName ? bytes : gunzipSync(bytes);
    if (name === 'manifest.json')
      plain = Buffer.from(plain.toString().replace('"formatVersion": 2', '"formatVersion": 1'));
    archive.entry({ name: plainName }, plain);
    checksums[plainName] = createHash('sha256').update(plain).digest('hex');
  }
  archive.entry({ name: 'checksums.json' }, JSON.stringify(checksums));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part);
  const output = createWriteStream(old);
  await new Promise((resolve) => output.end(gzipSync(Buffer.concat(parts)), resolve as () => void));
}
