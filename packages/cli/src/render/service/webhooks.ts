// Webhooks, their delivery attempts, and deliveries that arrive here.

import type { DeliveryAttempt, Webhook, WebhookWithDeliveries } from '@envsnap/shared';
import { visible } from '@envsnap/shared/text/visible';
import type { ReceivedDelivery } from '../../documents/settings-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { shortIds } from '../layout/short-ids.ts';
import { renderFields, renderTable } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders a list of webhooks. */
export function renderWebhooks(webhooks: readonly Webhook[], screen: Screen): string {
  if (webhooks.length === 0) return 'No webhooks. envsnap webhook create makes one.\n';
  const short = shortIds(webhooks.map(({ id }) => id));
  return renderTable(
    [
      { header: 'ID' },
      { header: 'STATE' },
      { header: 'URL', shrinks: true },
      { header: 'EVENTS', shrinks: true },
      { header: 'MADE' },
    ],
    webhooks.map((webhook) => [
      screen.interactive ? short(webhook.id) : webhook.id,
      webhook.active ? { text: 'on', style: 'green' } : { text: 'off', style: 'yellow' },
      webhook.url,
      webhook.events.join(', '),
      when(webhook.createdAt, screen),
    ]),
    screen,
  );
}

/** Renders a webhook that was just made, with its secret. */
export function renderNewWebhook(
  webhook: Webhook & { readonly secret: string },
  generated: boolean,
  screen: Screen,
): string {
  return [
    `${screen.paint('green', '✓')} Made webhook ${webhook.id}`,
    '',
    renderFields(
      [
        ['url', webhook.url],
        ['events', webhook.events.join(', ')],
        ...(generated ? [['secret', webhook.secret] as const] : []),
      ],
      screen,
    ),
    ...(generated ? [screen.paint('yellow', 'Keep the secret now: it is not shown again.')] : []),
    `Next: ${screen.paint('cyan', `envsnap webhook test ${webhook.id}`)} sends a test event.`,
  ].join('\n');
}

/** Renders a webhook with its last attempts, the newest first. */
export function renderWebhook(webhook: WebhookWithDeliveries, screen: Screen): string {
  const head = renderFields(
    [
      ['id', webhook.id],
      ['url', webhook.url],
      ['events', webhook.events.join(', ')],
      [
        'state',
        webhook.active ? 'on' : 'off: nothing is delivered; envsnap webhook update --active switches it on',
      ],
      ['made', when(webhook.createdAt, screen)],
    ],
    screen,
  );
  if (webhook.recentDeliveries.length === 0) return `${head}\nNothing was delivered yet.\n`;
  const short = shortIds(webhook.recentDeliveries.map(({ id }) => id));
  const table = renderTable(
    [
      { header: 'ATTEMPT ID' },
      { header: 'EVENT' },
      { header: 'TRY', align: 'right', drops: 1 },
      { header: 'RESULT', shrinks: true },
      { header: 'TOOK', align: 'right', drops: 2 },
      { header: 'WHEN' },
    ],
    webhook.recentDeliveries.map((attempt) => [
      screen.interactive ? short(attempt.id) : attempt.id,
      attempt.event,
      String(attempt.attempt),
      { text: resultOf(attempt), style: attempt.success ? 'green' : 'red' },
      `${attempt.durationMs} ms`,
      when(attempt.attemptedAt, screen),
    ]),
    screen,
  );
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
