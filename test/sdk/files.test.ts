import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  AbortError,
  type ClientOptions,
  ConnectionError,
  EnvSnap,
  type FileUpload,
  TimeoutError,
  UsageError,
} from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { contentDispositionFilename } from '../../packages/sdk/src/files/download.ts';
import {
  type SeenRequest,
  type Step,
  startScriptedServer,
  unusedAddress,
} from '../support/scripted-server.ts';
import { clientOf, failureOf, snapshotId, testKey } from './support.ts';

const stored = { id: snapshotId, filename: 'a.txt', size: 5, checksum: '0'.repeat(64), createdAt: 'now' };
const created: Step = { status: 201, json: stored };
const busy: Step = { status: 503, json: { error: 'x', code: 'shutting_down', requestId: 'r' } };

/** Reads a body by the platform's own parser, not by code of the SDK. */
async function parseForm(request: SeenRequest | undefined): Promise<File> {
  const headers = { 'content-type': request?.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(request?.body ?? []), { headers }).formData();
  expect([...form.keys()]).toEqual(['file']);
  return form.get('file') as File;
}
async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('an upload', () => {
  const octets = 'application/octet-stream';
  const filename = 'a.txt';
  const text = 'zażółć\r\n--envsnap\r\n';
  const blob = new Blob([text], { type: 'text/markdown' });
  it.each<[string, FileUpload, string, boolean]>([
    ['text', { content: text, filename }, octets, true],
    ['bytes', { content: new TextEncoder().encode(text), filename }, octets, true],
    ['a buffer', { content: Buffer.from(text), filename }, octets, true],
    ['an array buffer', { content: new TextEncoder().encode(text).buffer, filename }, octets, true],
    ['a blob', { content: blob, filename }, 'text/markdown', true],
    ['a file with its name', { content: new File([text], 'a.txt', { type: 'text/csv' }) }, 'text/csv', true],
    ['a web stream', { content: blob.stream(), filename }, octets, false],
    ['a Node stream', { content: Readable.from([text.slice(0, 3), text.slice(3)]), filename }, octets, false],
    [
      'an async iterable',
      { content: chunksOf(text), filename, contentType: 'text/x-own' },
      'text/x-own',
      false,
    ],
    ['a stream of known size', { content: chunksOf(text), filename, sizeBytes: blob.size }, octets, true],
    ['a function that opens a stream', { content: () => blob.stream(), filename }, octets, false],
    ['a function that opens one later', { content: async () => chunksOf(text), filename }, octets, false],
  ])('sends %s as the one field "file"', async (_, upload, type, sized) => {
    await using server = await startScriptedServer(created);
    expect(await clientOf(server).files.upload(upload)).toEqual(stored);
    const [request] = server.seen;
    const file = await parseForm(request);
    expect(file.name).toBe('a.txt');
    expect(file.type).toBe(type);
    expect(Buffer.from(await file.arrayBuffer()).toString()).toBe(text);
    expect(request?.headers['content-length']).toBe(sized ? String(request?.body.length) : undefined);
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends an empty file', async () => {
    await using server = await startScriptedServer(created);
    await clientOf(server).files.upload({ content: '', filename: 'empty' });
    expect((await parseForm(server.seen[0])).size).toBe(0);
  });

  it.each([
    ['a quote', 'we"ird.txt', 'filename="we\\"ird.txt"'],
    ['a backslash', 'C:\\x', 'filename="C:\\\\x"'],
    ['255 characters that are two units each', '😀'.repeat(255), `filename="${'😀'.repeat(255)}"`],
    ['letters of any language', 'zażółć 日本.txt', 'filename="zażółć 日本.txt"'],
  ])('keeps %s in the name', async (_, filename, expected) => {
    await using server = await startScriptedServer(created);
    await clientOf(server).files.upload({ content: 'x', filename });
    expect(server.seen[0]?.body.toString()).toContain(`; ${expected}\r\n`);
  });

  it.each<[string, Partial<FileUpload> | { content: unknown }]>([
    ['no name', { filename: undefined }],
    ['an empty name', { filename: '' }],
    ['a name that is too long', { filename: 'x'.repeat(256) }],
    ['a line break in the name', { filename: 'a\r\nX-Evil: 1' }],
    ['NUL in the name', { filename: 'a\0' }],
    ['a line break in the type', { contentType: 'a/b\r\nX-Evil: 1' }],
    ['a number as content', { content: 7 }],
    ['nothing as content', { content: undefined }],
    ['a negative size', { content: chunksOf('x'), sizeBytes: -1 }],
  ])('refuses %s before anything is sent', async (_, wrong) => {
    await using server = await startScriptedServer(created);
    const upload = { content: 'x', filename: 'a.txt', ...wrong } as FileUpload;
    await expect(clientOf(server).files.upload(upload)).rejects.toThrow(UsageError);
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['too few', 4],
    ['too many', 2],
  ])('fails when a stream gives %s bytes for its size', async (_, sizeBytes) => {
    await using server = await startScriptedServer(created);
    const upload = { content: chunksOf('ab', 'c'), filename: 'a', sizeBytes };
    await expect(clientOf(server).files.upload(upload)).rejects.toThrow(/does not have the \d bytes/);
    expect(server.seen).toEqual([]);
  });

  it('fails with what failed in the source, without a second try', async () => {
    await using server = await startScriptedServer(created);
    let opened = 0;
    const content = async function* () {
      opened += 1;
      yield Buffer.from('x');
      throw new Error('disk on fire');
    };
    const error = await failureOf(clientOf(server).files.upload({ content, filename: 'a' }));
    expect(error).toMatchObject({
      name: 'EnvsnapError',
      message: 'The file to upload could not be read: disk on fire',
    });
    expect(opened).toBe(1);
  });

  it('of a stream that fails before it is read fails with it, and ends no program', async () => {
    await using server = await startScriptedServer(created);
    const upload = clientOf(server).files.upload({
      content: createReadStream('/nonexistent'),
      filename: 'a',
    });
    await expect(upload).rejects.toThrow(/could not be read: ENOENT/);
    // An unhandled failure would end this process too.
    const unread = createReadStream('/nonexistent');
    const failed = new Promise<void>((resolve) => unread.once('close', resolve));
    const call = new EnvSnap({ baseUrl: server.baseUrl }).files.upload({ content: unread, filename: 'a' });
    await expect(call).rejects.toThrow(/needs an API key/);
    await failed;
  });

  it.each<[string, ClientOptions, Partial<FileUpload>]>([
    ['the name is wrong', {}, { filename: '' }],
    ['there is no key', { apiKey: undefined }, {}],
  ])('closes its stream when %s', async (_, options, wrong) => {
    const content = Readable.from(['x']);
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1' }, options);
    await expect(client.files.upload({ content, filename: 'a', ...wrong })).rejects.toThrow(UsageError);
    expect(content.destroyed).toBe(true);
  });

  it.each<[string, () => FileUpload['content']]>([
    ['Node stream', () => Readable.from([Buffer.from('x')])],
    ['web stream', () => new Blob(['x']).stream()],
    ['generator', () => chunksOf('x')],
  ])('of a %s that was uploaded before fails, also when a function opens it again', async (_, open) => {
    await using server = await startScriptedServer(created, busy);
    const client = clientOf(server);
    const content = open();
    await client.files.upload({ content, filename: 'a' });
    await expect(client.files.upload({ content, filename: 'a' })).rejects.toThrow(/was read before/);
    expect(server.seen).toHaveLength(1);
    const same = open() as AsyncIterable<Uint8Array>;
    await expect(client.files.upload({ content: () => same, filename: 'a' })).rejects.toThrow(
      /was read before|Premature close/,
    );
    expect(server.seen).toHaveLength(2);
  });

  it('of a stream that somebody else read fails', async () => {
    await using server = await startScriptedServer(created);
    const content = Readable.from(['x']);
    for await (const _ of content);
    await expect(clientOf(server).files.upload({ content, filename: 'a' })).rejects.toThrow(
      /was read before/,
    );
    expect(server.seen).toEqual([]);
  });

  it('sends the rest of a stream whose beginning was read', async () => {
    await using server = await startScriptedServer(created);
    const content = Readable.from(['ab', 'cd', 'ef']);
    await once(content, 'readable');
    content.read();
    await clientOf(server).files.upload({ content, filename: 'a' });
    expect(await (await parseForm(server.seen[0])).text()).toBe('cdef');
  });

  it('of an empty stream is an empty file', async () => {
    await using server = await startScriptedServer(created);
    await clientOf(server).files.upload({ content: Readable.from([]), filename: 'a' });
    expect((await parseForm(server.seen[0])).size).toBe(0);
  });

  it('repeats content that can be read again, byte for byte', async () => {
    await using server = await startScriptedServer(busy, 'drop', created);
    let opened = 0;
    const content = () => {
      opened += 1;
      return chunksOf('some', 'thing');
    };
    await clientOf(server).files.upload({ content, filename: 'a' });
    expect(opened).toBe(3);
    const [first, second, third] = server.seen;
    expect(second?.body).toEqual(first?.body);
    expect(third?.body).toEqual(first?.body);
    expect(third?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it.each<[string, Step]>([
    ['a dropped connection', 'drop'],
    ['a busy server', busy],
    ['the rate limit', { status: 429, json: { error: 'x', code: 'rate_limited', retryAfter: 0 } }],
  ])('of a stream is not repeated after %s', async (_, step) => {
    await using server = await startScriptedServer(step, created);
    await expect(clientOf(server).files.upload({ content: chunksOf('x'), filename: 'a' })).rejects.toThrow();
    expect(server.seen).toHaveLength(1);
  });

  it('reports its progress in bytes of the file', async () => {
    await using server = await startScriptedServer(created);
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => seen.push(progress);
    await clientOf(server).files.upload({ content: chunksOf('abc', '', 'de'), filename: 'a', onProgress });
    expect(seen).toEqual([
      { transferredBytes: 3, totalBytes: undefined },
      { transferredBytes: 5, totalBytes: undefined },
    ]);
  });

  it('reads no further ahead than the connection takes, and closes the source when it is stopped', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await listen(() => arrived.resolve());
    const chunk = Buffer.alloc(1024 * 1024);
    let produced = 0;
    let closed = false;
    const content = async function* () {
      try {
        for (; produced < 500; produced += 1) yield chunk;
      } finally {
        closed = true;
      }
    };
    const controller = new AbortController();
    const call = clientOf(server, { timeoutMs: 300 }).files.upload(
      { content, filename: 'big' },
      { signal: controller.signal, retries: 0 },
    );
    await arrived.promise;
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'stream' });
    expect(produced).toBeLessThan(50);
    await expect.poll(() => closed).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('is not kept in memory while it is sent', { tags: 'release' }, async () => {
    let received = 0;
    await using server = await listen((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => {
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify(stored));
      });
    });
    const program = path.join(import.meta.dirname, '../fixtures/upload-large.ts');
    const args = ['--conditions=envsnap-source', '--no-warnings', program, server.baseUrl, testKey];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(received).toBeGreaterThan(200 * 1024 * 1024);
    expect(Number(stdout)).toBeLessThan(150 * 1024 * 1024);
  });

  it.each(['text', 'a stream'])('of %s follows no redirect', async (kind) => {
    await using server = await startScriptedServer({
      status: 307,
      headers: { location: 'https://elsewhere.example/' },
    });
    const content = kind === 'text' ? 'x' : chunksOf('x');
    await expect(clientOf(server).files.upload({ content, filename: 'a' })).rejects.toMatchObject({
      name: 'UnexpectedResponseError',
      message: expect.stringContaining('not followed'),
    });
    expect(server.seen).toHaveLength(1);
  });

  it('may take longer than the limit of time as long as bytes move', async () => {
    await using server = await startScriptedServer(created);
    const content = async function* () {
      for (let step = 0; step < 8; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        yield Buffer.from('x');
      }
    };
    const upload = { content, filename: 'slow' };
    expect(await clientOf(server, { timeoutMs: 400 }).files.upload(upload)).toEqual(stored);
    const limited = clientOf(server, { timeoutMs: 400 }).files.upload(upload, { totalTimeoutMs: 200 });
    await expect(limited).rejects.toMatchObject({ name: 'TimeoutError', limit: 'total' });
  });

  it.each(['a Node stream', 'a web stream'])('closes %s when the server does not respond', async (kind) => {
    const baseUrl = await unusedAddress();
    const closed = Promise.withResolvers<void>();
    const node = new Readable({
      read() {
        this.push(Buffer.alloc(65536));
      },
      destroy(error, done) {
        closed.resolve();
        done(error);
      },
    });
    const web = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65536)),
      cancel: () => closed.resolve(),
    });
    const content = kind === 'a Node stream' ? node : web;
    await expect(clientOf({ baseUrl }).files.upload({ content, filename: 'a' })).rejects.toThrow(
      ConnectionError,
    );
    await closed.promise;
  });

  it('can be stopped', async () => {
    await using server = await startScriptedServer('hang');
    const controller = new AbortController();
    const call = clientOf(server).files.upload(
      { content: 'x', filename: 'a' },
      { signal: controller.signal },
    );
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toThrow(AbortError);
  });
});

const bytes = Buffer.from('the bytes of a file');
const checksum = createHash('sha256').update(bytes).digest('hex');
const head = {
  'content-type': 'text/plain',
  'content-length': String(bytes.length),
  'content-disposition': `attachment; filename="_.txt"; filename*=UTF-8''za%C5%BC.txt`,
  etag: `"${checksum}"`,
  'x-request-id': 'r-1',
};
const file =
  (headers: Record<string, string> = {}, body: Buffer = bytes): Step =>
  (_, response) => {
    response.writeHead(200, { ...head, ...headers });
    response.end(body);
  };

describe('a download', () => {
  it('gives name, type, size and checksum, and the bytes as a stream', async () => {
    await using server = await startScriptedServer(file());
    const { stream, ...facts } = await clientOf(server).files.download(snapshotId);
    expect(facts).toEqual({
      filename: 'zaż.txt',
      contentType: 'text/plain',
      sizeBytes: bytes.length,
      checksum,
      requestId: 'r-1',
    });
    expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(bytes);
  });

  it('reports its progress and verifies the bytes', async () => {
    await using server = await startScriptedServer(file());
    const seen: unknown[] = [];
    const download = await clientOf(server).files.download(snapshotId, {
      onProgress: (progress) => seen.push(progress),
    });
    expect(await new Response(download.stream).text()).toBe(bytes.toString());
    expect(seen.at(-1)).toEqual({ transferredBytes: bytes.length, totalBytes: bytes.length });
  });

  it('fails at the end when the bytes are not those that were stored', async () => {
    await using server = await startScriptedServer(file({}, Buffer.from('THE bytes of a file')));
    const download = await clientOf(server).files.download(snapshotId);
    await expect(new Response(download.stream).text()).rejects.toMatchObject({ name: 'ChecksumError' });
    const unchecked = await clientOf(server).files.download(snapshotId, { verify: false });
    expect(await new Response(unchecked.stream).text()).toBe('THE bytes of a file');
  });

  it('is refused if no checksum is sent', async () => {
    await using server = await startScriptedServer(file({ etag: 'W/"x"' }));
    await expect(clientOf(server).files.download(snapshotId)).rejects.toMatchObject({
      name: 'ChecksumError',
    });
  });

  it('fails when it breaks off', async () => {
    await using server = await startScriptedServer((request, response) => {
      response.writeHead(200, head);
      response.write(bytes.subarray(0, 5));
      setTimeout(() => request.socket.destroy(), 50);
    });
    const download = await clientOf(server).files.download(snapshotId);
    await expect(new Response(download.stream).text()).rejects.toThrow(ConnectionError);
  });

  it('fails when no byte comes for too long', async () => {
    await using server = await startScriptedServer((_, response) => {
      response.writeHead(200, head);
      response.write(bytes.subarray(0, 5));
    });
    const download = await clientOf(server, { timeoutMs: 100 }).files.download(snapshotId);
    await expect(new Response(download.stream).text()).rejects.toMatchObject({
      name: 'TimeoutError',
      limit: 'stream',
    });
    await expect.poll(() => server.aborted()).toBe(1);
  });

  it('is stopped by its signal, also while its bytes are read, and keeps no listener', async () => {
    await using server = await startScriptedServer((_, response) => {
      response.writeHead(200, head);
      response.write(bytes.subarray(0, 5));
    });
    const controller = new AbortController();
    const download = await clientOf(server).files.download(snapshotId, { signal: controller.signal });
    const reader = download.stream.getReader();
    expect((await reader.read()).value?.length).toBe(5);
    const next = reader.read();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'enough' } });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await expect.poll(() => server.aborted()).toBe(1);
  });

  it('that is cancelled closes its connection and keeps no listener', async () => {
    await using server = await startScriptedServer((_, response) => {
      response.writeHead(200, head);
      response.write(bytes.subarray(0, 5));
    });
    const controller = new AbortController();
    const download = await clientOf(server).files.download(snapshotId, { signal: controller.signal });
    await download.stream.cancel();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await expect.poll(() => server.aborted()).toBe(1);
  });

  it('is asked for again while no byte has come', async () => {
    await using server = await startScriptedServer('drop', busy, file());
    const download = await clientOf(server).files.download(snapshotId);
    expect(await new Response(download.stream).text()).toBe(bytes.toString());
  });

  it('of a file that is not there fails like any call', async () => {
    await using server = await startScriptedServer({
      status: 404,
      json: { error: 'File not found', code: 'file_not_found', requestId: 'r' },
    });
    await expect(clientOf(server).files.download(snapshotId)).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'file_not_found',
    });
  });

  it('reads no further ahead than its reader', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    await using server = await listen((_, response) => {
      response.writeHead(200, { ...head, 'content-length': String(500 * chunk.length) });
      const more = () => {
        while (sent < 500) {
          sent += 1;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const download = await clientOf(server).files.download(snapshotId);
    const reader = download.stream.getReader();
    await reader.read();
    let before = -1;
    await expect
      .poll(
        () => {
          const still = sent === before;
          before = sent;
          return still;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(50);
    await reader.cancel();
  });
});

describe('contentDispositionFilename', () => {
  it.each([
    ['attachment; filename="a.txt"', 'a.txt'],
    ['attachment; filename=a.txt', 'a.txt'],
    ['attachment; filename="a\\"b\\\\c.txt"', 'a"b\\c.txt'],
    [`attachment; filename="x"; filename*=UTF-8''a%20%E2%82%AC.txt`, 'a €.txt'],
    [`attachment; filename*=utf-8'en'a.txt; filename="x"`, 'a.txt'],
    [`attachment; filename*=UTF-8''%FF; filename="fallback"`, 'fallback'],
    ['attachment; filename="a;filename=b"', 'a;filename=b'],
    ['attachment', undefined],
    ['', undefined],
  ])('reads %s', (header, name) => {
    expect(contentDispositionFilename(header)).toBe(name);
  });
});

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
