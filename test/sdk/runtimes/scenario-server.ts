// The server of the scenarios: real HTTP, one script for each scenario, allowed to every origin so that a browser may call it.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import type { Seen } from './scenarios.ts';

const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
const inTimeSlice =
  (...handlers: Handler[]): Handler =>
  (request, response, nth) =>
    handlers[Math.min(nth, handlers.length - 1)]?.(request, response, nth);

const health = json(200, { status: 'ok', version: '1.0.0' });
const busy = json(503, { error: 'Stopping', code: 'shutting_down', requestId: 'r' });
const stored = json(201, { id, filename: 'a.txt', size: 1, checksum: '0'.repeat(64), createdAt: 'now' });
const redirect: Handler = (request, response) => {
  response.writeHead(307, { location: `http://${request.headers.host}/elsewhere` });
  response.end();
};
const hang: Handler = () => undefined;

const items = Array.from({ length: 25 }, (_, index) => ({
  id: `${id.slice(0, -2)}${String(index).padStart(2, '0')}`,
  machineName: 'm',
  os: null,
  arch: null,
  runtimeVersions: {},
  metadata: {},
  createdAt: 'now',
}));
const page: Handler = (request, response, nth) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
  const snapshots = items.slice(offset, offset + limit);
  json(200, { total: 25, limit, offset, snapshots })(request, response, nth);
};

/** Writes until the caller stops reading. */
function pour(target: NodeJS.WritableStream, chunk: Buffer, response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && target.write(chunk));
    if (!response.destroyed) target.once('drain', more);
  };
  more();
}
const mebibyteOfBlanks = Buffer.alloc(1024 * 1024, ' ');
const endless: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  pour(response, mebibyteOfBlanks, response);
};
const bomb: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  const gzip = createGzip({ level: 1 });
  gzip.pipe(response);
  pour(gzip, mebibyteOfBlanks, response);
};

const file = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256));
const fileHead = {
  'content-type': 'text/plain',
  'content-disposition': `attachment; filename="_.txt"; filename*=UTF-8''za%C5%BC.txt`,
  'accept-ranges': 'bytes',
  etag: `"${createHash('sha256').update(file).digest('hex')}"`,
};
const wholeFile: Handler = (_, response) => {
  response.writeHead(200, { ...fileHead, 'content-length': file.length });
  response.end(file);
};
/** The head and 40,000 bytes of the response, then silence or the end of the connection. */
const partOfFile =
  (ends: boolean): Handler =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from === 0 ? 200 : 206, {
      ...fileHead,
      ...(from === 0 ? {} : range),
      'content-length': file.length - from,
    });
    response.write(file.subarray(from, from + 40_000), () => {
      if (ends) setTimeout(() => request.socket.destroy(), 100);
    });
  };

const restOfFile: Handler = (request, response, nth) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from === 0 || nth < 2) return partOfFile(true)(request, response, nth);
  response.writeHead(206, {
    ...fileHead,
    'content-range': `bytes ${from}-${file.length - 1}/${file.length}`,
    'content-length': file.length - from,
  });
  return response.end(file.subarray(from));
};

const scripts: Readonly<Record<string, Handler>> = {
  ok: json(201, { id, machineName: 'm', createdAt: 'now' }),
  missing: (request, response, nth) =>
    json(404, {
      error: 'Snapshot not found',
      code: 'snapshot_not_found',
      extra: request.headers['x-api-key'],
    })(request, response, nth),
  busy: inTimeSlice(busy, health),
  torn: inTimeSlice((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"status":');
    setTimeout(() => request.socket.destroy(), 50);
  }, health),
  hang,
  stopped: hang,
  stall: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"status":');
  },
  pages: page,
  endless,
  bomb,
  shape: json(200, { snapshots: {} }),
  redirect,
  'upload-busy': inTimeSlice(busy, stored),
  'upload-unread': hang,
  'upload-hang': hang,
  'upload-stopped': hang,
  'upload-redirect': redirect,
  download: wholeFile,
  'download-broken': restOfFile,
  'download-changed': (_, response) => {
    response.writeHead(200, { ...fileHead, 'content-length': file.length });
    response.end(Buffer.alloc(file.length));
  },
  'download-stall': partOfFile(false),
};
/** Scripts that respond before the request is complete, or never read it. */
const unread = new Set(['upload-unread', 'upload-stopped']);

/** The running server. */
export interface ScenarioServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts the server on a free port. */
export async function startScenarioServer(): Promise<ScenarioServer> {
  const seen = new Map<string, Seen[]>();
  const server = createServer((request, response) => {
    const [, first = '', ...rest] = (request.url ?? '').split('/');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', '*');
    if (request.method === 'OPTIONS') {
      const requestedHeaders = request.headers['access-control-request-headers'] ?? '';
      response.writeHead(204, {
        'access-control-allow-headers': requestedHeaders,
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      });
      response.end();
      return;
    }
    if (first === 'seen') {
      json(200, seen.get(rest.join('/')) ?? [])(request, response, 0);
      return;
    }
    const script = scripts[first] ?? (first.startsWith('upload-') ? stored : json(404, {}));
    const requests = seen.get(first) ?? [];
    seen.set(first, requests);
    if (unread.has(first)) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? '', path: `/${rest.join('/')}`, headers, body });
      script(request, response, requests.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
