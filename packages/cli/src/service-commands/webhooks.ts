// envsnap webhook …, except the receiver

import type { DeliveryAttempt, Webhook, WebhookWithDeliveries } from '@envsnap/shared';
import { shellWord, visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';
import { resolveId, webhookIds } from '../actions/references/resolve-id.ts';
import { missingFlag } from '../errors/cli-error.ts';
import { eventOptions, eventsOf, idArgument, webhookFormatFlag } from '../flags.ts';
import { type Field, idCells, renderDone, renderFields, renderRows, when } from '../render/layout/table.ts';
import { readSecretFromStdin } from '../terminal/stdin.ts';
import type { Screen } from '../terminal/terminal.ts';
import { deletion, serviceCommand } from './service-command.ts';

const activeFlag = boolean({ summary: 'Switch deliveries on, or off with --no-active.', allowNo: true });

export const webhookCommands = {
  'webhook:list': serviceCommand({
    summary: 'List webhooks, newest first.',
    ask: async ({ client }) => (await client()).webhooks.list(),
    show: ({ webhooks }, screen) => renderWebhooks(webhooks, screen),
  }),
  'webhook:create': serviceCommand({
    summary: 'Subscribe a URL to events. The signing secret is shown once.',
    examples: [
      'envsnap webhook create https://example.com/hooks/envsnap',
      'envsnap webhook create https://example.com/hooks -e snapshot.created -e snapshot.deleted',
      'envsnap webhook create https://hooks.slack.com/services/T0/B0/x --format slack -e environment.changed',
    ],
    args: { url: argument({ required: true, description: 'http or https URL to deliver to.' }) },
    flags: {
      event: string({ ...eventOptions, summary: 'Event to subscribe to; repeatable. By default all.' }),
      format: webhookFormatFlag(),
      'secret-stdin': boolean({
        summary: 'Read the signing secret from standard input; by default the server generates one.',
        exclusive: ['api-key-stdin'],
      }),
    },
    async ask({ args: { url }, flags, client, command }) {
      const isGiven = flags['secret-stdin'];
      const secret = isGiven ? await readSecretFromStdin('--secret-stdin', 'signing secret') : undefined;
      const webhook = await (await client()).webhooks.create({
        url,
        events: eventsOf(flags.event),
        format: flags.format,
        secret,
      });
      const fields: Field[] = [
        ['url', webhook.url],
        ['events', webhook.events.join(', ')],
        ['format', webhook.format],
        ['secret', isGiven ? null : webhook.secret],
      ];
      const { screen } = command;
      const advice = isGiven ? [] : [screen.paint('yellow', 'Save the secret now: it is not shown again.')];
      const next = screen.paint('cyan', `envsnap webhook test ${shellWord(webhook.id)}`);
      const message = `Created webhook ${visible(webhook.id)}`;
      command.print(renderDone(message, fields, screen, ...advice, `Next: ${next} sends a test event.`));
      return webhook;
    },
  }),
  'webhook:show': serviceCommand({
    summary: 'Show a webhook with its last delivery attempts.',
    args: { id: idArgument('webhook') },
    async ask({ args, client: connect }) {
      const client = await connect();
      return client.webhooks.get(await resolveId(args.id, webhookIds(client)));
    },
    show: renderWebhook,
  }),
  'webhook:update': serviceCommand({
    summary: 'Change the URL, events or format of a webhook, or switch it on or off.',
    examples: ['envsnap webhook update 0193a5c2 --no-active'],
    args: { id: idArgument('webhook') },
    flags: {
      url: string({ summary: 'New URL.', helpValue: 'URL' }),
      event: string({
        ...eventOptions,
        summary: 'Event to subscribe to, replacing the current ones; repeatable.',
      }),
      format: webhookFormatFlag(),
      active: activeFlag,
    },
    async ask({ args, flags: { url, event: events, format, active }, client: connect }) {
      if ([url, events, format, active].every((value) => value === undefined)) {
        throw missingFlag('--url, --event, --format or --active', 'nothing would change');
      }
      const client = await connect();
      return client.webhooks.update(await resolveId(args.id, webhookIds(client)), {
        url,
        events: events && eventsOf(events),
        format,
        active,
      });
    },
    show: (webhook, screen) => renderWebhooks([webhook], screen),
  }),
  'webhook:test': serviceCommand({
    summary: 'Send a test event to a webhook now, and show the result.',
    description: 'The exit code is 7 when the receiver did not accept the event.',
    args: { id: idArgument('webhook') },
    async ask({ args, client: connect }) {
      const client = await connect();
      return client.webhooks.test(await resolveId(args.id, webhookIds(client)));
    },
    show: ({ delivery }, screen) => renderAttempt(delivery, screen),
    failed: ({ delivery }) => !delivery.success,
  }),
  'webhook:redeliver': serviceCommand({
    summary: 'Resend the event of an earlier delivery attempt.',
    description:
      'envsnap webhook show lists the attempts. The exit code is 7 when the receiver did not accept the event.',
    args: { id: idArgument('webhook'), delivery: idArgument('attempt') },
    async ask({ args, client: connect }) {
      const client = await connect();
      const id = await resolveId(args.id, webhookIds(client));
      const deliveryId = await resolveId(args.delivery, {
        noun: 'delivery',
        listCommand: `envsnap webhook show ${id}`,
        ids: async () => (await client.webhooks.get(id)).recentDeliveries.map((attempt) => attempt.id),
      });
      return client.webhooks.redeliver(id, deliveryId);
    },
    show: ({ delivery }, screen) => renderAttempt(delivery, screen),
    failed: ({ delivery }) => !delivery.success,
  }),
  'webhook:delete': deletion({
    summary: 'Delete a webhook and its delivery log.',
    noun: 'webhook',
    ids: webhookIds,
    question: (id) => `Delete webhook ${id} and its delivery log?`,
    remove: (client, id) => client.webhooks.delete(id),
  }),
};

function renderWebhooks(webhooks: readonly Webhook[], screen: Screen): string {
  if (webhooks.length === 0) return 'No webhooks. envsnap webhook create creates one.\n';
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

function renderWebhook(webhook: WebhookWithDeliveries, screen: Screen): string {
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
  if (webhook.recentDeliveries.length === 0) return `${head}\nNothing has been delivered yet.\n`;
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
  const status = attempt.responseStatus === null ? 'no response' : String(attempt.responseStatus);
  return attempt.error && !attempt.success ? `${status}: ${attempt.error}` : status;
}

function renderAttempt(attempt: DeliveryAttempt, screen: Screen): string {
  const mark = attempt.success
    ? screen.paint('green', '✓ delivered')
    : screen.paint('red', '✗ not delivered');
  return `${mark}: ${visible(attempt.event)}, ${visible(resultOf(attempt))}, ${attempt.durationMs} ms\n`;
}
