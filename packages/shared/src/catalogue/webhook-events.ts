// The events that a webhook can subscribe to, without dependencies, for flags and documents. docs/specification.md §5.

/** Every event, in the order of the API description. */
export const webhookEvents = [
  'snapshot.created',
  'snapshot.deleted',
  'file.uploaded',
  'file.deleted',
  'member.invited',
  'member.removed',
  'key.expiring',
  'environment.changed',
  'run.failed',
  'run.recovered',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The format of a delivery: the event as JSON, or a message for a chat. */
export const webhookFormats = ['standard', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
