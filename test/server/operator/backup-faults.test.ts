import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blobFolder } from '../../../packages/server/src/files/disk-file-store.ts';
import { sealedStreamBytes } from '../../../packages/server/src/infra/crypto/sealed-stream.ts';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { migrate } from '../../../packages/server/src/infra/db/migrate.ts';
import type { AdHocQuery } from '../../../packages/server/src/infra/db/statement.ts';
import { ensureBuilt } from '../../../scripts/build.ts';
import { folderOfTest, temporaryFolder } from '../../support/databases.ts';
import { programs, runServerCommand, runServerCommandHere, startServerIn } from '../../support/programs.ts';
import { fillDisk, mountSmallDisk } from '../../support/small-disk.ts';
import { fileId, fill } from './backup-fixture.ts';

/** Large enough that a backup can be interrupted while it copies bytes. */
const largeFileBytes = 95 * 1024 * 1024;

describe('a backup', () => {
  /** The data folder that {@link dataFolder} copies. */
  let filled: string;
  /** A data folder with one large file. */
  let large: string;
  beforeAll(async () => {
    ensureBuilt();
    filled = await folderWith(5000, ({ dialect }) => dialect.builder('files').delete());
    large = await folderWith(1, ({ dialect }) =>
      dialect.builder('files').update({ size_bytes: largeFileBytes }),
    );
    mkdirSync(path.join(large, blobFolder));
    const blob = path.join(large, blobFolder, fileId);
    writeFileSync(blob, '');
    truncateSync(blob, sealedStreamBytes(largeFileBytes));
  });

  /** A data folder with the given number of logged requests, and a changed row of a file. */
  async function folderWith(requests: number, change: (database: Database) => AdHocQuery): Promise<string> {
    const dataDir = temporaryFolder();
    const database = await openDatabase({ url: undefined, dataDir });
    await migrate(database);
    await fill(database, requests);
    await database.run(change(database));
    await database.close();
    return dataDir;
  }

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

  it('can use the same name after one that was killed, and removes its remains', {
    tags: 'release',
  }, async () => {
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

  it('is also refused before it begins if only its rows do not fit', { tags: 'release' }, async ({
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

  it('whose disk fills up among the bytes of files ends, and leaves room and no partial file', {
    tags: 'release',
  }, async ({ skip }) => {
    const diskBytes = largeFileBytes + 10 * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const args = ['backup', path.join(disk, 'b'), '--data-dir', large];
    const child = spawn(process.execPath, [programs.server, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const text = buffer(child.stderr).then(String);
    // Another program uses up the space as soon as the backup has checked it.
    await expect.poll(() => readdirSync(disk), { interval: 1 }).toHaveLength(1);
    fillDisk(disk, diskBytes);
    const [exitCode] = await once(child, 'exit');
    expect([exitCode, readdirSync(disk)]).toEqual([7, ['filler']]);
    expect(await text).toMatch(/^envsnap-server: cannot write \S+b: its disk is full: [^\n]+\n$/);
  });

  it.runIf(process.platform !== 'win32')(
    'that meets the end of its file among the bytes of a file says so and leaves nothing',
    { tags: 'release' },
    async () => {
      const target = folderOfTest();
      // The longest file that the process may write: 8192 blocks of 512 bytes.
      const args = ['-c', 'ulimit -f 8192; exec "$0" "$@"', process.execPath, programs.server];
      const backup = ['backup', path.join(target, 'b'), '--data-dir', large];
      const { status, stderr } = spawnSync('sh', [...args, ...backup], { encoding: 'utf8' });
      expect(stderr).toMatch(/^envsnap-server: cannot write \S+b: [^\n]+; nothing was left behind\n$/);
      expect([status, readdirSync(target)]).toEqual([7, []]);
    },
  );

  it('that SIGINT ends leaves nothing behind', () => interrupt('SIGINT'));
  it('that SIGTERM ends leaves nothing behind', { tags: 'release' }, () => interrupt('SIGTERM'));

  async function interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
    const target = folderOfTest();
    const args = ['backup', target, '--data-dir', large];
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
    // Its process id now belongs to another process.
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
    writeFileSync(path.join(target, 'envsnap-29990101T000000000Z.backup'), 'by a clock that was wrong');
    const late = await backUp('--keep', '1');
    expect([late.stderr, readdirSync(target).length]).toEqual([expect.stringContaining('later time'), 5]);
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
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('name an empty folder')]);
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
