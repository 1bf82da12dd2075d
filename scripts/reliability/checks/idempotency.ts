// Creations over a network that loses requests and answers: each has its effect once.

import { createServer } from 'node:http';
import { EnvSnap } from '@envsnap/sdk';
import { type Check, every, type Figure, shown } from '../check.ts';
import { bootstrap, send } from '../requests.ts';
import type { World } from '../world.ts';

/** A proxy that loses a share of the requests before, and of the answers after the server. */
async function startCuttingProxy(world: World, target: string, share: number, random: () => number) {
  let lost = 0;
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (random() < share) {
      lost += 1;
      request.socket.destroy();
      return;
    }
    const headers: Record<string, string> = {};
    for (const name of ['content-type', 'x-api-key', 'idempotency-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const init = { method: request.method as string, headers };
    const body = chunks.length > 0 ? { body: new Uint8Array(Buffer.concat(chunks)) } : {};
    const answer = await fetch(target + request.url, { ...init, ...body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (random() < share) {
      lost += 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes);
  });
  return { url: await world.listen(proxy), lost: () => lost };
}

export const idempotency: Check = {
  name: 'idempotency',
  what: 'the SDK creates snapshots over a proxy that loses 30% of requests and 30% of responses',
  async run({ rounds, random, world }) {
    const figures: Figure[] = [];
    for (const [name, databaseUrl] of await world.databases()) {
      const server = await world.startServer({ databaseUrl });
      const { key } = await bootstrap(server.url);
      const proxy = await startCuttingProxy(world, server.url, 0.3, random);
      const client = new EnvSnap({ baseUrl: proxy.url, apiKey: key, retries: 20, totalTimeoutMs: 180_000 });
      const wanted = rounds(1000);
      let made = 0;
      const ids = new Set<string>();
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          while (made < wanted) {
            made += 1;
            const { id } = await client.snapshots.create({ machineName: `m-${made}` });
            ids.add(id);
          }
        }),
      );
      const total = async (machineName: string) =>
        (await send('GET', `${server.url}/machine/snapshots?limit=1${machineName}`, { key })).body
          .total as number;
      const stored = await total('');
      let once = 0;
      let refused = 0;
      const keys = rounds(50);
      for (let index = 0; index < keys; index += 1) {
        const headers = { 'idempotency-key': `same-${index}` };
        const body = { machineName: `same-${index}` };
        const url = `${server.url}/machine/snapshots`;
        await Promise.all(Array.from({ length: 20 }, () => send('POST', url, { key, headers, body })));
        if ((await total(`&machineName=same-${index}`)) === 1) once += 1;
        const other = await send('POST', url, { key, headers, body: { machineName: 'other' } });
        if (other.status === 422) refused += 1;
      }
      figures.push(
        every(`${name}: rows for creations`, stored, wanted),
        every(`${name}: creations with a unique id`, ids.size, wanted),
        shown(`${name}: requests and responses lost on the way`, String(proxy.lost())),
        every(`${name}: one row for 20 identical requests at once`, once, keys),
        every(`${name}: 422 for another body with the same key`, refused, keys),
      );
      await server.end();
    }
    return figures;
  },
};
