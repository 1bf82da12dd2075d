// A proxy that severs connections: passes bytes through both ways, and ends a connection after a number of bytes to the client.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SeveringProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** Connections that were ended. */
  readonly severed: () => number;
}

/** Starts a proxy in front of `target`; every connection ends after `maxBytes` to the client. */
export async function startSeveringProxy(target: string, maxBytes: number): Promise<SeveringProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let severed = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let sentBytes = 0;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (sentBytes > maxBytes) return;
      sentBytes += chunk.length;
      if (sentBytes <= maxBytes) {
        if (!client.write(chunk)) {
          upstream.pause();
          client.once('drain', () => upstream.resume());
        }
        return;
      }
      severed += 1;
      // The bytes sent so far arrive; a reset would discard them.
      client.end(chunk.subarray(0, maxBytes - (sentBytes - chunk.length)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    severed: () => severed,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
