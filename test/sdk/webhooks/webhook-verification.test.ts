import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from '@envsnap/sdk';
import { signWebhook } from '@envsnap/shared';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const payload = {
  id: 'msg_1',
  event: 'snapshot.created',
  data: { snapshotId: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77', machineName: 'zażółć' },
  timestamp: '2026-02-07T13:05:00.000Z',
};
const text = JSON.stringify(payload);
const bytes = new TextEncoder().encode(text);

async function sign(
  body: Uint8Array = bytes,
  timestampSeconds = Math.floor(Date.now() / 1000),
  key = secret,
) {
  return { ...(await signWebhook({ id: 'msg_1', timestampSeconds, body, secret: key })) };
}
async function reasonOf(call: Promise<unknown>) {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect((error as Error).message).not.toContain(secret);
  return error as WebhookVerificationError;
}

describe('verifyWebhook', () => {
  it('accepts nothing when its clock or tolerance is not a number', async () => {
    const old = await sign(bytes, 1_000_000_000);
    for (const options of [
      { toleranceSeconds: Number.NaN },
      { nowMs: Number.NaN },
      { toleranceSeconds: -1 },
      { toleranceSeconds: '300' as unknown as number },
      { tolerance: 300 } as object,
    ]) {
      const error = await reasonOf(verifyWebhook(text, old, secret, options));
      expect(error.reason).toBe('invalid_options');
    }
    const fresh = await sign();
    expect((await reasonOf(verifyWebhook(text, fresh, secret, { nowMs: Number.NaN }))).reason).toBe(
      'invalid_options',
    );
  });

  it('accepts every usual form of body', async () => {
    const headers = await sign();
    const request = () => new Request('http://localhost/', { method: 'POST', body: text, headers });
    for (const body of [text, bytes, Buffer.from(text), bytes.buffer, bytes.slice().buffer, request()])
      expect(await verifyWebhook(body, headers, secret)).toEqual(payload);
    expect(await verifyWebhook(request(), undefined, secret)).toEqual(payload);
  });

  it('accepts every usual form of headers', async () => {
    const headers = await sign();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const form of [
      headers,
      upper,
      lists,
      new Headers(headers),
      Object.entries(headers),
      new Map(Object.entries(headers)),
    ])
      expect(await verifyWebhook(text, form, secret)).toEqual(payload);
  });

  it('accepts the headers of a request that Node received', async () => {
    const outcome = Promise.withResolvers<unknown>();
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      outcome.resolve(
        await verifyWebhook(Buffer.concat(chunks), request.headers, secret).catch((e: unknown) => e),
      );
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: text, headers: await sign() });
      expect(await outcome.promise).toEqual(payload);
    } finally {
      server.close();
    }
  });

  it('accepts what the Standard Webhooks reference library signed', async () => {
    const now = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', now, text),
    };
    expect(await verifyWebhook(text, headers, secret)).toEqual(payload);
  });

  it('accepts a secret that the user chose, and one of several while secrets change', async () => {
    const headers = await sign(bytes, undefined, 'correct horse battery');
    expect(await verifyWebhook(text, headers, 'correct horse battery')).toEqual(payload);
    expect(await verifyWebhook(text, headers, [secret, 'correct horse battery'])).toEqual(payload);
    expect((await reasonOf(verifyWebhook(text, headers, [secret, 'another one']))).reason).toBe(
      'wrong_signature',
    );
    expect((await reasonOf(verifyWebhook(text, headers, []))).reason).toBe('wrong_signature');
  });

  it.each(['v1,my-own-secret', 'v1a,my-own-secret', ' spaced secret ', 'line\n'])(
    'accepts the chosen secret %j, although it looks like a mistake',
    async (own) => {
      expect(await verifyWebhook(text, await sign(bytes, undefined, own), own)).toEqual(payload);
    },
  );

  it.each([
    ['a parsed object', payload],
    ['a parsed list', [1]],
    ['nothing', undefined],
    ['null', null],
  ])('says what to pass instead of %s', async (_, body) => {
    const error = await reasonOf(verifyWebhook(body as never, await sign(), secret));
    expect(error).toMatchObject({
      reason: 'body_already_parsed',
      message: expect.stringContaining('express.raw'),
    });
  });

  it('says so when the body of a request was read before', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: text, headers: await sign() });
    await request.json();
    expect((await reasonOf(verifyWebhook(request, undefined, secret))).reason).toBe('body_already_parsed');
  });

  it.each([
    ['missing', '', /missing/],
    ['undefined', undefined, /missing/],
    ['behind a blank', ` ${secret}`, /whitespace/],
    ["pasted with a signature's version", `v1,${secret}`, /"v1,"/],
    ['cut short', secret.slice(0, -3), /not base64/],
  ])('refuses a secret that is %s', async (_, wrong, message) => {
    const error = await reasonOf(verifyWebhook(text, await sign(), wrong as string));
    expect(error).toMatchObject({ reason: 'invalid_secret', message: expect.stringMatching(message) });
  });

  it('names the headers that are missing', async () => {
    const { 'webhook-id': _, ...headers } = await sign();
    const error = await reasonOf(verifyWebhook(text, headers, secret));
    expect(error).toMatchObject({
      reason: 'missing_headers',
      message: expect.stringContaining('lacks webhook-id.'),
    });
    expect((await reasonOf(verifyWebhook(text, undefined, secret))).reason).toBe('missing_headers');
  });

  it('distinguishes a wrong signature from a genuine delivery that is too old or from the future', async () => {
    const headers = await sign();
    expect((await reasonOf(verifyWebhook(`${text} `, headers, secret))).reason).toBe('wrong_signature');
    const nowMs = Number(headers['webhook-timestamp']) * 1000;
    const old = await reasonOf(verifyWebhook(text, headers, secret, { nowMs: nowMs + 400_000 }));
    expect(old).toMatchObject({ reason: 'timestamp_too_old', message: expect.stringContaining('400 s ago') });
    const early = await reasonOf(verifyWebhook(text, headers, secret, { nowMs: nowMs - 400_000 }));
    expect(early.reason).toBe('timestamp_too_new');
    expect(
      await verifyWebhook(text, headers, secret, { nowMs: nowMs + 400_000, toleranceSeconds: 400 }),
    ).toEqual(payload);
    const reason = await reasonOf(verifyWebhook(text, { ...headers, 'webhook-timestamp': '1e9' }, secret));
    expect(reason.reason).toBe('invalid_timestamp');
  });

  it.each(['[]', '{"event":1,"data":{}}', '{"event":"x","data":null}', 'text', '\u00ff'])(
    'refuses a signed body that is not an event: %s',
    async (body) => {
      const raw = body === '\u00ff' ? new Uint8Array([0xff]) : new TextEncoder().encode(body);
      expect((await reasonOf(verifyWebhook(raw, await sign(raw), secret))).reason).toBe('invalid_payload');
    },
  );
});
