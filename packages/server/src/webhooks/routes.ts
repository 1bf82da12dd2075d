// Binds the operations of webhooks to their service.

import { operations } from '@envsnap/shared';
import type { Request } from 'express';
import type { Mount } from '../infra/http/mount.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { partOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';
import type { Deliveries } from './deliveries.ts';
import { shownTo } from './service.ts';

/**
 * Mounts the operations of webhooks. `afterDelete` runs once a deletion is committed; `consoleUrlOf` gives the console's address
 * as the request reached it, with a slash at its end; null if there is no console.
 */
export function mountWebhooks(
  mount: Mount<Work>,
  deliveries: Pick<Deliveries, 'waitFor' | 'dropQueue'>,
  afterDelete: () => Promise<void>,
  consoleUrlOf: (request: Request) => string | null,
): void {
  mount(operations.createWebhook, async ({ body, principal, work, request }) =>
    work.transact(({ webhooks }) => webhooks.create(principal.projectId, body, consoleUrlOf(request))),
  );

  mount(operations.listWebhooks, async ({ query, principal, work }) => {
    const { part, info } = partOf(await work.read.webhooks.list(principal.projectId), query);
    return { webhooks: part.map((webhook) => shownTo(principal.role, webhook)), ...info };
  });

  mount(operations.getWebhook, async ({ params, principal, work }) =>
    shownTo(principal.role, await work.read.webhooks.get(principal.projectId, params.id)),
  );

  mount(operations.updateWebhook, async ({ params, body, principal, work, request }) => {
    if (body.active) {
      // The queue is dropped only if the caller may change the webhook.
      await work.confirm();
      await work.read.webhooks.get(principal.projectId, params.id);
      await deliveries.dropQueue(params.id);
    }
    return work.transact(async ({ webhooks }) => ({
      success: true as const,
      ...(await webhooks.update(principal.projectId, params.id, body, consoleUrlOf(request))),
    }));
  });

  mount(operations.deleteWebhook, async ({ params, principal, work }) => {
    await work.transact(({ webhooks }) => webhooks.remove(principal.projectId, params.id));
    await afterDelete();
    return { success: true as const };
  });

  const requestDelivery = async (work: Work, { projectId }: Principal, id: string, attemptId?: string) => {
    let deliveryId = '';
    await work.transact(async ({ webhooks }) => {
      deliveryId = await webhooks.request(projectId, id, attemptId);
    });
    return { delivery: await deliveries.waitFor(id, deliveryId) };
  };
  mount(operations.testWebhook, ({ params, principal, work }) => requestDelivery(work, principal, params.id));
  mount(operations.redeliverWebhook, ({ params: { id, deliveryId }, principal, work }) =>
    requestDelivery(work, principal, id, deliveryId),
  );
}
