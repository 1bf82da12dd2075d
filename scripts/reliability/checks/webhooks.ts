// Deliveries while servers are killed and the receiver fails: none is lost.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Check, every, none, shown } from '../check.ts';
import { bootstrap, send, workers } from '../requests.ts';
import type { Server } from '../world.ts';

export const webhooks: Check = {
  name: 'webhooks',
  what: 'three servers deliver events, one is killed every two seconds; the receiver fails, hangs or resets 30% of the time',
  async run({ rounds, random, world }) {
    const databaseUrl = await (await world.postgres()).createDatabase();
    const env = {
      ENVSNAP_WEBHOOK_ALLOW: '127.0.0.1',
      ENVSNAP_WEBHOOK_RETRY_SECONDS: '0.1,0.2,0.5,1,1,1,1,2,2,2,2,2',
      ENVSNAP_WEBHOOK_TIMEOUT_MS: '1000',
    };
    const start = () => world.startServer({ databaseUrl, env });
    const servers: Server[] = [await start(), await start(), await start()];
    const { key } = await bootstrap(servers[0]?.url ?? '');

    let verify: Webhook | undefined;
    let unverified = 0;
    let overlapping = 0;
    const attemptsOf = new Map<string, { ids: Set<string>; succeeded: number }>();
    const running = new Set<string>();
    const receiver = createServer(async (request, response) => {
      const id = String(request.headers['webhook-id']);
      if (running.has(id)) overlapping += 1;
      running.add(id);
      response.once('close', () => running.delete(id));
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      try {
        verify?.verify(body, request.headers as Record<string, string>);
      } catch {
        unverified += 1;
      }
      const { data } = JSON.parse(body);
      const seen = attemptsOf.get(data.snapshotId) ?? { ids: new Set<string>(), succeeded: 0 };
      seen.ids.add(id);
      attemptsOf.set(data.snapshotId, seen);
      const fate = random();
      if (fate < 0.2) response.writeHead(500).end();
      else if (fate < 0.25) return;
      else if (fate < 0.3) request.socket.destroy();
      else {
        seen.succeeded += 1;
        response.end();
      }
    });
    const target = `${await world.listen(receiver)}/`;
    const hook = await send('POST', `${servers[0]?.url}/machine/webhooks`, {
      key,
      body: { url: target, events: ['snapshot.created'] },
    });
    verify = new Webhook(hook.body.secret);

    const expected = rounds(3000);
    const created: string[] = [];
    let kills = 0;
    const writing = workers(
      6,
      () => created.length >= expected,
      async (worker) => {
        const server = servers[worker % servers.length];
        const answer = await send('POST', `${server?.url}/machine/snapshots`, {
          key,
          body: { machineName: 'm' },
        });
        if (answer.status === 201) created.push(answer.body.id);
        else await sleep(20);
      },
    );
    while (created.length < expected) {
      await sleep(2000);
      const victim = kills % servers.length;
      await servers[victim]?.end('SIGKILL');
      kills += 1;
      servers[victim] = await start();
    }
    await writing;
    const missing = () => created.filter((id) => !attemptsOf.get(id)?.succeeded).length;
    // A killed server's leases end after 16 s; then the retries follow.
    for (let waited = 0; missing() > 0 && waited < 120; waited += 1) await sleep(500);
    const delivered = created.map((id) => attemptsOf.get(id)).filter((seen) => seen !== undefined);
    const twice = delivered.filter(({ succeeded }) => succeeded > 1).length;
    for (const server of servers) await server.end();
    return [
      none(`events lost, of ${created.length} with ${kills} kills`, missing()),
      every(
        'events with one webhook-id in all attempts',
        delivered.filter(({ ids }) => ids.size === 1).length,
        created.length,
      ),
      {
        what: 'events delivered more than once (a kill between delivery and record)',
        asked: '≤ 2%',
        measured: `${((100 * twice) / created.length).toFixed(2)}%`,
        reached: twice <= created.length * 0.02,
      },
      none('attempts of one event at the same time', overlapping),
      none('signatures that the standardwebhooks library refuses', unverified),
      shown('most attempts of an event', String(Math.max(...delivered.map(({ succeeded }) => succeeded)))),
    ];
  },
};
