// Watches a project for drift: subscribes to new snapshots, verifies each delivery, and compares every snapshot with the one
// before it on the same machine, none left out. Settings: ENVSNAP_BASE_URL, ENVSNAP_API_KEY, RECEIVER_URL (where the server
// reaches this program), STATE_FILE (what was seen, for the next start). Stops after as many snapshots as its argument says.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  EnvSnap,
  NotFoundError,
  type SnapshotSummary,
  verifyWebhook,
  WebhookVerificationError,
} from '@envsnap/sdk';

type Seen = Pick<SnapshotSummary, 'id' | 'createdAt'>;

const client = new EnvSnap();
const receiverUrl = process.env.RECEIVER_URL ?? 'http://127.0.0.1:8080/';
const stateFile = process.env.STATE_FILE ?? 'drift-watch.json';
/** The last snapshot of each machine that was compared. */
const seen: Record<string, Seen> = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
let left = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);

function remember(machineName: string, { id, createdAt }: Seen): void {
  seen[machineName] = { id, createdAt };
  writeFileSync(stateFile, JSON.stringify(seen));
}

/** Reports every snapshot of the machine that came after the last one seen, oldest first. */
async function reportNew(machineName: string): Promise<void> {
  const last = seen[machineName];
  const fresh: Seen[] = [];
  for await (const snapshot of client.snapshots.iterate({ machineName })) {
    if (last && (snapshot.id === last.id || snapshot.createdAt < last.createdAt)) break;
    fresh.unshift(snapshot);
  }
  for (const snapshot of fresh) {
    const before = seen[machineName];
    console.log(`${machineName}: ${before ? await changes(before.id, snapshot.id) : 'first snapshot'}`);
    remember(machineName, snapshot);
    left -= 1;
  }
}

async function changes(snapshotA: string, snapshotB: string): Promise<string> {
  try {
    const { verdict, causes } = await client.snapshots.compare({ snapshotA, snapshotB });
    return [verdict, ...causes.slice(0, 3).map(({ what }) => what)].join('; ');
  } catch (error) {
    if (error instanceof NotFoundError) return 'one of two snapshots was deleted meanwhile';
    throw error;
  }
}

const { id: webhookId, secret } = await client.webhooks.create({
  url: receiverUrl,
  events: ['snapshot.created'],
});
let work = Promise.resolve();

const server = createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const payload = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    if (payload.event === 'snapshot.created') {
      // One after another: deliveries come in any order, and one of them may report what others announce.
      const { machineName } = payload.data;
      const done = work.then(() => reportNew(machineName));
      work = done.catch(() => undefined);
      await done;
    }
    response.writeHead(204, { connection: 'close' }).end();
  } catch (error) {
    const isForged = error instanceof WebhookVerificationError;
    console.error(isForged ? 'refused a delivery that is not genuine' : `not reported yet: ${error}`);
    // After a 500 the server delivers again.
    response.writeHead(isForged ? 400 : 500, { connection: 'close' }).end();
  }
  if (left <= 0 && server.listening) await stop();
});

async function stop(): Promise<void> {
  server.close();
  await client.webhooks.delete(webhookId);
}

server.listen(Number(new URL(receiverUrl).port), '127.0.0.1');
process.once('SIGINT', () => void stop());

// What came before the first start is where the watch begins; what came since the last one is reported.
const isFirstStart = Object.keys(seen).length === 0;
for await (const { machineName, latest } of client.snapshots.iterateMachines()) {
  const isNew = () => isFirstStart && !seen[machineName];
  work = work.then(() => (isNew() ? remember(machineName, latest) : reportNew(machineName)));
}
await work;
console.log('watching');
