// Webhooks, their events and deliveries. docs/specification.md §5.

import * as z from 'zod';
import {
  type WebhookEvent,
  type WebhookFormat,
  webhookEvents,
  webhookFormats,
} from './catalogue/webhook-events.ts';
import { shortCause } from './health.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export { type WebhookEvent, type WebhookFormat, webhookEvents, webhookFormats };
export const webhookEvent = p.named('WebhookEvent', z.enum(webhookEvents));
export const webhookFormat = p.named('WebhookFormat', z.enum(webhookFormats));

const noticedCauses = z
  .array(shortCause)
  .max(3)
  .describe('The likeliest causes, likeliest first, without values of variables.');

/** `data` of each event; `webhook.test` is sent on request only. */
export const webhookEventData = {
  'snapshot.created': z.object({
    snapshotId: p.uuid.describe('Id of the new snapshot.'),
    machineName: p.string('Machine that was captured.'),
  }),
  'snapshot.deleted': z.object({ snapshotId: p.uuid.describe('Id of the deleted snapshot.') }),
  'file.uploaded': z.object({
    fileId: p.uuid.describe('Id of the new file.'),
    filename: p.string('File name, without a path.'),
  }),
  'file.deleted': z.object({
    fileId: p.uuid.describe('Id of the deleted file.'),
    filename: p.string('File name, without a path.'),
  }),
  'member.invited': z.object({
    memberId: p.uuid.describe('Id of the new member.'),
    role: p.string('Role of the member.'),
    invitedBy: p.uuid.describe("Id of the inviter's key."),
  }),
  'member.removed': z.object({
    memberId: p.uuid.describe('Id of the removed member.'),
    apiKeyId: p.uuid.describe('Id of the key that was revoked.'),
  }),
  'key.expiring': z.object({
    apiKeyId: p.uuid.describe('Id of the key.'),
    label: p.stringOrNull('Label of the key.'),
    role: p.string('Role of the key.'),
    expiresAt: p.timestamp.describe('When the key expires.'),
  }),
  'environment.changed': z.object({
    snapshotId: p.uuid.describe('Id of the new snapshot.'),
    previousSnapshotId: p.uuid.describe("Id of the machine's previous snapshot."),
    machineName: p.string('Machine that was captured.'),
    counting: z.number().int().min(1).describe('How many differences count.'),
    causes: noticedCauses,
  }),
  'run.failed': z.object({
    snapshotId: p.uuid.describe("Id of the run's snapshot."),
    of: p.string('Name of the run.'),
    machineName: p.string('Machine that it ran on.'),
    lastPassedId: p.orNull(p.uuid, 'The last run of this name that passed; null if none did.'),
    failingSince: p.timestamp.describe('When the first failed run after that one was stored.'),
    causes: noticedCauses,
  }),
  'run.recovered': z.object({
    snapshotId: p.uuid.describe("Id of the run's snapshot."),
    of: p.string('Name of the run.'),
    machineName: p.string('Machine that it ran on.'),
    failedRuns: z.number().int().min(1).describe('How many runs with this name failed in a row before it.'),
  }),
  'webhook.test': z.object({ webhookId: p.uuid.describe('Id of the webhook.') }),
} as const;
export type DeliveredEvent = keyof typeof webhookEventData;
export type WebhookEventData = { [E in DeliveredEvent]: z.infer<(typeof webhookEventData)[E]> };

/** Body of a delivery. `id` equals the header `webhook-id` and is the same on every attempt of one event. */
export type WebhookPayload = {
  [E in DeliveredEvent]: { id: string; event: E; data: WebhookEventData[E]; timestamp: string };
}[DeliveredEvent];

/** An http or https URL without credentials. Whether its address may be reached is decided at connection time. */
const webhookUrl = p
  .boundedText(1, p.limits.webhookUrlLength)
  .superRefine((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || !url.hostname) {
      context.addIssue({ code: 'custom', message: 'must be an absolute http or https URL' });
    } else if (url.username || url.password) {
      context.addIssue({ code: 'custom', message: 'must not contain a user name or password' });
    }
  })
  // Normalised by the URL standard, so two spellings of one address are stored in the same way.
  .transform((value) => (URL.canParse(value) ? new URL(value).href : value));

const subscribedEvents = z
  .array(webhookEvent)
  .min(1, 'must name at least one event')
  .max(100)
  .transform((events) => [...new Set(events)]);

const webhookSecret = p
  .boundedText(p.limits.webhookSecretMinLength, p.limits.webhookSecretMaxLength)
  .refine(
    isUsableSecret,
    'must be "whsec_" and the padded base64 of 24 to 64 bytes, or not begin with "whsec_"',
  );

/** A secret that begins with `whsec_` follows the Standard Webhooks specification, which defines how it decodes. */
function isUsableSecret(secret: string): boolean {
  if (!secret.startsWith('whsec_')) return true;
  const encoded = secret.slice('whsec_'.length);
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return false;
  const bytes = (encoded.length / 4) * 3 - (encoded.length - encoded.replace(/(?<!=)=+$/, '').length);
  return bytes >= 24 && bytes <= 64;
}

const whatFormats =
  '`standard`: the event as JSON. `slack`: `{"text"}`, which Slack, Mattermost, Rocket.Chat and Google Chat accept. `discord`: `{"content"}`. The last two contain one to four lines for people and a link to the console.';

export const webhook = p.object('Webhook', {
  id: p.uuid.describe('Id of the webhook.'),
  url: p.string('URL that receives deliveries. Members and viewers see only its scheme and host.'),
  events: p.list(webhookEvent, 'Events that the webhook subscribes to.'),
  format: webhookFormat.describe(whatFormats),
  active: p.bool('Whether the webhook is active.'),
  createdAt: p.timestamp.describe('When the webhook was created.'),
});
export type Webhook = z.infer<typeof webhook>;

export const deliveryAttempt = p.object('DeliveryAttempt', {
  id: p.uuid.describe('Id of the attempt.'),
  event: p.string('Event that was delivered.'),
  responseStatus: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status of the response; null if there was none.'),
  success: p.bool('Whether the receiver returned 2xx.'),
  attemptedAt: p.timestamp.describe('When the attempt began.'),
  attempt: z.number().int().min(1).describe('1 for the first attempt of the event.'),
  durationMs: p.natural('Duration of the attempt, in milliseconds.'),
  error: p.stringOrNull('Why the attempt failed; null if it succeeded.'),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

export const webhookWithDeliveries = p.named(
  'WebhookWithDeliveries',
  webhook.extend({
    recentDeliveries: z
      .array(deliveryAttempt)
      .max(p.limits.recentDeliveries)
      .describe('The last 20 attempts, newest first.'),
  }),
);
export type WebhookWithDeliveries = z.infer<typeof webhookWithDeliveries>;

export const webhookOperations = defineOperations('webhooks', {
  createWebhook: {
    route: 'POST /machine/webhooks',
    summary: 'Subscribe a URL to events',
    access: ['owner', 'admin'],
    body: z.object({
      url: webhookUrl.describe(
        'URL that receives deliveries: http or https, without credentials, at most 2,048 characters.',
      ),
      events: subscribedEvents.describe('Events to subscribe to.'),
      // No default of the schema: generators of clients would ask for it in each call.
      format: webhookFormat.optional().describe(`${whatFormats} The default is \`standard\`.`),
      secret: p
        .maybe(webhookSecret)
        .describe('Signing secret, 8 to 256 characters; generated by the server if absent.'),
    }),
    response: webhook.extend({ secret: p.string('Signing secret. It is shown once, in this response.') }),
    status: 201,
    answer: 'The webhook with its signing secret. The secret is shown only once.',
    idempotency: 'secret',
    errors: ['webhook_quota_exceeded', 'webhook_not_found'],
  },

  listWebhooks: {
    route: 'GET /machine/webhooks',
    summary: 'List webhooks, newest first',
    access: 'any',
    query: p.partQuery,
    response: p.partInfo.extend({ webhooks: p.list(webhook, 'Newest first.') }),
    answer: 'The webhooks of the project, without their secrets.',
  },

  getWebhook: {
    route: 'GET /machine/webhooks/:id',
    summary: 'Show a webhook with its last 20 delivery attempts',
    access: 'any',
    params: p.idParams,
    response: webhookWithDeliveries,
    answer: 'The webhook with its last 20 delivery attempts.',
    errors: ['webhook_not_found'],
  },

  updateWebhook: {
    route: 'PATCH /machine/webhooks/:id',
    summary: "Change a webhook's URL, events, format or active flag",
    access: ['owner', 'admin'],
    params: p.idParams,
    body: z
      .object({
        url: p.maybe(webhookUrl).describe('New URL.'),
        events: subscribedEvents.optional().describe('New events; they replace the old ones.'),
        format: webhookFormat
          .optional()
          .describe('New format. It also applies to events that are not delivered yet.'),
        active: z.boolean().optional().describe('False switches the webhook off, true switches it on.'),
      })
      .refine((body) => Object.values(body).some((value) => value !== undefined), {
        message: 'must contain at least one of url, events, format, active',
      })
      .meta({ minProperties: 1 }),
    response: p.success.extend(webhook.shape),
    answer: 'The changed webhook.',
    errors: ['webhook_not_found'],
  },

  deleteWebhook: {
    route: 'DELETE /machine/webhooks/:id',
    summary: 'Delete a webhook and its delivery log',
    access: ['owner', 'admin'],
    params: p.idParams,
    response: p.success,
    answer: 'The webhook and its delivery log were deleted.',
    isSweeping: true,
    errors: ['webhook_not_found'],
  },

  testWebhook: {
    route: 'POST /machine/webhooks/:id/test',
    summary: 'Send a webhook.test event now and return the result',
    access: ['owner', 'admin'],
    params: p.idParams,
    response: z.object({ delivery: deliveryAttempt.describe('Result of the attempt.') }),
    answer: 'The test was sent. The response has the result.',
    errors: ['webhook_not_found'],
  },

  redeliverWebhook: {
    route: 'POST /machine/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Send the event of an earlier delivery attempt again, with the same webhook-id',
    access: ['owner', 'admin'],
    params: p.idParams.extend({
      deliveryId: p.uuid.describe('Id of the attempt whose event to send again.'),
    }),
    response: z.object({ delivery: deliveryAttempt.describe('Result of the attempt.') }),
    answer: 'The event was sent again. The response has the result.',
    errors: ['webhook_not_found', 'delivery_not_found'],
  },
});
