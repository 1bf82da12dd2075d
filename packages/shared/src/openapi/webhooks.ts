// The deliveries of webhooks, as the document describes them: bodies, headers, signatures.

import { type DeliveredEvent, webhookEventData } from '../webhook.ts';
import type { JsonObject } from './json.ts';
import type { SchemaComponents } from './named-schemas.ts';

const meanings: Record<DeliveredEvent, string> = {
  'snapshot.created': 'A snapshot was stored.',
  'snapshot.deleted': 'A snapshot was deleted.',
  'file.uploaded': 'A file was uploaded.',
  'file.deleted': 'A file was deleted.',
  'member.invited': 'A member was invited.',
  'member.removed': 'A member was removed and the key revoked.',
  'key.expiring': 'A key expires within a week. Sent once for each key with a lifetime of more than a week.',
  'environment.changed':
    'A machine was captured again, and differences from its previous snapshot count. Snapshots of runs have separate events.',
  'run.failed':
    'A run failed. Sent for the first of several failures in a row, and again when the causes change.',
  'run.recovered': 'A run passed after runs with the same name had failed.',
  'webhook.test': 'Sent on request, to test the webhook. It needs no subscription.',
};

const headers = [
  ['webhook-id', 'Id of the event, the same on every attempt. Use it to skip events that you have handled.'],
  [
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Refuse times that differ by more than 5 minutes.',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks defines it. The key ' +
      'is the part after `whsec_`, base64-decoded, or the bytes of your secret if it has no such prefix.',
  ],
  ['X-Webhook-Signature', 'HMAC-SHA256 of the body in hex, keyed with the whole secret as text.'],
] as const;

const whenSubscribed =
  'Sent at least once to every webhook that subscribes to the event. If there is no 2xx response within 10 seconds, ' +
  'the delivery is retried for about 28 hours. A 410 response switches the webhook off.';
const whenTested =
  'Sent once, at `POST /machine/webhooks/{id}/test`, whose response has the result. It is often the first ' +
  'delivery that a receiver gets. A failed test is not retried.';

/** One entry per event, for `webhooks` of the document. */
export function describeWebhooks(schemas: SchemaComponents): JsonObject {
  return Object.fromEntries(
    Object.entries(meanings).map(([event, meaning]) => [
      event,
      {
        post: {
          operationId: `on${event.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: meaning,
          description: event === 'webhook.test' ? whenTested : whenSubscribed,
          tags: ['Webhooks'],
          security: [],
          parameters: headers.map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: payloadOf(event as DeliveredEvent, schemas) } },
          },
          responses: {
            '2XX': { description: 'The event was received. The body of the response is not read.' },
            410: { description: 'The receiver is gone: the webhook is switched off.' },
            default: { description: 'The delivery is retried. `Retry-After` is honoured.' },
          },
        },
      },
    ]),
  );
}

function payloadOf(event: DeliveredEvent, schemas: SchemaComponents): JsonObject {
  return {
    type: 'object',
    required: ['id', 'event', 'data', 'timestamp'],
    properties: {
      id: { type: 'string', description: 'The same as the `webhook-id` header.' },
      event: { type: 'string', const: event, description: 'What happened.' },
      data: {
        ...schemas.inline(webhookEventData[event], 'output'),
        description: 'The subject of the event.',
      },
      timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.' },
    },
  };
}
