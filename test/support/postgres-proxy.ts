// A proxy in front of PostgreSQL that counts how often somebody waits for it: it holds back every reply until all queries have
// been answered and no more arrive, then releases all replies at once. Each release is a round trip.

import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Replies are held back for at most this many milliseconds while another is awaited, because it may wait for a lock whose holder
 * waits for a held reply.
 */
const longestKept = 200;

export interface PostgresProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Counts the round trips until `call` is done; outside of calls everything passes at once. */
  countRoundTrips(call: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

/** Counts messages of some types in a stream of PostgreSQL's protocol: a type, then a length that includes itself. */
function createCounter(types: string): (chunk: Buffer) => number {
  const messageTypes = new Set(Buffer.from(types));
  let head = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let found = 0;
    let rest = Buffer.concat([head, chunk]);
    head = Buffer.alloc(0);
    while (rest.length > 0) {
      const skipped = Math.min(skip, rest.length);
      skip -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) break;
      if (rest.length < 5) {
        head = Buffer.from(rest);
        break;
      }
      if (messageTypes.has(rest[0] as number)) found += 1;
      skip = rest.readUInt32BE(1) + 1;
    }
    return found;
  };
}

export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  /** Replies that are held back, in order of arrival. */
  let heldReplies: (() => void)[] = [];
  let isCounting = false;
  let unanswered = 0;

  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    // Simple queries and the ends of extended ones are each answered by "ready for query".
    let isStarted = false;
    const countAsked = createCounter('QS');
    const countAnswered = createCounter('Z');
    client.on('data', (chunk: Buffer) => {
      // The first message has no type; those of a login are not queries.
      if (isStarted) unanswered += countAsked(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      const answered = countAnswered(chunk);
      if (isStarted) unanswered -= answered;
      else if (answered > 0) isStarted = true;
      if (isCounting && isStarted) heldReplies.push(() => client.write(chunk));
      else client.write(chunk);
    });
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : '');

  function release(): void {
    const answers = heldReplies;
    heldReplies = [];
    for (const answer of answers) answer();
  }

  return {
    url: url.href,
    async countRoundTrips(call) {
      isCounting = true;
      let isDone = false;
      let roundTrips = 0;
      let releasedAt = performance.now();
      const calling = call().finally(() => {
        isDone = true;
      });
      while (!isDone) {
        // A client that got a response has had time to send its next request.
        for (let turn = 0; turn < 50; turn += 1) await nextTurn();
        const isHeldUp = performance.now() - releasedAt > longestKept;
        if (heldReplies.length === 0 || (unanswered > 0 && !isHeldUp)) continue;
        roundTrips += 1;
        release();
        releasedAt = performance.now();
      }
      isCounting = false;
      release();
      await calling;
      return roundTrips;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
