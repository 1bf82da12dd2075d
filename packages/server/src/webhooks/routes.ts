// Binds the operations of webhooks to their service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { partOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';
import type { ManualDelivery } from './manual-delivery.ts';

/** Mounts the operations of webhooks. `afterDelete` runs once a deletion is committed. */
export function mountWebhooks(
  mount: Mount<Work>,
  manualDelivery: ManualDelivery,
  afterDelete: () => Promise<void>,
): void {
  mount(operations.createWebhook, async ({ body, principal, work }) =>
    work.transact(({ webhooks }) => webhooks.create(principal.projectId, body)),
  );

  mount(operations.listWebhooks, async ({ query, principal, work }) => {
    const { part, info } = partOf(await work.read.webhooks.list(principal.projectId), query);
    return { webhooks: part, ...info };
  });

  mount(operations.getWebhook, async ({ params, principal, work }) =>
    work.read.webhooks.get(principal.projectId, params.id),
  );

  mount(operations.updateWebhook, async ({ params, body, principal, work }) => {
    if (body.active) {
      // Of one's own project alone.
      await work.confirm();
      await work.read.webhooks.get(principal.projectId, params.id);
      await manualDelivery.dropQueue(params.id);
    }
    return work.transact(async ({ webhooks }) => ({
      success: true as const,
      ...(await webhooks.update(principal.projectId, params.id, body)),
    }));
  });

  mount(operations.deleteWebhook, async ({ params, principal, work }) => {
    await work.transact(({ webhooks }) => webhooks.remove(principal.projectId, params.id));
    await afterDelete();
    return { success: true as const };
  });

  mount(operations.testWebhook, async ({ params, principal, work }) => {
    await work.confirm();
    return { delivery: await manualDelivery.test(principal.projectId, params.id) };
  });

  mount(operations.redeliverWebhook, async ({ params, principal, work }) => {
    await work.confirm();
    return { delivery: await manualDelivery.redeliver(principal.projectId, params.id, params.deliveryId) };
  });
}
