// The webhooks of a project.

import { type Operations, type ResponseOf, webhookEvents } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { boxes, formField, selectField } from '../frame/field.ts';
import { badge, commandLine, moment, secretShown, table, wrapping } from '../frame/parts.ts';
import { formSection } from '../frame/post-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

/** How many of a webhook's last attempts failed. */
export interface FailingWebhook {
  readonly id: string;
  readonly failed: number;
  readonly attempts: number;
}

export interface WebhooksPageData {
  readonly list: ResponseOf<Operations['listWebhooks']>;
  /** Those that fail, and those that failures switched off. */
  readonly failing: readonly FailingWebhook[];
  /** The webhook that the form `createWebhook` made, with its secret, which this address shows once. Default: none. */
  readonly made?: ResponseOf<Operations['createWebhook']> | undefined;
}

const formatChoices = [
  ['standard', 'JSON'],
  ['slack', 'Slack, Mattermost, Rocket.Chat or Google Chat'],
  ['discord', 'Discord'],
] as const;

const formatHint = 'A chat shows one to four lines about each event.';

/** The page at `webhooks[?made=]`. Form: `createWebhook`. */
export function webhooksPage(context: PageContext, { list, failing, made }: WebhooksPageData): ConsolePage {
  const failures = new Map(failing.map((each) => [each.id, each]));
  const rows = list.webhooks.map((webhook) => [
    html`<a href="${linkTo(context, ['webhooks', webhook.id])}"><code>${wrapping(webhook.url)}</code></a>`,
    deliveryState(webhook.active, failures.get(webhook.id)),
    html`${webhook.events.map((event) => html`<code class="tag">${event}</code> `)}`,
    moment(webhook.createdAt, context),
  ]);
  const create = formSection(context, 'createWebhook', 'Add a webhook', {
    label: 'Add webhook',
    fields: [
      formField(context, 'createWebhook', {
        name: 'url',
        control: (own, typed) =>
          html`<input${own} type="url" value="${typed}" maxlength="2048" placeholder="https://example.com/hooks/envsnap">`,
      }),
      selectField(context, 'createWebhook', 'format', formatChoices, 'standard', formatHint),
      boxes(context, 'createWebhook', 'events', webhookEvents),
    ],
  });
  const body = html`<h1>Webhooks</h1>
<p class="lead">envsnap sends signed events of this project to these addresses.</p>
${made && secretShown('The signing secret of the new webhook', made.secret)}
${table({
  label: 'Webhooks',
  columns: ['Address', 'Deliveries', 'Events', 'Created'],
  rows,
  empty: 'No webhooks yet.',
  filter: true,
})}
${create}
${commandLine(['webhook', 'list'], ['webhook', 'create', 'https://example.com/hooks/envsnap'])}`;
  return consolePage(context, { title: 'Webhooks', body, place: 'webhooks' });
}

/** Whether a webhook is on, and how many of its last attempts failed. */
export function deliveryState(active: boolean, failing: FailingWebhook | undefined): MarkupContent {
  const state = active ? badge('passed', 'on') : badge('neutral', 'off');
  if (failing === undefined) return state;
  const counts = badge('failed', `failing: ${failing.failed} of ${failing.attempts}`);
  return active ? counts : html`${state} ${counts}`;
}
