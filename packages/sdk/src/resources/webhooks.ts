// client.webhooks: subscriptions to events. Deliveries are verified by verifyWebhook, not here. docs/specification.md §5.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, BodyInput, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { Webhook } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Subscribes a URL to events. The answer holds the signing secret, this once. */
  create(webhook: BodyInput<'createWebhook'>, options?: CallOptions): ApiPromise<Answer<'createWebhook'>> {
    return this.#transport.call('createWebhook', { body: webhook }, options);
  }

  /** The webhooks of the project, the newest first. All at once, unless `query` asks for a part. */
  list(query?: QueryInput<'listWebhooks'>, options?: CallOptions): ApiPromise<Answer<'listWebhooks'>> {
    return this.#transport.call('listWebhooks', { query }, options);
  }

  /** The same, page by page as they are asked for. */
  iterate(options?: CallOptions & PageOptions): ItemSequence<Webhook> {
    return iteratePages(
      async (place) => {
        const { webhooks: items, total } = await this.list(place, options);
        return { items, total };
      },
      ({ id }) => id,
      options,
    );
  }

  /** A webhook with its last 20 delivery attempts. */
  get(id: string, options?: CallOptions): ApiPromise<Answer<'getWebhook'>> {
    return this.#transport.call('getWebhook', { params: { id } }, options);
  }

  /** Changes URL, events or the active flag; at least one. */
  update(
    id: string,
    changes: BodyInput<'updateWebhook'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'updateWebhook'>> {
    return this.#transport.call('updateWebhook', { params: { id }, body: changes }, options);
  }

  /** Deletes a webhook and its delivery log. */
  delete(id: string, options?: CallOptions): ApiPromise<Answer<'deleteWebhook'>> {
    return this.#transport.call('deleteWebhook', { params: { id } }, options);
  }

  /** Sends a `webhook.test` event now and tells how it went. Not sent again by itself when the answer is lost. */
  test(id: string, options?: CallOptions): ApiPromise<Answer<'testWebhook'>> {
    return this.#transport.call('testWebhook', { params: { id } }, options);
  }

  /** Sends the event of an earlier attempt again. Not sent again by itself when the answer is lost. */
  redeliver(id: string, deliveryId: string, options?: CallOptions): ApiPromise<Answer<'redeliverWebhook'>> {
    return this.#transport.call('redeliverWebhook', { params: { id, deliveryId } }, options);
  }
}
