import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type ServerProcess, startServerIn } from '../../support/programs.ts';

const MiB = 1024 * 1024;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-files-'));
  folders.push(folder);
  return folder;
}

async function bootstrap(server: ServerProcess): Promise<string> {
  const response = await fetch(`${server.url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"projectName":"files"}',
  });
  return (await response.json()).apiKey;
}

async function upload(server: ServerProcess, key: string, content: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content as BlobPart]), 'large.bin');
  const response = await fetch(`${server.url}/machine/files`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  });
  expect(response.status).toBe(201);
  return (await response.json()).id;
}

function memoryMiB(server: ServerProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.running.child.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

it('a server that is killed in the middle of an upload leaves nothing once it is back', async () => {
  const folder = newFolder();
  const blobs = path.join(folder, 'data/files');
  const server = await startServerIn(folder);
  const key = await bootstrap(server);
  const storedFile = await upload(server, key, Buffer.from('kept'));
  const { hostname, port } = new URL(server.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(
    `POST /machine/files HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${30 * MiB}\r\n` +
      'Content-Type: multipart/form-data; boundary=XX\r\n\r\n' +
      '--XX\r\nContent-Disposition: form-data; name="file"; filename="half"\r\n\r\n',
  );
  socket.write(randomBytes(5 * MiB));
  await expect.poll(() => readdirSync(blobs)).toHaveLength(2);
  server.running.child.kill('SIGKILL');
  await server.running.finished;
  expect(readdirSync(blobs)).toHaveLength(2);

  const again = await startServerIn(folder);
  await expect.poll(() => readdirSync(blobs)).toEqual([storedFile]);
  const usage = await fetch(`${again.url}/machine/usage`, { headers: { 'x-api-key': key } });
  expect((await usage.json()).storage.usedBytes).toBe(4);
});

it.runIf(process.platform === 'linux')(
  'four files of 90 MB at a time, up and down, cost less memory than two of them take',
  { tags: 'release' },
  async () => {
    const server = await startServerIn(newFolder(), { ENVSNAP_MAX_STORAGE_BYTES: `${400 * MiB}` });
    const key = await bootstrap(server);
    const transfer = async (content: Buffer) => {
      const id = await upload(server, key, content);
      const response = await fetch(`${server.url}/machine/files/${id}`, { headers: { 'x-api-key': key } });
      const hash = createHash('sha256');
      for await (const chunk of response.body ?? []) hash.update(chunk);
      expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    };
    // Code that the first upload and download load stays in memory, so it does not count.
    await transfer(randomBytes(MiB));
    const before = memoryMiB(server, 'VmHWM');
    const content = randomBytes(90 * MiB);
    await Promise.all([1, 2, 3, 4].map(() => transfer(content)));
    expect(memoryMiB(server, 'VmHWM') - before).toBeLessThan(180);
  },
);
