// What a receiver of webhooks uses: the verification of a delivery and the making of one for tests, each loaded on its first
// use, since most programs receive none.

import type { WebhookEventData, WebhookPayload } from '../contract/types.ts';
import type { VerifyWebhookOptions, WebhookBody, WebhookHeaders } from './received-webhook.ts';
import type { SignedDelivery, TestDelivery } from './test-delivery.ts';

/**
 * Verifies a delivery and returns its payload. `rawBody` must be the bytes as they came, before any JSON parser;
 * `headers` may be left undefined for a `Request`. With several secrets, one that fits is enough (for a change of
 * secrets). Throws `WebhookVerificationError`.
 * @example
 * const { event, data } = await verifyWebhook(request, undefined, secret);
 */
export async function verifyWebhook(
  rawBody: WebhookBody,
  headers: WebhookHeaders | undefined,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookPayload> {
  const verification = await import('./webhook-verification.ts');
  return verification.verifyWebhook(rawBody, headers, secret, options);
}

/**
 * Makes a delivery with all its headers, signed with both schemes, as the service sends it.
 * @example
 * const { body, headers } = await signTestDelivery({ event: 'snapshot.deleted', data: { snapshotId: id }, secret });
 */
export async function signTestDelivery<E extends keyof WebhookEventData>(
  delivery: TestDelivery<E>,
): Promise<SignedDelivery> {
  const { signTestDelivery: sign } = await import('./test-delivery.ts');
  return sign(delivery);
}
