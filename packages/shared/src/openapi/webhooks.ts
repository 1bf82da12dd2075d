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
  'key.expiring': 'A key ends within a week. Sent once for each key that was made for longer than that.',
  'environment.changed':
    'A machine was captured again, and something that counts differs from its snapshot before. Snapshots of runs have events of their own.',
  'run.failed':
    'A run failed. Sent for the first of those that fail in a row, and for one whose causes are new.',
  'run.recovered': 'A run passed after others of its name had failed.',
  'webhook.test': 'A test of the webhook was asked for. Nobody subscribes to it.',
};

const headers = [
  ['webhook-id', 'Id of the event, the same on every attempt: what was handled already can be skipped.'],
  [
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Refuse one that is over 5 minutes off.',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks says. The key ' +
      'is what follows `whsec_`, base64-decoded, or the bytes of a secret of your own.',
  ],
  ['X-Webhook-Signature', 'HMAC-SHA256 of the body in hex, keyed with the whole secret as text.'],
] as const;

const whenSubscribed =
  'Sent to every webhook that subscribed to the event, at least once. A response other than 2xx within 10 seconds ' +
  'is tried again for about 28 hours. 410 switches the webhook off.';
const whenTested =
  'Sent once, at `POST /machine/webhooks/{id}/test`, whose response says how the attempt went. It is often the first ' +
  'delivery that a receiver gets. A failed test is not tried again.';

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
            default: { description: 'The delivery is tried again. `Retry-After` is honoured.' },
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
      id: { type: 'string', description: 'The same as the header webhook-id.' },
      event: { type: 'string', const: event, description: 'What happened.' },
      data: { ...schemas.inline(webhookEventData[event], 'output'), description: 'What it happened to.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    },
  };
}
