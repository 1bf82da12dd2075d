// One webhook: its events with their attempts, what the receiver answered, what comes next, and what to send again.

import type { DeliveryAttempt, Webhook } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { badge, commandLine, definitions, moment, shellCommand, table } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html, joined, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

const states = {
  delivered: ['passed', 'delivered'],
  sending: ['neutral', 'sending now'],
  retrying: ['warning', 'failing'],
  failed: ['failed', 'given up'],
  dropped: ['neutral', 'dropped when it was switched off'],
} as const;

export interface SentEvent {
  readonly id: string;
  readonly state: keyof typeof states;
  /** When it is sent again; null unless `retrying`. */
  readonly nextAttemptAt: string | null;
  /** The newest first; at least one. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface WebhookPageData {
  readonly webhook: Webhook;
  readonly events: readonly SentEvent[];
}

/** The page at `webhooks/ID`. Forms: `testWebhook`, `redeliverWebhook`, `updateWebhook`, `deleteWebhook`. */
export function webhookPage(context: PageContext, { webhook, events }: WebhookPageData): ConsolePage {
  const { id, active } = webhook;
  const params = { id };
  const rows = events.map(({ state, nextAttemptAt, attempts }) => [
    html`<code>${joined(attempts[0]?.event.split('.') ?? [], html`.<wbr>`)}</code>`,
    html`${badge(states[state][0], states[state][1])}${nextAttemptAt !== null && html` <span class="dim">next attempt ${moment(nextAttemptAt, context)}</span>`}`,
    html`<ul class="plain">${attempts.map((attempt) => html`<li>${attemptLine(context, attempt)}</li>`)}</ul>`,
    postForm(context, 'redeliverWebhook', {
      label: 'Send again',
      params: { id, deliveryId: attempts[0]?.id ?? '' },
    }),
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
  columns: ['Event', 'State', 'Attempts', 'Again'],
  rows,
  empty: 'Nothing has been sent yet.',
  filter: true,
})}
${commandLine(shellCommand('envsnap', 'webhook', 'show', id), shellCommand('envsnap', 'webhook', 'test', id))}`;
  return consolePage(context, { title: `Webhook ${webhook.url}`, body, place: 'webhooks' });
}

function attemptLine(context: PageContext, attempt: DeliveryAttempt): MarkupContent {
  const { success, responseStatus, error, durationMs } = attempt;
  const answer = badge(
    success ? 'passed' : 'failed',
    responseStatus === null ? 'no answer' : `${responseStatus}`,
  );
  return html`<span class="dim">${attempt.attempt}.</span> ${answer} ${moment(attempt.attemptedAt, context)}, ${durationMs} ms${error !== null && html` <span class="dim">${error}</span>`}`;
}
