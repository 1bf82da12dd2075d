// A real HTTP server that follows a test's script: it responds, waits, drops connections, cuts off responses.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's reaction to one request. */
export type Step =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  /** Reads the request, then closes the connection without an answer. */
  | 'drop'
  /** Reads the request, and never answers. */
  | 'hang'
  /** Sends a good head and the first bytes of a body, then closes the connection. */
  | 'truncate'
  /** Sends a good head and the first bytes of a body, and nothing more. */
  | 'stall'
  | ((request: IncomingMessage, response: ServerResponse, body: Buffer) => void);

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly atMs: number;
}

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every request that arrived whole, in order. */
  readonly seen: SeenRequest[];
  /** Requests whose connection the client closed before an answer. */
  readonly aborted: () => number;
}

/** Starts a server that follows the script; the last step is repeated for every further request. */
export async function startScriptedServer(...script: Step[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1;
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const step = script[Math.min(seen.length, script.length - 1)];
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
        atMs: performance.now(),
      });
      perform(step, request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    aborted: () => aborted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function perform(
  step: Step | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  if (typeof step === 'function') {
    step(request, response, body);
    return;
  }
  if (step === undefined || step === 'hang') return;
  if (step === 'drop') {
    request.socket.destroy();
    return;
  }
  if (step === 'truncate' || step === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"status":');
    if (step === 'truncate') setTimeout(() => request.socket.destroy(), 20);
    return;
  }
  const text = step.text ?? JSON.stringify(step.json ?? {});
  const type = step.text === undefined ? 'application/json; charset=utf-8' : 'text/html';
  response.writeHead(step.status, {
    'content-type': type,
    'x-request-id': `req-${step.status}`,
    ...step.headers,
  });
  response.end(text);
}

/** An address on which nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = await startScriptedServer('hang');
  const { baseUrl } = server;
  await server[Symbol.asyncDispose]();
  return baseUrl;
}
