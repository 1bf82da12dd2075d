import { lookup } from 'node:dns/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { operations } from '@envsnap/shared';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../packages/server/src/infra/clock.ts';
import { createDeliver } from '../../../packages/server/src/webhooks/deliver.ts';
import type { ConnectionDeps } from '../../../packages/server/src/webhooks/guarded-connection.ts';
import { createTargetGuard } from '../../../packages/server/src/webhooks/target-guard.ts';
import { readTestData } from '../../support/test-data.ts';
import { ranges } from './ranges.ts';
import { startReceiver } from './receiver.ts';

const { names, refusedHosts, invalid } = readTestData<{
  names: Record<string, string[]>;
  refusedHosts: Record<string, string>;
  invalid: string[];
}>(import.meta);

function resolveTestName(hostname: string) {
  const known = names[hostname];
  if (known)
    return Promise.resolve(known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  if (hostname !== 'localhost')
    return Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
  return lookup(hostname, { all: true });
}

function createGuardedDeliver(allow: string[], deps: Partial<ConnectionDeps> = {}) {
  const guard = createTargetGuard(ranges(...allow));
  return createDeliver({ clock: systemClock, guard, resolveHost: resolveTestName, timeoutMs: 5000, ...deps });
}

function deliveryTo(url: string) {
  return { url, secret: 'a secret', eventId: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77', payload: '{}' };
}

/** Texts separated by spaces. */
function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Spellings that are valid URLs and lead to such an address; PORT is the canary's. */
const refused = [
  ...words(Object.values(refusedHosts).join(' ')).map((host) => `http://${host}:PORT/`),
  'HTTP://127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/ ',
  'http:\t//127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http://///127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/#@example.com',
  'http://127.0.0.1:PORT/?@example.com',
  'http://127.0.0.1:PORT\\@example.com',
  'http://169.254.169.254:PORT/latest/meta-data/',
  'http://2852039166:PORT/latest/meta-data/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
];

test('no spelling of an address that is not public gets a connection, and none is tried again', async () => {
  const canary = await startReceiver(() => 200);
  const sixCanary = await startReceiver(() => 200, { host: '::1', port: canary.port });
  const deliver = createGuardedDeliver([]);
  expect(refused.length + invalid.length).toBeGreaterThanOrEqual(80);
  expect(new Set(refused).size).toBe(refused.length);

  for (const spelling of refused) {
    const url = spelling.replaceAll('PORT', String(canary.port));
    const outcome = await deliver(deliveryTo(url));
    expect(outcome, url).toMatchObject({
      success: false,
      responseStatus: null,
      failure: { reason: 'blocked' },
    });
    expect(outcome.failure?.text, url).toContain('ENVSNAP_WEBHOOK_ALLOW');
  }
  expect(canary.connections() + sixCanary.connections()).toBe(0);
});

test('a webhook cannot have a URL with credentials, without a host, or of another scheme', () => {
  for (const spelling of invalid) {
    const url = spelling.replaceAll('PORT', '4780');
    const result = operations.createWebhook.body.safeParse({ url, events: ['snapshot.created'] });
    expect(result.success, url).toBe(false);
  }
});

test('the same spellings of 127.0.0.1 arrive once its network is allowed', async () => {
  const canary = await startReceiver(() => 200);
  const deliver = createGuardedDeliver(['127.0.0.0/8']);
  const spellings = ['http://0x7f.1:PORT/', 'http://[::ffff:127.0.0.1]:PORT/', 'http://loopback.test:PORT/'];
  for (const spelling of [...spellings, 'http://both.test:PORT/', 'http://mapped.test:PORT/']) {
    const outcome = await deliver(deliveryTo(spelling.replace('PORT', String(canary.port))));
    expect(outcome, spelling).toMatchObject({ success: true, responseStatus: 200 });
  }
  expect(canary.received).toHaveLength(5);
});

test.each([301, 302, 303, 307, 308])('a %i redirect is not followed', async (status) => {
  const canary = await startReceiver(() => 200);
  const redirecting = await startReceiver(() => (_request, response) => {
    response.writeHead(status, { location: `${canary.origin}/redirected` }).end();
  });
  const outcome = await createGuardedDeliver(['127.0.0.0/8'])(deliveryTo(redirecting.origin));
  expect(outcome).toMatchObject({
    success: false,
    responseStatus: status,
    failure: {
      reason: 'redirect',
      text: `redirect: the endpoint returned ${status}; redirects are not followed`,
    },
  });
  expect(canary.connections()).toBe(0);
});

test('a resolver that changes its answer between any two lookups never leads to a refused address', async () => {
  // Loopback represents the whole network: 127.0.0.2 plays the public address, 127.0.0.1 the protected one.
  const canary = await startReceiver(() => 200);
  const decoy = await startReceiver(() => 200, { host: '127.0.0.2', port: canary.port });
  let lookups = 0;
  const deliver = createGuardedDeliver(['127.0.0.2'], {
    resolveHost: async () => {
      lookups += 1;
      return [{ address: lookups % 2 === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    },
  });
  const results = new Map<string, number>();
  for (let flip = 0; flip < 1000; flip += 1) {
    const { success, failure } = await deliver(deliveryTo(`http://rebinding.test:${canary.port}/`));
    const result = success ? 'delivered' : String(failure?.reason);
    results.set(result, (results.get(result) ?? 0) + 1);
  }
  expect(Object.fromEntries(results)).toEqual({ delivered: 500, blocked: 500 });
  expect(lookups).toBe(1000);
  expect(decoy.received).toHaveLength(500);
  expect(canary.connections()).toBe(0);
});

test('only the permitted addresses of several are tried', async () => {
  const canary = await startReceiver(() => 200);
  const decoy = await startReceiver(() => 200, { host: '127.0.0.2', port: canary.port });
  const deliver = createGuardedDeliver(['127.0.0.2'], {
    resolveHost: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ],
  });
  expect(await deliver(deliveryTo(`http://several.test:${canary.port}/`))).toMatchObject({ success: true });
  expect(decoy.received).toHaveLength(1);
  expect(canary.connections()).toBe(0);
});

test('a connection that ended up at a refused address carries no byte of the delivery', async () => {
  let bytes = 0;
  let canary!: Server;
  const ended = new Promise<void>((resolve) => {
    canary = createServer((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
      socket.on('error', () => undefined).once('close', () => resolve());
    });
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void canary.close());
  const deliver = createGuardedDeliver(['127.0.0.2'], {
    resolveHost: async () => [{ address: '127.0.0.2', family: 4 }],
    // A network that leads the connection elsewhere.
    openSocket: () => connect((canary.address() as AddressInfo).port, '127.0.0.1'),
  });
  const outcome = await deliver(deliveryTo('http://diverted.test/'));
  expect(outcome).toMatchObject({ success: false, failure: { reason: 'blocked' } });
  await ended;
  expect(bytes).toBe(0);
});

test('one address of several gets long enough to answer from the other side of the world', async () => {
  const target = await startReceiver(() => 204);
  const timeLimits: (number | undefined)[] = [];
  const deliver = createGuardedDeliver(['127.0.0.0/8'], {
    openSocket: (options) => {
      timeLimits.push(options.autoSelectFamilyAttemptTimeout);
      return connect(options);
    },
  });
  expect(await deliver(deliveryTo(target.origin))).toMatchObject({ success: true });
  expect(timeLimits).toEqual([2500]);
});

test('proxy settings of the environment change nothing', async () => {
  const proxy = await startReceiver(() => 200);
  const target = await startReceiver(() => 204);
  const before = { ...process.env };
  try {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
      process.env[name] = proxy.origin;
    process.env.NODE_USE_ENV_PROXY = '1';
    const outcome = await createGuardedDeliver(['127.0.0.0/8'])(deliveryTo(target.origin));
    expect(outcome).toMatchObject({ success: true, responseStatus: 204 });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  expect(proxy.connections()).toBe(0);
});
