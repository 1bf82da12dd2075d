// Downloads whose connection breaks: they continue where they stopped, and end with the right bytes or an error.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChecksumError, ConnectionError, type DownloadOptions, TimeoutError } from '@envsnap/sdk';
import { expect, it } from 'vitest';
import { type Step, startScriptedServer } from '../support/scripted-server.ts';
import { clientOf, snapshotId } from './support.ts';

const file = Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7) % 256));
const etag = `"${createHash('sha256').update(file).digest('hex')}"`;
const size = file.length;

interface Part {
  readonly status?: number;
  readonly from?: number;
  /** Bytes after which the connection ends. */
  readonly upTo?: number;
  readonly headers?: Record<string, string>;
  /** Falls silent instead of ending the connection. */
  readonly hangs?: boolean;
}

function part({ status = 200, from = 0, upTo, headers = {}, hangs = false }: Part): Step {
  return (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, {
      'accept-ranges': 'bytes',
      etag,
      'content-length': String(size - from),
      ...(status === 206 ? { 'content-range': `bytes ${from}-${size - 1}/${size}` } : {}),
      ...headers,
    });
    if (upTo === undefined) return response.end(file.subarray(from));
    return response.write(file.subarray(from, upTo), () => {
      if (!hangs) setTimeout(() => request.socket.destroy(), 30);
    });
  };
}

async function read(
  script: readonly Step[],
  options: DownloadOptions & { retries?: number; timeoutMs?: number } = {},
) {
  await using server = await startScriptedServer(...script);
  const download = await clientOf(server).files.download(snapshotId, options);
  const outcome = await new Response(download.stream).arrayBuffer().catch((error: unknown) => error as Error);
  const ranges = server.seen.map(({ headers }) => [headers.range, headers['if-range']]);
  return { outcome, ranges };
}

function expectWhole(outcome: unknown): void {
  expect(outcome).toBeInstanceOf(ArrayBuffer);
  expect(Buffer.from(outcome as ArrayBuffer).equals(file)).toBe(true);
}

it('asks for the rest on the condition that the file is the same', async () => {
  const { outcome, ranges } = await read([
    part({ upTo: 10_000 }),
    part({ status: 206, from: 10_000, upTo: 30_000 }),
    part({ status: 206, from: 30_000 }),
  ]);
  expectWhole(outcome);
  expect(ranges).toEqual([
    [undefined, undefined],
    ['bytes=10000-', etag],
    ['bytes=30000-', etag],
  ]);
});

it('also continues after a stall', async () => {
  const script = [part({ upTo: 10_000, hangs: true }), part({ status: 206, from: 10_000 })];
  expectWhole((await read(script, { timeoutMs: 200 })).outcome);
});

it('skips what it has if the server sends the whole file again', async () => {
  expectWhole((await read([part({ upTo: 10_000 }), part({})])).outcome);
});

it('reports its progress without going back', async () => {
  const seen: number[] = [];
  const onProgress = ({ transferredBytes }: { transferredBytes: number }) => seen.push(transferredBytes);
  expectWhole((await read([part({ upTo: 10_000 }), part({})], { onProgress })).outcome);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(size);
});

it('waits if a busy server responds in between', async () => {
  const busy: Step = { status: 503, json: { error: 'x', code: 'shutting_down', requestId: 'r' } };
  expectWhole((await read([part({ upTo: 10_000 }), busy, part({ status: 206, from: 10_000 })])).outcome);
});

it.each<[string, Part]>([
  ['the file was replaced', { headers: { etag: `"${'0'.repeat(64)}"` } }],
  [
    'the server goes on elsewhere',
    { status: 206, from: 10_000, headers: { 'content-range': 'bytes 0-9/10' } },
  ],
])('fails when %s', async (_, next) => {
  expect((await read([part({ upTo: 10_000 }), part(next)])).outcome).toBeInstanceOf(ChecksumError);
});

it('fails when the rest is not that of the file, whatever its length', async () => {
  const wrong: Step = (_, response) => {
    response.writeHead(206, {
      etag,
      'content-length': String(size - 10_000),
      'content-range': `bytes 10000-${size - 1}/${size}`,
    });
    response.end(Buffer.alloc(size - 10_000));
  };
  expect((await read([part({ upTo: 10_000 }), wrong])).outcome).toBeInstanceOf(ChecksumError);
});

it('gives up after as many attempts without a byte as there are retries', async () => {
  const empty = part({ status: 206, from: 10_000, upTo: 10_000 });
  const { outcome, ranges } = await read([part({ upTo: 10_000 }), empty], { retries: 2 });
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(ranges).toHaveLength(3);
});

it.each<[string, Part]>([
  ['offers no ranges', { headers: { 'accept-ranges': 'none' } }],
  ['changed the encoding', { headers: { 'content-encoding': 'identity' } }],
])('does not go on where the server %s', async (_, first) => {
  const { outcome, ranges } = await read([part({ ...first, upTo: 10_000 }), part({})]);
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(ranges).toHaveLength(1);
});

it('does not go on when no retry is allowed', async () => {
  const { outcome } = await read([part({ upTo: 10_000, hangs: true }), part({})], {
    retries: 0,
    timeoutMs: 1_000,
  });
  expect(outcome).toBeInstanceOf(TimeoutError);
});

it('begins at an offset, goes on from there, and reads past it where the server gives the whole', async () => {
  const { outcome, ranges } = await read(
    [part({ status: 206, from: 20_000, upTo: 30_000 }), part({ status: 206, from: 30_000 })],
    { offset: 20_000 },
  );
  expect(Buffer.from(outcome as ArrayBuffer).equals(file.subarray(20_000))).toBe(true);
  expect(ranges).toEqual([
    ['bytes=20000-', undefined],
    ['bytes=30000-', etag],
  ]);
  const whole = await read([part({})], { offset: 20_000 });
  expect(Buffer.from(whole.outcome as ArrayBuffer).equals(file.subarray(20_000))).toBe(true);
  await expect(read([part({})], { offset: -1 })).rejects.toThrow('offset must be 0 or more bytes');
  await expect(read([part({})], { offset: 1, verify: true })).rejects.toThrow('Only a whole file');
});
