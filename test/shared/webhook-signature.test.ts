import { createHmac } from 'node:crypto';
import { findWebhookProblem, signWebhook } from '@envsnap/shared';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const body = new TextEncoder().encode('{"event":"snapshot.created","data":{"name":"zażółć"}}');
const generated = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const now = () => Math.floor(Date.now() / 1000);

async function signed(secret: string, timestampSeconds = now()) {
  return signWebhook({ id: 'msg_1', timestampSeconds, body, secret });
}

describe('signWebhook', () => {
  it.each([
    ['a generated secret', generated, generated],
    ['a custom secret', 'correct horse battery', Buffer.from('correct horse battery').toString('base64')],
  ])('is accepted by the Standard Webhooks reference library with %s', async (_, secret, referenceSecret) => {
    const headers = { ...(await signed(secret)) } as Record<string, string>;
    const verify = () => new Webhook(referenceSecret).verify(Buffer.from(body).toString(), headers);
    expect(verify()).toMatchObject({ event: 'snapshot.created' });
    headers['webhook-signature'] = 'v1,AAAA';
    expect(verify).toThrow();
  });

  it('sends the hex HMAC of the raw body, keyed with the secret as text', async () => {
    const headers = await signed(generated);
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', generated).update(body).digest('hex'));
  });
});

describe('findWebhookProblem', () => {
  const verify = (
    headers: Record<string, string>,
    overrides: Partial<Parameters<typeof findWebhookProblem>[0]> = {},
  ) =>
    findWebhookProblem({
      body,
      header: (name) => headers[name],
      secret: generated,
      nowSeconds: now(),
      ...overrides,
    });

  it('accepts what signWebhook made, also among other signatures', async () => {
    const headers: Record<string, string> = { ...(await signed(generated)) };
    expect(await verify(headers)).toBeUndefined();
    headers['webhook-signature'] = `v1a,xyz v1,AAAA ${headers['webhook-signature']}`;
    expect(await verify(headers)).toBeUndefined();
  });

  it('names what is wrong', async () => {
    const headers = { ...(await signed(generated)) };
    expect(await verify({})).toBe('missing_headers');
    expect(await verify({ ...headers, 'webhook-timestamp': '1e3' })).toBe('invalid_timestamp');
    expect(await verify(headers, { secret: 'another secret' })).toBe('wrong_signature');
    expect(await verify(headers, { body: body.slice(1) })).toBe('wrong_signature');
    expect(await verify({ ...headers, 'webhook-id': 'msg_2' })).toBe('wrong_signature');
    expect(await verify(headers, { nowSeconds: now() + 400 })).toBe('timestamp_too_old');
    expect(await verify(headers, { nowSeconds: now() - 400 })).toBe('timestamp_too_new');
    expect(await verify(headers, { nowSeconds: now() + 400, toleranceSeconds: 500 })).toBeUndefined();
  });
});
