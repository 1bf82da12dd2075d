// Responds to requests that Node.js cannot read as HTTP, in the shape of every other error and in order: responses to earlier
// requests on the connection come first.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCodes } from '@envsnap/shared';
import { AppError } from '../app-error.ts';
import { STATUS_CODES } from './node-http.ts';
import { describeError } from './respond.ts';

/** Milliseconds that a caller has to read the response before the connection is cut. */
const lingerMs = 1000;

interface Connection {
  readonly unanswered: Set<ServerResponse>;
  latest: { readonly request: IncomingMessage; readonly response: ServerResponse };
  failed: boolean;
}

/** Responds to unreadable requests with 400, 408 or 431 and to CONNECT with 405, then closes. All get `headers`. */
export function answerUnreadableRequests(server: Server, headers: Readonly<Record<string, string>>): void {
  const connections = new WeakMap<Duplex, Connection>();

  server.prependListener('request', (request, response) => {
    const latest = { request, response };
    const connection = connections.get(request.socket) ?? {
      unanswered: new Set<ServerResponse>(),
      latest,
      failed: false,
    };
    connection.latest = latest;
    connection.unanswered.add(response);
    response.once('close', () => connection.unanswered.delete(response));
    connections.set(request.socket, connection);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const connection = connections.get(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (!connection) {
      refuse(socket, toAppError(error), headers);
      return;
    }
    // Node.js reports every further piece of data again.
    if (connection.failed) return;
    connection.failed = true;
    const { request, response } = connection.latest;
    // The body of an incomplete request cannot be read: the error is its response, unless it already has one.
    const isOfLatest = !request.complete;
    const earlier = [...connection.unanswered].filter((one) => !(isOfLatest && one === response));
    void Promise.all(earlier.map((one) => new Promise((resolve) => one.once('close', resolve)))).then(() => {
      if (isOfLatest && response.headersSent) socket.end();
      else refuse(socket, toAppError(error), headers);
    });
  });

  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    const refusal = new AppError('method_not_allowed', 'This server is not a proxy', undefined, {
      headers: { Allow: 'DELETE, GET, HEAD, PATCH, POST' },
    });
    refuse(socket, refusal, headers);
  });
}

function refuse(socket: Duplex, error: AppError, common: Readonly<Record<string, string>>): void {
  if (!socket.writable) return;
  const { status, headers, body } = describeError(error, randomUUID());
  const json = JSON.stringify(body);
  const lines = Object.entries({
    ...common,
    ...headers,
    'X-Request-Id': body.requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(json)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${json}`);
  // Cutting at once could lose the response if the caller is still sending.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function toAppError({ code }: NodeJS.ErrnoException): AppError {
  const known = {
    HPE_HEADER_OVERFLOW: 'headers_too_large',
    ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  } as const;
  const name = known[code as keyof typeof known] ?? 'malformed_request';
  return new AppError(name, errorCodes[name].meaning);
}
