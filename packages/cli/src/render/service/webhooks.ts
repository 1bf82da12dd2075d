// Webhooks, their delivery attempts, and deliveries that arrive here.

import type { DeliveryAttempt, Webhook, WebhookWithDeliveries } from '@envsnap/shared';
import { shellWord, visible } from '@envsnap/shared/text/visible';
import type { ReceivedDelivery } from '../../documents/settings-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { idCells, renderFields, renderRows, when } from '../layout/table.ts';

/** Renders a list of webhooks. */
export function renderWebhooks(webhooks: readonly Webhook[], screen: Screen): string {
  if (webhooks.length === 0) return 'No webhooks. envsnap webhook create makes one.\n';
  return renderRows(screen, webhooks, [
    ['ID', idCells(webhooks, screen)],
    [
      'STATE',
      (webhook) => (webhook.active ? { text: 'on', style: 'green' } : { text: 'off', style: 'yellow' }),
    ],
    ['URL', (webhook) => webhook.url, { shrinks: true }],
    ['FORMAT', (webhook) => webhook.format, { drops: 1 }],
    ['EVENTS', (webhook) => webhook.events.join(', '), { shrinks: true }],
    ['MADE', (webhook) => when(webhook.createdAt, screen)],
  ]);
}

/** Renders a webhook that was just made, with its secret. */
export function renderNewWebhook(
  webhook: Webhook & { readonly secret: string },
  generated: boolean,
  screen: Screen,
): string {
  return [
    `${screen.paint('green', '✓')} Made webhook ${visible(webhook.id)}`,
    '',
    renderFields(
      [
        ['url', webhook.url],
        ['events', webhook.events.join(', ')],
        ['format', webhook.format],
        ...(generated ? [['secret', webhook.secret] as const] : []),
      ],
      screen,
    ),
    ...(generated ? [screen.paint('yellow', 'Keep the secret now: it is not shown again.')] : []),
    `Next: ${screen.paint('cyan', `envsnap webhook test ${shellWord(webhook.id)}`)} sends a test event.`,
  ].join('\n');
}

/** Renders a webhook with its last attempts, the newest first. */
export function renderWebhook(webhook: WebhookWithDeliveries, screen: Screen): string {
  const head = renderFields(
    [
      ['id', webhook.id],
      ['url', webhook.url],
      ['events', webhook.events.join(', ')],
      ['format', webhook.format],
      [
        'state',
        webhook.active ? 'on' : 'off: nothing is delivered; envsnap webhook update --active switches it on',
      ],
      ['made', when(webhook.createdAt, screen)],
    ],
    screen,
  );
  if (webhook.recentDeliveries.length === 0) return `${head}\nNothing was delivered yet.\n`;
  const table = renderRows(screen, webhook.recentDeliveries, [
    ['ATTEMPT ID', idCells(webhook.recentDeliveries, screen)],
    ['EVENT', (attempt) => attempt.event],
    ['TRY', (attempt) => String(attempt.attempt), { align: 'right', drops: 1 }],
    [
      'RESULT',
      (attempt) => ({ text: resultOf(attempt), style: attempt.success ? 'green' : 'red' }),
      { shrinks: true },
    ],
    ['TOOK', (attempt) => `${attempt.durationMs} ms`, { align: 'right', drops: 2 }],
    ['WHEN', (attempt) => when(attempt.attemptedAt, screen)],
  ]);
  return `${head}\n${table}`;
}

function resultOf(attempt: DeliveryAttempt): string {
  const status = attempt.responseStatus === null ? 'no answer' : String(attempt.responseStatus);
  return attempt.error && !attempt.success ? `${status}: ${attempt.error}` : status;
}

/** Renders how one attempt went. */
export function renderAttempt(attempt: DeliveryAttempt, screen: Screen): string {
  const mark = attempt.success
    ? screen.paint('green', '✓ delivered')
    : screen.paint('red', '✗ not delivered');
  return `${mark}: ${visible(attempt.event)}, ${visible(resultOf(attempt))}, ${attempt.durationMs} ms\n`;
}

/** Renders a delivery that arrived at the local receiver, on one line. */
export function renderReceived(delivery: ReceivedDelivery, screen: Screen): string {
  const time = delivery.receivedAt.slice(11, 19);
  const mark =
    delivery.problem === null
      ? screen.paint('green', delivery.verified ? '✓' : '·')
      : screen.paint('red', `✗ ${visible(delivery.problem)}`);
  const forwarded = delivery.forwardedStatus === null ? '' : `  → ${delivery.forwardedStatus}`;
  const data = delivery.payload === null ? '' : visible(JSON.stringify(delivery.payload.data));
  const event = visible(delivery.payload?.event ?? '');
  return [screen.paint('dim', time), mark, screen.paint('bold', event), data + forwarded]
    .filter((part) => part !== '')
    .join('  ');
}
