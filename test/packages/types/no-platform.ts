// A program without the types of any platform: neither DOM nor Node.js.

import { type Answer, EnvSnap, NotFoundError, type Snapshot, verifyWebhook } from '@envsnap/sdk';

const client = new EnvSnap({
  apiKey: 'mk_',
  baseUrl: 'http://127.0.0.1:4780',
  headers: { traceparent: '00' },
});
const snapshot: Snapshot = await client.snapshots.get('id', { timeoutMs: 5 });
export const version: string | undefined = snapshot.runtimeVersions.node;
const made = await client.snapshots.create({ machineName: 'm', os: null, envVars: {} }).withResponse();
export const id: string = made.data.id;
for await (const { createdAt } of client.snapshots.iterate({ machineName: 'm' })) createdAt.slice(0, 4);
const files: Answer<'listFiles'> = await client.files.list({ limit: 5 });
export const names: string[] = files.files.map((file) => file.filename);
await client.files.upload({ content: 'text', filename: 'a.txt' });
const page = await client.request<{ machines: unknown[] }>({ method: 'GET', path: '/machine/machines' });
export const count: number = page.machines.length;
const event = await verifyWebhook('body', { 'webhook-id': '1' }, 'secret');
if (event.event === 'file.uploaded') event.data.filename.slice(1);
export const isMissing = (error: unknown): boolean => error instanceof NotFoundError && error.status === 404;
// @ts-expect-error a list has no such filter
await client.snapshots.list({ nonsense: 1 });
// @ts-expect-error a snapshot needs a name
await client.snapshots.create({});
export const commit: string | undefined = snapshot.metadata.git?.commit;
export const openFiles = snapshot.metadata.facts?.['limits.openFiles'];
export const own: unknown = snapshot.metadata.anything;
for await (const { machineName } of client.snapshots.list({ limit: 5 })) machineName.slice(1);
export const patient: EnvSnap = client.withOptions({ retries: 5 });
// @ts-expect-error a signal is not part of a query
await client.snapshots.list({ signal: undefined });
