// For receivers of webhooks: verifies deliveries, and creates them for tests. Each part is loaded on first use, because most
// programs receive none.

import type { WebhookEventData, WebhookPayload } from '../contract/types.ts';
import type { VerifyWebhookOptions, WebhookBody, WebhookHeaders } from './received-webhook.ts';
import type { SignedDelivery, TestDelivery } from './test-delivery.ts';

/**
 * Verifies a delivery and returns its payload. `rawBody` must be the bytes as they arrived, before any JSON parser;
 * `headers` may be undefined for a `Request`. If several secrets are given, one must fit (for a change of secrets).
 * Throws `WebhookVerificationError`.
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
 * Creates a delivery with all its headers, signed with both schemes, as the service sends it.
 * @example
 * const { body, headers } = await signTestDelivery({ event: 'snapshot.deleted', data: { snapshotId: id }, secret });
 */
export async function signTestDelivery<E extends keyof WebhookEventData>(
  delivery: TestDelivery<E>,
): Promise<SignedDelivery> {
  const { signTestDelivery: sign } = await import('./test-delivery.ts');
  return sign(delivery);
}
