// For receivers of webhooks: verifies deliveries, and creates them for tests. Each part is loaded on first use, because most
// programs receive none.

/**
 * Verifies a delivery and returns its payload. `rawBody` must be the bytes as they arrived, before any JSON parser;
 * `headers` may be undefined for a `Request`. If several secrets are given, one must fit (for a change of secrets).
 * Throws `WebhookVerificationError`.
 * @example
 * const { event, data } = await verifyWebhook(request, undefined, secret);
 */
export const verifyWebhook: typeof import('./webhook-verification.ts').verifyWebhook = async (...delivery) =>
  (await import('./webhook-verification.ts')).verifyWebhook(...delivery);

/**
 * Creates a delivery with all its headers, signed with both schemes, as the service sends it.
 * @example
 * const { body, headers } = await signTestDelivery({ event: 'snapshot.deleted', data: { snapshotId: id }, secret });
 */
export const signTestDelivery: typeof import('./test-delivery.ts').signTestDelivery = async (delivery) =>
  (await import('./test-delivery.ts')).signTestDelivery(delivery);
