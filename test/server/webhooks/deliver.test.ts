import { createHmac } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../packages/server/src/infra/clock.ts';
import { createDeliver } from '../../../packages/server/src/webhooks/deliver.ts';
import { createResolveHost, type ResolveHost } from '../../../packages/server/src/webhooks/resolve-host.ts';
import { createTargetGuard } from '../../../packages/server/src/webhooks/target-guard.ts';
import { ranges } from './ranges.ts';
import { startReceiver } from './receiver.ts';

const guard = createTargetGuard(ranges('127.0.0.0/8', '::1'));
const eventId = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
const payload = JSON.stringify({ id: eventId, event: 'snapshot.created', data: { machineName: 'büro-☃' } });
const generatedSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function deliverTo(url: string, more: { timeoutMs?: number; secret?: string; signal?: AbortSignal } = {}) {
  const { timeoutMs = 5000, secret = generatedSecret, signal } = more;
  return createDeliver({ clock: systemClock, guard, timeoutMs, resolveHost: createResolveHost() })(
    { url, secret, eventId, payload },
    signal,
  );
}

/** A TCP server that sends raw bytes, or misbehaves below HTTP. */
async function startRawReceiver(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

test('an attempt posts the exact body with both signatures', async () => {
  const receiver = await startReceiver(() => 200);
  const outcome = await deliverTo(`${receiver.origin}/hooks/a%20b?token=1&x=%C3%A9`);
  expect(outcome).toMatchObject({ success: true, responseStatus: 200, failure: undefined });
  const [delivery] = receiver.received;
  expect(delivery?.path).toBe('/hooks/a%20b?token=1&x=%C3%A9');
  expect(delivery?.body.toString()).toBe(payload);
  expect(delivery?.headers).toMatchObject({
    host: new URL(receiver.origin).host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
    'webhook-id': eventId,
    'x-webhook-signature': createHmac('sha256', generatedSecret).update(payload).digest('hex'),
  });
  const headers = delivery?.headers as Record<string, string>;
  expect(new Webhook(generatedSecret).verify(delivery?.body.toString() ?? '', headers)).toEqual(
    JSON.parse(payload),
  );
  expect(() => new Webhook(generatedSecret).verify(`${payload} `, headers)).toThrow();
});

test('a custom secret signs with its own bytes', async () => {
  const receiver = await startReceiver(() => 200);
  const secret = 'correct horse battery stäple';
  await deliverTo(receiver.origin, { secret });
  const [delivery] = receiver.received;
  const headers = delivery?.headers as Record<string, string>;
  expect(headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(payload).digest('hex'));
  const library = new Webhook(Buffer.from(secret).toString('base64'));
  expect(library.verify(delivery?.body.toString() ?? '', headers)).toEqual(JSON.parse(payload));
});

test.each([200, 201, 202, 204, 299])('%i is success', async (status) => {
  const receiver = await startReceiver(() => status);
  expect(await deliverTo(receiver.origin)).toMatchObject({ success: true, responseStatus: status });
});

test.each([
  [304, 'redirect'],
  [400, 'status'],
  [404, 'status'],
  [410, 'gone'],
  [500, 'status'],
  [503, 'status'],
])('%i is a failure of the kind %s', async (status, reason) => {
  const receiver = await startReceiver(() => status);
  expect(await deliverTo(receiver.origin)).toMatchObject({
    success: false,
    responseStatus: status,
    failure: { reason },
  });
});

test("a failure carries the receiver's Retry-After, a success does not", async () => {
  const receiver = await startReceiver((_request, index) => (_delivery, response) => {
    response.writeHead(index === 0 ? 503 : 200, { 'retry-after': '120' }).end();
  });
  expect(await deliverTo(receiver.origin)).toMatchObject({ success: false, retryAfterMs: 120_000 });
  expect(await deliverTo(receiver.origin)).toMatchObject({ success: true, retryAfterMs: undefined });
});

test('a receiver that never responds fails at the time limit, and its connection is closed', async () => {
  const receiver = await startReceiver(() => 'hang');
  const outcome = await deliverTo(receiver.origin, { timeoutMs: 150 });
  expect(outcome).toMatchObject({
    success: false,
    responseStatus: null,
    failure: { reason: 'timeout', text: 'timeout: no response within 150 ms' },
  });
  await expect.poll(receiver.open).toBe(0);
});

test('headers that drip in do not stretch the time limit', async () => {
  const url = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
    socket.once('close', () => clearInterval(drip));
  });
  expect(await deliverTo(url, { timeoutMs: 200 })).toMatchObject({
    responseStatus: null,
    failure: { reason: 'timeout' },
  });
});

test('a name that is never resolved fails at the time limit', async () => {
  const resolveHost: ResolveHost = () => new Promise(() => undefined);
  const deliver = createDeliver({ clock: systemClock, guard, timeoutMs: 100, resolveHost });
  const outcome = await deliver({ url: 'http://silent.test/', secret: generatedSecret, eventId, payload });
  expect(outcome).toMatchObject({ responseStatus: null, failure: { reason: 'timeout' } });
});

test('an endless body is cut off, and the status counts', async () => {
  let sent = 0;
  const receiver = await startReceiver(() => (_delivery, response) => {
    const chunk = Buffer.alloc(8192);
    const pump = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      if (!response.destroyed) response.once('drain', pump);
    };
    response.writeHead(200);
    pump();
  });
  expect(await deliverTo(receiver.origin)).toMatchObject({ success: true, responseStatus: 200 });
  await expect.poll(receiver.open).toBe(0);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('a body that stops half-way does not hold the attempt until its time limit', async () => {
  const receiver = await startReceiver(() => (_delivery, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
  });
  const outcome = await deliverTo(receiver.origin, { timeoutMs: 60_000 });
  expect(outcome).toMatchObject({ success: true, responseStatus: 200 });
});

test('interim responses without end are cut off, and a few of them are not', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
  const endless = await startRawReceiver((socket) =>
    socket.once('data', () => {
      const pump = () => {
        if (socket.writable) socket.write(early.repeat(10), pump);
      };
      pump();
    }),
  );
  const outcome = await deliverTo(endless, { timeoutMs: 60_000 });
  expect(outcome).toMatchObject({ success: false, failure: { reason: 'closed' } });
  const some = await startRawReceiver((socket) =>
    socket.once('data', () => socket.end(`${early.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`)),
  );
  expect(await deliverTo(some)).toMatchObject({ success: true, responseStatus: 204 });
});

test('a connection that is reset or closed before the response is a failure that says so', async () => {
  const resetting = await startReceiver(() => 'reset');
  expect(await deliverTo(resetting.origin)).toMatchObject({
    responseStatus: null,
    failure: { reason: 'closed' },
  });
  const closing = await startRawReceiver((socket) => socket.on('data', () => socket.end()));
  expect(await deliverTo(closing)).toMatchObject({ responseStatus: null, failure: { reason: 'closed' } });
});

test.each(['SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/1.1 abc\r\n\r\n', '\0\0\0\0'])(
  'a response that is not HTTP (%j) is a failure that says so',
  async (answer) => {
    const url = await startRawReceiver((socket) => socket.on('data', () => socket.end(answer)));
    expect(await deliverTo(url)).toMatchObject({ responseStatus: null, failure: { reason: 'protocol' } });
  },
);

test('a response that tries to switch protocols is a failure', async () => {
  const url = await startRawReceiver((socket) =>
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ),
  );
  expect(await deliverTo(url, { timeoutMs: 1000 })).toMatchObject({ success: false });
});

test('interim responses do not count', async () => {
  const url = await startRawReceiver((socket) =>
    socket.on('data', () =>
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'),
    ),
  );
  expect(await deliverTo(url)).toMatchObject({ success: true, responseStatus: 202 });
});

test('a port that nobody listens on is a failure of the connection', async () => {
  const receiver = await startReceiver(() => 200);
  await receiver.close();
  expect(await deliverTo(receiver.origin)).toMatchObject({
    failure: { reason: 'connect', text: 'connect: could not connect (ECONNREFUSED)' },
  });
});

test('plain HTTP behind an https URL is a failure of TLS that quotes no file of this machine', async () => {
  const receiver = await startReceiver(() => 200);
  const { failure } = await deliverTo(receiver.origin.replace('http:', 'https:'));
  expect(failure?.reason).toBe('tls');
  expect(failure?.text).not.toMatch(/[/\\]/);
});

test('a name that does not exist is a failure of DNS', async () => {
  const resolveHost: ResolveHost = () =>
    Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
  const deliver = createDeliver({ clock: systemClock, guard, timeoutMs: 5000, resolveHost });
  const { failure } = await deliver({
    url: 'http://absent.test/',
    secret: generatedSecret,
    eventId,
    payload,
  });
  expect(failure).toEqual({ reason: 'dns', text: 'dns: absent.test could not be resolved (ENOTFOUND)' });
});

test('an aborted attempt rejects with the reason and leaves no connection', async () => {
  const receiver = await startReceiver(() => 'hang');
  const controller = new AbortController();
  const attempt = deliverTo(receiver.origin, { signal: controller.signal });
  await receiver.arrived(1);
  controller.abort(new Error('stopping'));
  await expect(attempt).rejects.toThrow('stopping');
  await expect.poll(receiver.open).toBe(0);
  await expect(deliverTo(receiver.origin, { signal: controller.signal })).rejects.toThrow('stopping');
});

test('every attempt uses its own connection', async () => {
  const receiver = await startReceiver(() => 200);
  for (let attempt = 0; attempt < 3; attempt += 1) await deliverTo(receiver.origin);
  expect(receiver.connections()).toBe(3);
});
