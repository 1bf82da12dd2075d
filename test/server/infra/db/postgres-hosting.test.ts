// PostgreSQL as hosting providers set it up: private certificates, roles with few rights, disks that fill up.
//
// @module-tag both-databases

import { chownSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { StartupError } from '../../../../packages/server/src/infra/app-error.ts';
import { openPostgres } from '../../../../packages/server/src/infra/db/postgres.ts';
import { describeEachDatabase, temporaryFolder } from '../../../support/databases.ts';
import { runServerCommand, runServerCommandHere } from '../../../support/programs.ts';
import { startServiceOn } from '../../../support/service.ts';
import { fillDisk, mountSmallDisk } from '../../../support/small-disk.ts';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/tls');
const fixture = (name: string) => readFileSync(path.join(fixtures, name));
const secureContext = createSecureContext({ key: fixture('key.pem'), cert: fixture('certificate.pem') });

/** A proxy in front of PostgreSQL that encrypts with a self-signed certificate; without `tls`, it offers no encryption. */
async function startHoster(target: string, { tls }: { tls: boolean }): Promise<URL> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.once('data', (first) => {
      // Eight bytes that ask for TLS.
      const asks = first.length === 8 && first.readUInt32BE(4) === 80_877_103;
      if (!asks) far.write(first);
      else near.write(tls ? 'S' : 'N');
      const secured = asks && tls ? new TLSSocket(near, { isServer: true, secureContext }) : near;
      secured.on('error', () => undefined);
      secured.pipe(far).pipe(secured);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  return url;
}

describeEachDatabase((openDatabase) => {
  if (openDatabase.databaseName !== 'postgresql') {
    test.skip('concerns PostgreSQL only');
    return;
  }

  /** Opens a database by its URL for an administrator's statements. */
  async function administer(url: string) {
    const database = await openPostgres({ url, poolSize: 1 });
    onTestFinished(() => database.close());
    return (sql: string) => database.all<Record<string, string>>(database.dialect.builder.raw(sql));
  }

  test.each([
    ['require', true],
    ['prefer', true],
    ['prefer', false],
    ['allow', false],
  ])('sslmode=%s connects as psql does, whatever authority signed the certificate', async (mode, tls) => {
    const { url = '' } = await openDatabase.target('empty');
    const hoster = await startHoster(url, { tls });
    hoster.searchParams.set('sslmode', mode);
    const run = await administer(hoster.href);
    expect(await run('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([
    ['require', false, 'does not support SSL'],
    ['verify-full', true, 'self-signed certificate'],
  ])('sslmode=%s refuses what psql refuses', async (mode, tls, reason) => {
    const { url = '' } = await openDatabase.target('empty');
    const hoster = await startHoster(url, { tls });
    hoster.searchParams.set('sslmode', mode);
    const error = await openPostgres({ url: hoster.href }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect(String(error)).toContain(reason);
  });

  test.each(['empty', 'migrated'] as const)(
    'a role that owns nothing in its %s database learns what it lacks, in one line',
    async (content) => {
      const { url = '' } = await openDatabase.target(content);
      const run = await administer(url);
      const role = `r${new URL(url).pathname.slice(1)}`;
      await run(`create role ${role} login password 'p'`);
      const theirs = new URL(url);
      theirs.username = role;
      theirs.password = 'p';
      const env = { DATABASE_URL: theirs.href, ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32) };
      const start = ['start', '--port', '0', '--data-dir', temporaryFolder()];
      const ended = [await runServerCommand(start, { env }), await runServerCommandHere(['migrate'], env)];
      for (const refused of ended) {
        expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
        expect(refused.stderr).toMatch(
          /^envsnap-server: the role in DATABASE_URL lacks rights [^\n]+ \(permission denied for [^\n]+\n$/,
        );
      }
    },
  );

  test('a full disk is 503 with Retry-After, and not ready until there is room', {
    tags: 'release',
  }, async ({ skip }) => {
    const diskBytes = 64 * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const target = await openDatabase.target('migrated');
    const name = new URL(target.url as string).pathname.slice(1);
    const elsewhere = new URL(target.url as string);
    elsewhere.pathname = '/postgres';
    const run = await administer(elsewhere.href);
    const [{ folder = '' } = {}] = await run("select current_setting('data_directory') as folder");
    const { uid, gid } = statSync(folder);
    chownSync(disk, uid, gid);
    await run(`create tablespace small_${name} location '${disk}'`);
    await run(`alter database ${name} set tablespace small_${name}`);
    const database = await openPostgres({ url: target.url as string });
    try {
      const service = await startServiceOn(database);
      const { apiKey: key } = await service.bootstrap();
      const filler = fillDisk(disk, diskBytes);
      // Encrypted data does not compress.
      const envVars = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`A${n}`, 'x'.repeat(4000)]));
      const body = { machineName: 'm', envVars };
      const store = () => service.send(key, 'POST', '/machine/snapshots', body);
      const refused = await store();
      expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable']);
      expect(refused.body.error).toContain('disk of the database is full');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const unready = await service.request('GET', '/ready');
      expect([unready.status, unready.body.error]).toEqual([503, expect.stringContaining('is full')]);
      expect(Number(unready.headers.get('retry-after'))).toBeGreaterThan(0);
      rmSync(filler);
      expect((await service.request('GET', '/ready')).status).toBe(200);
      expect((await store()).status).toBe(201);
      await service.stop();
    } finally {
      await database.close();
      await run(`drop database ${name} with (force)`);
      await run(`drop tablespace small_${name}`);
    }
  });
});
