// One webhook: its events with their attempts, the receiver's responses, the next attempt, and a way to send an event again.

import type { DeliveryAttempt, Webhook } from '@envsnap/shared';
import { counted, grouped } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import {
  badge,
  commandLine,
  definitions,
  exactMoment,
  moment,
  older,
  oneOf,
  table,
  wrapping,
} from '../frame/parts.ts';
import { type DayCount, dayChart } from '../frame/pictures.ts';
import { postForm } from '../frame/post-form.ts';
import { html, joined, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';
import { deliveryState, type FailingWebhook } from './webhooks.ts';

/** How many attempts of a webhook are counted at most: the newest. */
export const attemptsCounted = 5000;

const states = {
  delivered: ['passed', 'delivered'],
  sending: ['neutral', 'sending now'],
  retrying: ['warning', 'failing'],
  failed: ['failed', 'given up'],
  dropped: ['neutral', 'dropped when the webhook was switched off'],
} as const;

export interface SentEvent {
  readonly id: string;
  readonly state: keyof typeof states;
  /** Time of the next attempt; null unless `retrying`. */
  readonly nextAttemptAt: string | null;
  /** The newest first; at least one. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The body; null if it is no longer stored, or if the reader may not see it. It never has the value of a variable. */
  readonly body: string | null;
}

export interface WebhookPageData {
  readonly webhook: Webhook;
  readonly events: readonly SentEvent[];
  /** The attempt after which the next page continues; null if there are no older ones. */
  readonly next: string | null;
  readonly days: readonly DayCount[];
  /** Undefined if it does not fail. */
  readonly failing: FailingWebhook | undefined;
  readonly event: string | null;
  readonly onlyFailed: boolean;
}

/** The page at `webhooks/ID[?event=&result=failed&after=]`. Forms: `testWebhook`, `redeliverWebhook`, `updateWebhook`, `deleteWebhook`. */
export function webhookPage(context: PageContext, data: WebhookPageData): ConsolePage {
  const { webhook, events, days, failing, next, event, onlyFailed } = data;
  const query = { event: event ?? undefined, result: onlyFailed ? 'failed' : undefined };
  const { id, active } = webhook;
  const params = { id };
  const attempts = days.reduce((sum, { total }) => sum + total, 0);
  const kinds = [...webhook.events, 'webhook.test'].map((name) => [name, name] as const);
  const body = html`<p class="crumb"><a href="${linkTo(context, ['webhooks'])}">Webhooks</a></p>
<h1 class="value">${wrapping(webhook.url)}</h1>
${definitions([
  ['Deliveries', deliveryState(active, failing)],
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
${attempts > 0 && html`<h2>Attempts a day <span class="dim">UTC; ${attempts < attemptsCounted ? `${counted(attempts, 'attempt')} in ${days.length} days` : `the newest ${grouped(attempts)}`}</span></h2>${dayChart({ title: 'Attempts a day', names: ['attempts', 'failed'], days })}`}
<h2>Events <span class="dim">newest first</span></h2>
<form method="get" action="${linkTo(context, ['webhooks', id])}" class="inline">${oneOf(['event', 'Event', 'all'], kinds, event)}${oneOf(['result', 'Result', 'any'], [['failed', 'failed']], query.result ?? null)}<button>Show</button></form>
${events.length === 0 ? html`<p class="empty">${attempts > 0 ? (event === null && !onlyFailed ? 'The previous pages show all events of these attempts.' : 'No such event in the newest attempts.') : 'Nothing has been sent yet.'}</p>` : events.map((event, place) => eventFold(context, id, event, place === 0))}
${older('Older attempts', next && linkTo(context, ['webhooks', id], { ...query, after: next }))}
${commandLine(['webhook', 'show', id], ['webhook', 'test', id])}`;
  return consolePage(context, { title: `Webhook ${webhook.url}`, body, place: 'webhooks' });
}

/** An event with its attempts, what was sent, and what comes next. */
function eventFold(context: PageContext, id: string, event: SentEvent, isFirst: boolean): MarkupContent {
  const { state, nextAttemptAt, attempts, body } = event;
  const [newest] = attempts;
  const next =
    nextAttemptAt !== null && html` <span class="dim">next attempt ${moment(nextAttemptAt, context)}</span>`;
  const rows = attempts.map((attempt) => [
    attempt.attempt,
    badge(attempt.success ? 'passed' : 'failed', `${attempt.responseStatus ?? 'no response'}`),
    exactMoment(attempt.attemptedAt, context),
    `${grouped(attempt.durationMs)} ms`,
    // The status is already beside it.
    attempt.error?.startsWith('status: ') ? null : attempt.error,
  ]);
  return html`<details class="fold event"${isFirst && html` open`}><summary><h3><code>${newest?.event}</code></h3> ${badge(states[state][0], states[state][1])}${next}<span class="dim when">${newest && moment(newest.attemptedAt, context)}</span></summary>
${table({ label: `Attempts of ${newest?.event}`, columns: ['Attempt', 'Response', 'When', 'Took', 'Problem'], numbers: ['Took'], rows, empty: null })}
${body !== null && html`<h4>Request <span class="dim"><code>webhook-id: ${event.id}</code></span></h4><pre tabindex="0">${joined(indented(body), html`\n`)}</pre>`}
${postForm(context, 'redeliverWebhook', { label: 'Send again', params: { id, deliveryId: newest?.id ?? '' } })}</details>`;
}

function indented(body: string): readonly string[] {
  return JSON.stringify(JSON.parse(body), null, 2).split('\n');
}
