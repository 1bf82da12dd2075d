// What the SDK does on every runtime, as one program without Node.js modules: bundled and run by runtimes.test.ts.

import {
  EnvSnap,
  type FileUpload,
  signTestDelivery,
  type TransportEvent,
  UnexpectedResponseError,
  verifyWebhook,
} from '@envsnap/sdk';
import { apiKeyChecksum } from '@envsnap/shared/api-key-format';

const digits = '0123456789abcdef'.repeat(4).slice(0, 56);
const apiKey = `mk_${digits}${apiKeyChecksum(digits)}`;
const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';

/** How one scenario ended: `failure` is what went wrong, undefined if nothing. */
export interface Outcome {
  readonly name: string;
  readonly failure?: string | undefined;
}

/** The requests of one scenario that the server received; `body` is text. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Context {
  /** A client whose requests the server answers by this scenario's script. */
  readonly client: EnvSnap;
  readonly seen: () => Promise<Seen[]>;
  readonly events: TransportEvent[];
}

type Scenario = (context: Context) => Promise<void>;
const tests = new Map<string, Scenario>();
const waits = { timeoutMs: 400, retries: 0 };

function check(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(a === b, `${what}: ${a} instead of ${b}`);
}
async function failureOf(call: PromiseLike<unknown>): Promise<Record<string, unknown> & Error> {
  try {
    await call;
  } catch (error) {
    return error as Record<string, unknown> & Error;
  }
  throw new Error('it did not fail');
}

tests.set('ok', async ({ client, seen }) => {
  const made = await client.snapshots.create(
    { machineName: 'ü' },
    { headers: { traceparent: '00-1' }, idempotencyKey: 'mine' },
  );
  same(made.machineName, 'm', 'the answer');
  const [request] = await seen();
  same(JSON.parse(request?.body ?? ''), { machineName: 'ü' }, 'the body');
  const { headers } = request as Seen;
  same(
    [headers['x-api-key'], headers['content-type'], headers['idempotency-key'], headers.traceparent],
    [apiKey, 'application/json', 'mine', '00-1'],
    'the headers',
  );
});

tests.set('missing', async ({ client }) => {
  async function theCaller(): Promise<unknown> {
    return await client.snapshots.get(id);
  }
  const error = await failureOf(theCaller());
  same([error.name, error.status, error.code], ['NotFoundError', 404, 'snapshot_not_found'], 'the error');
  check(error.stack?.includes('theCaller'), `the stack does not show the caller: ${error.stack}`);
  same((error.body as { extra: string }).extra, 'mk_…', 'the body');
  check(
    !JSON.stringify([error.message, error.stack, error.body]).includes(digits),
    'the error holds the key',
  );
});

tests.set('busy', async ({ client, events }) => {
  await client.service.health();
  same(
    events.map(({ type }) => type),
    ['request', 'response', 'retry', 'request', 'response'],
    'the events',
  );
});

tests.set('torn', async ({ client, events }) => {
  await client.service.health();
  same(
    events.map(({ type }) => type),
    ['request', 'failure', 'retry', 'request', 'response'],
    'the events',
  );
});

tests.set('hang', async ({ client, events }) => {
  const error = await failureOf(client.service.health(waits));
  same([error.name, error.limit], ['TimeoutError', 'try'], 'the error');
  same(events.at(-1)?.type, 'failure', 'the last event');
});

tests.set('stall', async ({ client }) => {
  const error = await failureOf(client.service.health(waits));
  same([error.name, error.limit], ['TimeoutError', 'try'], 'the error');
});

tests.set('stopped', async ({ client }) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const error = await failureOf(client.service.health({ signal: controller.signal }));
  same(error.name, 'AbortError', 'the error');
});

tests.set('pages', async ({ client, seen }) => {
  const items = await client.snapshots.iterate({}, { pageSize: 10 }).toArray();
  same(items.length, 25, 'the items');
  same((await client.snapshots.iterate().toArray({ limit: 3 })).length, 3, 'the first items');
  same((await seen()).at(-1)?.path, '/machine/snapshots?limit=3&offset=0', 'the last request');
});

for (const name of ['endless', 'bomb']) {
  tests.set(name, async ({ client }) => {
    const error = await failureOf(client.snapshots.list());
    check(error instanceof UnexpectedResponseError, `${error.name}: ${error.message}`);
    check(error.message.includes('larger than 64 MiB'), error.message);
  });
}

tests.set('shape', async ({ client }) => {
  const error = await failureOf(client.snapshots.list());
  check(error instanceof UnexpectedResponseError, `${error.name}: ${error.message}`);
  check(error.message.includes('snapshots is not a list'), error.message);
});

tests.set('redirect', async ({ client, seen }) => {
  const error = await failureOf(client.service.health());
  check(error instanceof UnexpectedResponseError, `${error.name}: ${error.message}`);
  same((await seen()).length, 1, 'requests');
});

const text = 'zażółć\r\n--envsnap\r\n'.repeat(1000);
const bytes = new TextEncoder().encode(text);
async function* inChunks(): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 4096) yield bytes.subarray(from, from + 4096);
}
function asStream(): ReadableStream<Uint8Array> {
  const chunks = inChunks();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
const contents: Record<string, () => FileUpload['content']> = {
  text: () => text,
  bytes: () => bytes,
  blob: () => new Blob([text]),
  stream: asStream,
  iterable: inChunks,
  function: () => asStream,
};
for (const [kind, content] of Object.entries(contents)) {
  tests.set(`upload-${kind}`, async ({ client, seen }) => {
    const progress: number[] = [];
    const upload = { content: content(), filename: 'a.txt' };
    await client.files.upload({
      ...upload,
      onProgress: ({ transferredBytes }) => progress.push(transferredBytes),
    });
    const [request] = await seen();
    const [head = '', body = ''] = (request?.body ?? '').split(
      /\r\n\r\n([\s\S]*)\r\n--envsnap-[\w-]+--\r\n$/,
    );
    check(head.includes('name="file"; filename="a.txt"'), `the head is ${head}`);
    same(body === text, true, 'the file arrived unchanged');
    same(progress.at(-1), bytes.length, 'the progress');
    check(
      progress.every((value, index) => value >= (progress[index - 1] ?? 0)),
      'the progress goes back',
    );
    if (kind !== 'stream' && kind !== 'iterable') return;
    const again = await failureOf(client.files.upload(upload));
    check(again.message.includes('was read before'), `uploaded again: ${again.message}`);
    if (kind === 'stream') {
      const used = asStream();
      const reader = used.getReader();
      while (!(await reader.read()).done);
      reader.releaseLock();
      const usedUp = await failureOf(client.files.upload({ content: used, filename: 'a' }));
      check(usedUp.message.includes('was read before'), `uploaded: ${usedUp.message}`);
    }
  });
}

tests.set('upload-busy', async ({ client, seen }) => {
  await client.files.upload({ content: text, filename: 'a.txt' });
  const requests = await seen();
  same(requests.length, 2, 'requests');
  same(requests[0]?.body === requests[1]?.body, true, 'the same bytes');
});

/** More than a connection's buffers can hold. */
const large = () => new Blob(Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024)));
tests.set('upload-unread', async ({ client }) => {
  const error = await failureOf(client.files.upload({ content: large(), filename: 'a' }, waits));
  same([error.name, error.limit], ['TimeoutError', 'stream'], 'the error');
});
tests.set('upload-hang', async ({ client }) => {
  const error = await failureOf(client.files.upload({ content: asStream(), filename: 'a' }, waits));
  same([error.name, error.limit], ['TimeoutError', 'stream'], 'the error');
});
tests.set('upload-stopped', async ({ client }) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const error = await failureOf(
    client.files.upload({ content: large(), filename: 'a' }, { signal: controller.signal }),
  );
  same(error.name, 'AbortError', 'the error');
});
tests.set('upload-broken', async ({ client }) => {
  const content = async function* () {
    yield bytes;
    throw new Error('disk on fire');
  };
  const error = await failureOf(client.files.upload({ content, filename: 'a' }));
  same(error.message, 'The file to upload could not be read: disk on fire', 'the error');
});
tests.set('upload-redirect', async ({ client }) => {
  const error = await failureOf(client.files.upload({ content: text, filename: 'a' }));
  check(error instanceof UnexpectedResponseError, `${error.name}: ${error.message}`);
});

for (const name of ['download', 'download-broken']) {
  tests.set(name, async ({ client, seen }) => {
    const progress: number[] = [];
    const file = await client.files.download(id, {
      onProgress: ({ transferredBytes }) => progress.push(transferredBytes),
    });
    same([file.filename, file.sizeBytes], ['zaż.txt', 100_000], 'the head');
    same((await new Response(file.stream).arrayBuffer()).byteLength, 100_000, 'the bytes');
    same(progress.at(-1), 100_000, 'the progress');
    if (name === 'download') return;
    const requests = await seen();
    check(requests.length >= 2, 'the download did not go on');
    check(/^bytes=[1-9]\d*-$/.test(requests[1]?.headers.range ?? ''), 'it began anew');
  });
}
/** Chromium's Response would hide the error of its stream. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}
tests.set('download-changed', async ({ client }) => {
  const file = await client.files.download(id);
  same((await failureOf(readAll(file.stream))).name, 'ChecksumError', 'the error');
});
tests.set('download-stall', async ({ client }) => {
  const file = await client.files.download(id, waits);
  const error = await failureOf(readAll(file.stream));
  same([error.name, error.limit], ['TimeoutError', 'stream'], 'the error');
});

tests.set('webhook', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const data = { snapshotId: id, machineName: 'm' };
  const delivery = await signTestDelivery({ event: 'snapshot.created', data, secret });
  const event = await verifyWebhook(delivery.body, delivery.headers, secret);
  same([event.event, event.data], ['snapshot.created', data], 'the event');
  const error = await failureOf(verifyWebhook(`${delivery.body} `, delivery.headers, secret));
  same(error.reason, 'wrong_signature', 'the error');
});

/** A flow against the real service. */
async function useService(baseUrl: string): Promise<void> {
  const { apiKey: key } = await EnvSnap.bootstrap({ baseUrl, projectName: 'runtime' });
  const client = new EnvSnap({ apiKey: key, baseUrl });
  const a = await client.snapshots.create({ machineName: 'a', envVars: { LANG: 'pl_PL' } });
  const b = await client.snapshots.create({ machineName: 'b' });
  same((await client.snapshots.get(a.id)).envVars, { LANG: 'pl_PL' }, 'the variables');
  const { diff } = await client.snapshots.compare({ snapshotA: a.id, snapshotB: b.id });
  same(diff.envVars[0]?.status, 'removed', 'the comparison');
  const { id: fileId, checksum } = await client.files.upload({ content: asStream(), filename: 'ż.txt' });
  const file = await client.files.download(fileId);
  same([file.filename, file.checksum], ['ż.txt', checksum], 'the file');
  same((await new Response(file.stream).text()) === text, true, 'the bytes');
  same(await client.files.delete(fileId), { success: true }, 'the deletion');
  same((await failureOf(client.files.download(fileId))).code, 'file_not_found', 'the error');
  check(client.rateLimit !== undefined, 'the rate limit is not known');
  await client.request({ method: 'DELETE', path: `/machine/snapshots/${a.id}` });
}

async function within(run: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not end within 20 s')), 20_000);
  });
  try {
    await Promise.race([run, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs everything: against the scripted server, each scenario below its own path, and the service. */
export async function runScenarios(scriptedUrl: string, serviceUrl: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const attempt = async (name: string, run: () => Promise<void>) => {
    try {
      await within(run());
      outcomes.push({ name });
    } catch (error) {
      outcomes.push({
        name,
        failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      });
    }
  };
  for (const [name, scenario] of tests) {
    await attempt(name, async () => {
      const events: TransportEvent[] = [];
      const baseUrl = `${scriptedUrl}/${name}`;
      const client = new EnvSnap({
        apiKey,
        baseUrl,
        timeoutMs: 10_000,
        onEvent: (event) => events.push(event),
      });
      const seen = async () => (await (await fetch(`${scriptedUrl}/seen/${name}`)).json()) as Seen[];
      await scenario({ client, seen, events });
    });
  }
  await attempt('service', () => useService(serviceUrl));
  return outcomes;
}

/** Names of all scenarios, in the order in which they run. */
export const scenarioNames = [...tests.keys(), 'service'];
