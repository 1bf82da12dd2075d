// One webhook: its attempts, what the receiver answered, and what to send again.

import type { DeliveryAttempt, WebhookWithDeliveries } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { badge, commandLine, definitions, moment, shellCommand, table } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface WebhookPageData {
  readonly webhook: WebhookWithDeliveries;
}

/** The page at `webhooks/ID`. Forms: `testWebhook`, `redeliverWebhook`, `updateWebhook`, `deleteWebhook`. */
export function webhookPage(context: PageContext, { webhook }: WebhookPageData): ConsolePage {
  const { id, active } = webhook;
  const params = { id };
  const rows = webhook.recentDeliveries.map((attempt) => [
    moment(attempt.attemptedAt, context),
    html`<code>${attempt.event}</code>`,
    attempt.attempt,
    answerOf(attempt),
    `${attempt.durationMs} ms`,
    postForm(context, 'redeliverWebhook', { label: 'Send again', params: { id, deliveryId: attempt.id } }),
  ]);
  const body = html`<p class="crumb"><a href="${linkTo(context, ['webhooks'])}">Webhooks</a></p>
<h1 class="value">${webhook.url}</h1>
${definitions([
  ['Deliveries', active ? badge('passed', 'on') : badge('neutral', 'off')],
  ['Events', html`${webhook.events.map((event) => html`<code class="tag">${event}</code> `)}`],
  ['Format', webhook.format],
  ['Created', moment(webhook.createdAt, context)],
  ['Id', html`<code>${id}</code>`],
])}
<div class="actions">
${postForm(context, 'testWebhook', { label: 'Send a test', params })}
${postForm(context, 'updateWebhook', { label: active ? 'Switch off' : 'Switch on', params, hidden: { active: String(!active) } })}
${postForm(context, 'deleteWebhook', { label: 'Delete', params, warning: 'Deletes the webhook and the log of its deliveries.' })}
</div>
<h2>The last attempts</h2>
${table({
  label: 'Attempts',
  columns: ['When', 'Event', 'Attempt', 'Answer', 'Duration', 'Again'],
  numbers: ['Attempt', 'Duration'],
  rows,
  empty: 'Nothing has been sent yet.',
  filter: true,
})}
${commandLine(shellCommand('envsnap', 'webhook', 'show', id), shellCommand('envsnap', 'webhook', 'test', id))}`;
  return consolePage(context, { title: `Webhook ${webhook.url}`, body, place: 'webhooks' });
}

function answerOf({ success, responseStatus, error }: DeliveryAttempt): MarkupContent {
  const text = responseStatus === null ? 'no answer' : String(responseStatus);
  return html`${badge(success ? 'passed' : 'failed', success ? `${text} delivered` : text)}${error === null ? null : html` <span class="dim">${error}</span>`}`;
}
