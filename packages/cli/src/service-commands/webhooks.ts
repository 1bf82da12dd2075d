// envsnap webhook …, but for those that read a secret or listen

import { boolean, string } from '@oclif/core/flags';
import { resolveId, webhookIds } from '../actions/references/resolve-id.ts';
import { missingFlag } from '../errors/cli-error.ts';
import { eventOptions, eventsOf, idArgument, webhookFormatFlag } from '../flags.ts';
import { renderAttempt, renderWebhook, renderWebhooks } from '../render/service/webhooks.ts';
import { deletion, serviceCommand } from './service-command.ts';

const activeFlag = boolean({ summary: 'Switch deliveries on, or off with --no-active.', allowNo: true });

export const webhookCommands = {
  'webhook:list': serviceCommand({
    summary: 'List webhooks, the newest first.',
    ask: async ({ client }) => (await client()).webhooks.list(),
    show: ({ webhooks }, screen) => renderWebhooks(webhooks, screen),
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
        summary: 'Event to subscribe to, in place of those before; repeatable.',
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
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: eventsOf(events) }),
        ...(format === undefined ? {} : { format }),
        ...(active === undefined ? {} : { active }),
      });
    },
    show: (webhook, screen) => renderWebhooks([webhook], screen),
  }),
  'webhook:test': serviceCommand({
    summary: 'Send a test event to a webhook now, and say how it went.',
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
    summary: 'Send the event of an earlier delivery attempt again.',
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
