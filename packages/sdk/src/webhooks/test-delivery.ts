// Signs a delivery like the service, so that a receiver can be tested without a server. docs/specification.md §5.

import { signWebhook } from '@envsnap/shared/webhook-signature';
import type { WebhookEventData } from '../contract/types.ts';
import { randomId } from '../runtime.ts';

/** The content of a test delivery. */
export interface TestDelivery<E extends keyof WebhookEventData = keyof WebhookEventData> {
  readonly event: E;
  readonly data: WebhookEventData[E];
  /** The webhook's secret, `whsec_…` or your own. */
  readonly secret: string;
  /** Id of the event, the same on every attempt. Default: a random UUID. */
  readonly id?: string | undefined;
  /** When it is sent. Default: now. An old or future time tests that a receiver refuses replays. */
  readonly sentAt?: Date | undefined;
}

/** A delivery, ready to be sent: `fetch(url, await signTestDelivery(…))`. */
export interface SignedDelivery {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Makes a delivery with all its headers, signed with both schemes, as the service sends it. */
export async function signTestDelivery<E extends keyof WebhookEventData>(
  delivery: TestDelivery<E>,
): Promise<SignedDelivery> {
  const { event, data, secret, id = randomId(), sentAt = new Date() } = delivery;
  const body = JSON.stringify({ id, event, data, timestamp: sentAt.toISOString() });
  const signatures = await signWebhook({
    id,
    timestampSeconds: Math.floor(sentAt.getTime() / 1000),
    body: new TextEncoder().encode(body),
    secret,
  });
  return { method: 'POST', headers: { 'content-type': 'application/json', ...signatures }, body };
}
