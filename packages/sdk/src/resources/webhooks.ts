// client.webhooks: subscriptions to events. Deliveries are verified by verifyWebhook, not here. docs/specification.md §5.

import type { ApiPromise } from '../call/api-promise.ts';
import type {
  CreateWebhookAnswer,
  CreateWebhookBody,
  ListWebhooksAnswer,
  PartQuery,
  RedeliverWebhookAnswer,
  Success,
  TestWebhookAnswer,
  UpdateWebhookAnswer,
  UpdateWebhookBody,
  Webhook,
  WebhookWithDeliveries,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';
import { Resource } from './resource.ts';

const webhooks = defineList('listWebhooks', 'webhooks', 'id');

export class Webhooks extends Resource {
  /**
   * Subscribes a URL to events. The signing secret is in this response only.
   * @example
   * const { id, secret } = await client.webhooks.create({ url: 'https://example.com/hook', events: ['snapshot.created'] });
   */
  create(webhook: CreateWebhookBody, options?: CallOptions): ApiPromise<CreateWebhookAnswer> {
    const secret = webhook?.secret;
    // The server refuses shorter secrets. Hiding such short texts would also hide parts of unrelated words.
    const secrets = secret && secret.length > 7 ? [secret] : [];
    return this.transport.call('createWebhook', { body: webhook }, options, { secrets });
  }

  /**
   * The webhooks of the project, newest first. Returns all of them unless `query` asks for a part.
   * @example
   * for await (const { url, active } of client.webhooks.list()) console.log(url, active);
   */
  list(query?: PartQuery, options?: CallOptions): ListPromise<ListWebhooksAnswer, Webhook> {
    return listOf(this.transport, webhooks, { query }, options);
  }

  /**
   * The same, fetched page by page as needed.
   * @example for await (const { id, events } of client.webhooks.iterate({ pageSize: 20 })) console.log(id, events);
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<Webhook> {
    return walkOf(this.transport, webhooks, {}, options);
  }

  /**
   * A webhook with its last 20 delivery attempts.
   * @example
   * const { recentDeliveries } = await client.webhooks.get(id);
   */
  get(id: string, options?: CallOptions): ApiPromise<WebhookWithDeliveries> {
    return this.transport.call('getWebhook', { params: { id } }, options);
  }

  /**
   * Changes URL, events or the active flag; at least one.
   * @example
   * await client.webhooks.update(id, { active: true });
   */
  update(id: string, changes: UpdateWebhookBody, options?: CallOptions): ApiPromise<UpdateWebhookAnswer> {
    return this.transport.call('updateWebhook', { params: { id }, body: changes }, options);
  }

  /**
   * Deletes a webhook and its delivery log.
   * @example
   * await client.webhooks.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('deleteWebhook', { params: { id } }, options);
  }

  /**
   * Sends a `webhook.test` event now and reports the result. Not retried if the response is lost.
   * @example
   * const { delivery } = await client.webhooks.test(id);
   */
  test(id: string, options?: CallOptions): ApiPromise<TestWebhookAnswer> {
    return this.transport.call('testWebhook', { params: { id } }, options);
  }

  /**
   * Sends the event of an earlier attempt again. Not retried if the response is lost.
   * @example
   * const { delivery } = await client.webhooks.redeliver(id, deliveryId);
   */
  redeliver(id: string, deliveryId: string, options?: CallOptions): ApiPromise<RedeliverWebhookAnswer> {
    return this.transport.call('redeliverWebhook', { params: { id, deliveryId } }, options);
  }
}
