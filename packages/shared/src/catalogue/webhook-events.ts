// The events that a webhook can subscribe to, without dependencies: flags and documents take them from here. Spec: Events.

/** Every event, in the order of the specification. */
export const webhookEvents = [
  'snapshot.created',
  'snapshot.deleted',
  'file.uploaded',
  'file.deleted',
  'member.invited',
  'member.removed',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
