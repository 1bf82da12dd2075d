// @module-tag both-databases

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../../packages/server/src/config.ts';
import type { FileStore } from '../../../packages/server/src/files/file-store.ts';
import { BlobMissingError, type BlobSpan } from '../../../packages/server/src/files/file-store.ts';
import { openFileStore } from '../../../packages/server/src/files/open-file-store.ts';
import { openS3FileStore } from '../../../packages/server/src/files/s3-file-store.ts';
import { migrationStatus } from '../../../packages/server/src/infra/db/migrate.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { startServer } from '../../../packages/server/src/main.ts';
import { type DatabaseTarget, describeEachDatabase } from '../../support/databases.ts';
import { type S3Settings, useS3 } from '../../support/s3.ts';
import { readTestData } from '../../support/test-data.ts';
import { multipart } from '../api/world.ts';

const { starts } = readTestData<{
  starts: [missing: string, settings: Record<string, string>, message: string, exitCode: number][];
}>(import.meta);
const partBytes = 5 * 1024 * 1024;
const s3Settings = useS3();
const proxies: Server[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
  }
});

function openStore(settings: S3Settings): Promise<FileStore> {
  return openFileStore(loadConfig({ ...settings, ENVSNAP_DATA_DIR: '/nowhere' }));
}

/** The test server can neither list nor abort unfinished uploads; this server in front of it can. */
async function startListingProxy(settings: S3Settings) {
  const target = new URL(settings.ENVSNAP_S3_ENDPOINT);
  const unfinished = new Map<string, string>();
  const log: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target);
    const key = url.pathname.split('/').slice(2).join('/');
    log.push(
      `${incoming.method} ${[...url.searchParams.keys()].filter((name) => name !== 'x-id').join(',')}`,
    );
    if (incoming.method === 'GET' && url.searchParams.has('uploads')) {
      const uploads = [...unfinished].map(
        ([uploadId, name]) => `<Upload><Key>${name}</Key><UploadId>${uploadId}</UploadId></Upload>`,
      );
      outgoing.setHeader('content-type', 'application/xml');
      outgoing.end(`<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`);
      return;
    }
    const ended = url.searchParams.get('uploadId');
    if (ended && incoming.method === 'DELETE') {
      unfinished.delete(ended);
      outgoing.writeHead(204).end();
      return;
    }
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', () => outgoing.destroy());
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          const started = /<UploadId>([^<]+)/.exec(body.toString())?.[1];
          if (incoming.method === 'POST' && url.searchParams.has('uploads') && started)
            unfinished.set(started, key);
          if (ended && incoming.method === 'POST') unfinished.delete(ended);
          outgoing.end(body);
        });
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { settings: { ...settings, ENVSNAP_S3_ENDPOINT: `http://127.0.0.1:${port}` }, unfinished, log };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 70_000) yield bytes.subarray(start, start + 70_000);
}

async function read(store: FileStore, key: string, span?: BlobSpan): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.open(key, span)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sampleSizes = [0, 1, partBytes, 2 * partBytes + 5];
for (const sizeBytes of [...sampleSizes, partBytes - 1, partBytes + 1, 2 * partBytes])
  it(`a blob of ${sizeBytes} bytes is stored whole`, {
    tags: sampleSizes.includes(sizeBytes) ? [] : 'release',
  }, async () => {
    const settings = s3Settings();
    const store = await openStore(settings);
    const key = randomUUID();
    const bytes = randomBytes(sizeBytes);
    await store.put(key, chunksOf(bytes));
    expect((await read(store, key)).equals(bytes)).toBe(true);
    // Its reader notices that a blob was truncated. The test server never responds for an empty one.
    if (sizeBytes > 0) expect(await read(store, key, { start: sizeBytes })).toHaveLength(0);
    if (sizeBytes > 9) {
      expect((await read(store, key, { start: 3, end: 8 })).equals(bytes.subarray(3, 9))).toBe(true);
      expect((await read(store, key, { start: sizeBytes - 2 })).equals(bytes.subarray(-2))).toBe(true);
    }
    await putForeignObject(settings);
    const listed = [];
    for await (const blob of store.list()) listed.push(blob);
    expect(listed).toEqual([{ key, sizeBytes }]);
    await store.remove(key);
    await expect(store.open(key)).rejects.toThrow(BlobMissingError);
  });

/** Another program's object in the same bucket, below the same prefix. */
async function putForeignObject({ ENVSNAP_FILE_STORE, ENVSNAP_S3_ENDPOINT }: S3Settings): Promise<void> {
  const { host, pathname } = new URL(ENVSNAP_FILE_STORE);
  const url = `${ENVSNAP_S3_ENDPOINT}/${host}${pathname}/logs/app.log`;
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200);
}

it('a source that fails leaves no blob and no unfinished upload, and keeps its error', async () => {
  const { settings, unfinished, log } = await startListingProxy(s3Settings());
  const store = await openStore(settings);
  const key = randomUUID();
  async function* broken() {
    yield* chunksOf(randomBytes(partBytes + 1000));
    throw new Error('the caller went away');
  }
  await expect(store.put(key, broken())).rejects.toThrow('the caller went away');
  expect(log).toContain('DELETE uploadId');
  expect(unfinished.size).toBe(0);
  await expect(store.open(key)).rejects.toThrow(BlobMissingError);
});

it('removing a blob ends the upload that a killed server left', async () => {
  const { settings, unfinished } = await startListingProxy(s3Settings());
  const store = await openStore(settings);
  const [killed, other] = [randomUUID(), randomUUID()];
  for (const key of [killed, other]) {
    // Never resolves: the process that stored is gone.
    const never = store.put(
      key,
      (async function* () {
        yield* chunksOf(randomBytes(partBytes + 1000));
        await new Promise(() => undefined);
      })(),
    );
    never.catch(() => undefined);
  }
  await expect.poll(() => unfinished.size).toBe(2);
  await store.remove(killed);
  expect([...unfinished.values()].map((key) => key.split('/').at(-1))).toEqual([other]);
});

describeEachDatabase((openDatabase) => {
  it.each(starts)(
    'a server without %s does not start, says why, and has not touched the database',
    async (_, lacking, message, exitCode) => {
      const target = await openDatabase.target('empty');
      const otherServer = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void otherServer.close());
      await once(otherServer, 'listening');
      const port = String((otherServer.address() as AddressInfo).port);
      const settings = Object.entries(lacking).map(([name, value]) => [name, value.replace('taken', port)]);
      const starting = startIn(target, { ...s3Settings(), ...Object.fromEntries(settings) });
      const error = await starting.then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: expect.stringContaining(message), exitCode });
      expect(String(error)).not.toContain('canary');
      expect((await migrationStatus(await openDatabase.again(target))).applied).toEqual([]);
    },
  );

  it('a server starts while its store is unreachable, says so, and returns 503 only for files', async () => {
    const log: string[] = [];
    const away = { ...s3Settings(), ENVSNAP_S3_ENDPOINT: 'http://127.0.0.1:9' };
    const { url, stop } = await startIn(await openDatabase.target('empty'), away, log);
    onTestFinished(stop);
    expect(log.join('')).toMatch(/file store cannot be reached/);
    const made = await fetch(`${url}/machine/keys/bootstrap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"projectName":"p"}',
    });
    const { apiKey } = (await made.json()) as { apiKey: string };
    const headers = { 'x-api-key': apiKey };
    expect((await fetch(`${url}/machine/snapshots`, { headers })).status).toBe(200);
    const { body, headers: type } = multipart('content');
    const refused = await fetch(`${url}/machine/files`, {
      method: 'POST',
      headers: { ...headers, ...type },
      body,
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  });
});

function startIn({ url, dataDir }: DatabaseTarget, env: Record<string, string>, log: string[] = []) {
  const database = { ENVSNAP_DATA_DIR: dataDir, ...(url !== undefined && { DATABASE_URL: url }) };
  const settings = { ENVSNAP_PORT: '0', ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32), ...database, ...env };
  return startServer(
    loadConfig(settings),
    createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } }),
  );
}

it('settings of the AWS SDK that are missing are named at the start', async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined);
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { ENVSNAP_FILE_STORE } = s3Settings();
  await expect(openStore({ ENVSNAP_FILE_STORE } as S3Settings)).rejects.toThrow('give AWS_REGION');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  await expect(openStore({ ENVSNAP_FILE_STORE } as S3Settings)).rejects.toThrow('give AWS_ACCESS_KEY_ID');
});

it('every call to a service that accepts requests and never responds ends in time', async () => {
  const silent = createServer(() => undefined);
  proxies.push(silent);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const location = { bucket: 'bucket', prefix: '', endpoint: `http://127.0.0.1:${port}` };
  const store = openS3FileStore(location, 100);
  async function* large() {
    for (let index = 0; index < 8; index += 1) yield randomBytes(1024 * 1024);
  }
  const timedOut = { name: 'TimeoutError' };
  await expect(store.check()).rejects.toMatchObject(timedOut);
  await expect(store.put(randomUUID(), large())).rejects.toMatchObject(timedOut);
  await expect(store.open(randomUUID())).rejects.toMatchObject(timedOut);
  await expect(store.remove(randomUUID())).rejects.toMatchObject(timedOut);
});
