// The listening socket: limits against slow or hostile clients, and a graceful stop.

import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as Listener, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../app-error.ts';
import { createServer } from './node-http.ts';
import { answerUnreadableRequests } from './unreadable-request.ts';

/** Milliseconds a client has for its headers, and for its whole request: 100 MB at 30 kB/s. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 3_600_000;
/** Milliseconds an idle connection is kept; longer than the 60 s of common load balancers. */
const keepAliveTimeoutMs = 65_000;
/** Milliseconds between the last accepted connection and the end of idle ones. */
const usualIdleMs = 300;
/** Maximum milliseconds that the listener waits for a turn without a new connection before it closes. */
const longestWaitMs = 250;
const maxHeaderBytes = 32 * 1024;
const maxHeaderCount = 200;
/** Requests of a connection that wait behind one; more end the connection. */
const mostWaiting = 100;

export interface HttpServer {
  readonly url: string;
  /** Keeps serving for a time, but ends every connection with its next response, so that none is open at the stop. */
  drain(ms: number): Promise<void>;
  /**
   * Stops accepting, gives requests in flight at most `graceMs` to finish, then cuts the rest. Closes idle connections after
   * `idleMs`, default 300. Resolves once every connection is closed.
   */
  stop(graceMs: number, idleMs?: number): Promise<void>;
}

/** Listens. Port 0 picks a free one. Errors: StartupError when it cannot listen on the address. */
export async function listen(
  listener: RequestListener,
  address: { host: string; port: number },
  /** Headers of every response to an unreadable request. */
  unreadableHeaders: Readonly<Record<string, string>> = {},
  /** How long a caller may stop reading its response, in milliseconds. */
  stallMs = 60_000,
): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval: 5000,
    // Node.js would refuse with an empty body; the first step of a request does it in the shape of every error.
    requireHostHeader: false,
  });
  server.maxHeadersCount = maxHeaderCount;
  const ending = new AbortController();
  /** Once this signal is aborted, idle connections end. */
  const over = new AbortController();
  const unanswered = new Set<ServerResponse>();
  server.on(
    'request',
    oneByOne((request, response) => {
      track(response);
      endWhenStalled(response, stallMs);
      listener(request, response);
    }),
  );
  answerUnreadableRequests(server, unreadableHeaders);
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1); Node.js would respond without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describeListenError(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  function track(response: ServerResponse): void {
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      // A connection whose response began before the stop was announced stays open after it.
      if (over.signal.aborted) server.closeIdleConnections();
    });
    if (ending.signal.aborted) announceEnd(response);
  }
  return {
    url: `http://${host}:${port}`,
    async drain(ms) {
      ending.abort();
      for (const response of unanswered) announceEnd(response);
      if (ms > 0) await sleep(ms);
    },
    stop: (graceMs, idleMs = usualIdleMs) => {
      ending.abort();
      return stop(server, unanswered, over, graceMs, idleMs);
    },
  };
}

function describeListenError(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }) {
  const place = `${host}:${port}`;
  const noAddress = `cannot listen on ${place}: this machine has no such address (--host or ENVSNAP_HOST)`;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `port in use: cannot listen on ${place}; choose another with --port or ENVSNAP_PORT`,
    EACCES: `not allowed to listen on ${place}; choose a port above 1023 with --port or ENVSNAP_PORT`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
  };
  const text = known[error.code ?? ''] ?? `cannot listen on ${place}: ${error.message}`;
  return new StartupError(text, { cause: error });
}

/** Begins the requests of a connection one after another: otherwise all of one packet would begin in one turn. */
function oneByOne(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
        if (next) setImmediate(next);
        else waiting.delete(socket);
      });
      listener(request, response);
    };
    const others = waiting.get(socket);
    if (others && others.length >= mostWaiting) socket.destroy();
    else if (others) others.push(begin);
    else {
      waiting.set(socket, []);
      begin();
    }
  };
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Closing a connection with an unread request in it is a failed request for the proxy. So the listener closes when no connection
 * waits to be accepted, and idle connections some time later.
 */
async function stop(
  server: Server,
  unanswered: ReadonlySet<ServerResponse>,
  over: AbortController,
  graceMs: number,
  idleMs: number,
): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await acceptWaiting(server);
  // The HTTP server's own close would end idle connections at the same moment.
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
  for (const response of unanswered) announceEnd(response);
  await Promise.race([closed, sleep(Math.min(idleMs, graceMs))]);
  await nextTurn();
  over.abort();
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

/** Resolves after a turn of the event loop that accepted no connection: a turn accepts one of those that wait. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  const untilMs = performance.now() + longestWaitMs;
  for (let before = -1; before !== accepted && performance.now() < untilMs; ) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}

/** Cuts the connection if its caller reads nothing of a response for `stallMs` milliseconds. A response may begin late. */
function endWhenStalled(response: ServerResponse, stallMs: number): void {
  const look = () => {
    // The socket's timeout means that nothing came or went, not even a part of the waiting bytes.
    if ((response.socket?.writableLength ?? 0) > 0) response.destroy();
    else response.setTimeout(stallMs);
  };
  response.setTimeout(stallMs, look);
}
