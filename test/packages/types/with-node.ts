// A program with the types of Node.js: files and streams, signals, a custom fetch.

import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { EnvSnap, signTestDelivery, verifyWebhook } from '@envsnap/sdk';

const client = new EnvSnap({ fetch: (url, init) => fetch(url, init), signal: AbortSignal.timeout(1000) });
export const withGlobal = new EnvSnap({ fetch: globalThis.fetch });
await client.files.upload({ content: () => createReadStream('a'), filename: 'a', sizeBytes: 5 });
await client.files.upload({ content: new Blob(['a']), filename: 'a' });
const file = await client.files.download('id', { signal: new AbortController().signal });
await pipeline(file.stream, createWriteStream('a'));
for await (const chunk of file.stream) chunk.byteLength.toFixed();
const { headers } = await client.usage.get().withResponse();
export const remaining: string | null = headers.get('x-ratelimit-remaining');
const delivery = await signTestDelivery({
  event: 'snapshot.created',
  data: { snapshotId: 'id', machineName: 'm' },
  secret: 'whsec_x',
});
await verifyWebhook(new Request('http://localhost/', delivery), undefined, 'whsec_x');
