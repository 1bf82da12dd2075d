// A scripted receiver of webhook deliveries on loopback: real HTTP, with every way of misbehaving that tests need.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { cleanUpAfterTest } from '../../support/clean-up.ts';

/** A request as it arrived. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
}

/** The receiver's reaction to a request: a status, or its own response. */
export type Reaction =
  | number
  | 'hang'
  | 'reset'
  | ((request: ReceivedDelivery, response: ServerResponse, message: IncomingMessage) => void | Promise<void>);

export interface Receiver {
  readonly port: number;
  readonly origin: string;
  /** Every request, complete, in the order of arrival. */
  readonly received: ReceivedDelivery[];
  /** TCP connections that were ever made. */
  readonly connections: () => number;
  /** Requests that wait for a response now, and their maximum so far. */
  readonly open: () => number;
  readonly mostOpen: () => number;
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver; `react` decides on each request by its number, from 0. Closed after the test. */
export async function startReceiver(
  react: (delivery: ReceivedDelivery, index: number) => Reaction,
  where: { host?: string; port?: number } = {},
): Promise<Receiver> {
  const { host = '127.0.0.1', port: wantedPort = 0 } = where;
  const received: ReceivedDelivery[] = [];
  const sockets = new Set<Socket>();
  const waiting: { count: number; resolve: () => void }[] = [];
  let connections = 0;
  let open = 0;
  let mostOpen = 0;
  const server = createServer(async (message, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of message) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const delivery = {
      path: message.url ?? '',
      headers: message.headers,
      body: Buffer.concat(chunks),
      atMs: Date.now(),
    };
    const index = received.push(delivery) - 1;
    for (const waiter of waiting) if (received.length >= waiter.count) waiter.resolve();
    const reaction = react(delivery, index);
    if (reaction === 'reset') message.socket.resetAndDestroy();
    else if (typeof reaction === 'number') response.writeHead(reaction).end();
    else if (typeof reaction === 'function') await reaction(delivery, response, message);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wantedPort, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    received,
    connections: () => connections,
    open: () => open,
    mostOpen: () => mostOpen,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  cleanUpAfterTest(() => receiver.close());
  return receiver;
}
