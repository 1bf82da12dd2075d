// Watches a project for drift: subscribes to new snapshots, verifies each delivery, and compares the new snapshot with the one
// before it. Settings: ENVSNAP_BASE_URL, ENVSNAP_API_KEY, RECEIVER_URL (where the server reaches this program). Stops after the
// number of snapshots given as its argument.

import { createServer } from 'node:http';
import { EnvSnap, verifyWebhook, WebhookVerificationError } from '@envsnap/sdk';

const client = new EnvSnap();
const receiverUrl = process.env.RECEIVER_URL ?? 'http://127.0.0.1:8080/';
let left = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);

const { id: webhookId, secret } = await client.webhooks.create({
  url: receiverUrl,
  events: ['snapshot.created'],
});
const handled = new Set<string>();

async function report(snapshotId: string, machineName: string): Promise<void> {
  const [newest, before] = await client.snapshots.iterate({ machineName }).toArray({ limit: 2 });
  if (!newest || !before || newest.id !== snapshotId) return console.log(`${machineName}: first snapshot`);
  const { diff } = await client.snapshots.compare({ snapshotA: before.id, snapshotB: newest.id });
  const changed = diff.runtimes.filter(({ match }) => !match);
  if (changed.length === 0) return console.log(`${machineName}: no runtime changed`);
  for (const { key, a, b } of changed)
    console.log(`${machineName}: ${key} ${a ?? 'absent'} -> ${b ?? 'absent'}`);
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const payload = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    response.writeHead(204).end();
    // A delivery may come twice.
    if (payload.event !== 'snapshot.created' || handled.has(payload.id)) return;
    handled.add(payload.id);
    await report(payload.data.snapshotId, payload.data.machineName);
    left -= 1;
    if (left === 0) await stop();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log('refused a delivery that is not genuine');
    response.writeHead(400).end();
  }
});

async function stop(): Promise<void> {
  await client.webhooks.delete(webhookId);
  server.close();
  server.closeAllConnections();
}

server.listen(Number(new URL(receiverUrl).port), '127.0.0.1', () => console.log('watching'));
process.once('SIGINT', () => void stop());
