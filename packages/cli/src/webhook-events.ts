// The events of webhooks as flags take them: a copy that the compiler holds equal to the contract, so that a flag does
// not load the contracts.

import type { WebhookEvent } from '@envsnap/shared';

const order = {
  'snapshot.created': 0,
  'snapshot.deleted': 1,
  'file.uploaded': 2,
  'file.deleted': 3,
  'member.invited': 4,
  'member.removed': 5,
} as const satisfies Record<WebhookEvent, number>;

/** Every event that a webhook can subscribe to. */
export const webhookEvents = Object.keys(order) as WebhookEvent[];

/** The events that a flag names, each once; all when it is not given. */
export function eventsOf(flag: readonly string[] | undefined): WebhookEvent[] {
  return webhookEvents.filter((event) => flag?.includes(event) ?? true);
}
