// envsnap webhook listen

import { jsonText, visible } from '@envsnap/shared/text/visible';
import { boolean, integer, string } from '@oclif/core/flags';
import { type Receiver, startReceiver } from '../../actions/service/receive-webhooks.ts';
import { BaseCommand } from '../../base-command.ts';
import { requireBaseUrl } from '../../connection/settings.ts';
import type { ReceivedDelivery } from '../../documents/machine-documents.ts';
import { missingFlag } from '../../errors/cli-error.ts';
import { connectionFlags, eventOptions, eventsOf } from '../../flags.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { readSecretFromStdin } from '../../terminal/stdin.ts';
import type { Screen } from '../../terminal/terminal.ts';

export default class WebhookListen extends BaseCommand {
  static override summary = 'Receive webhooks on this machine, verify them and print them, until Ctrl-C.';
  static override description =
    'The receiver listens on 127.0.0.1. A server on this machine delivers to it only if its operator allows that:\n' +
    'ENVSNAP_WEBHOOK_ALLOW=127.0.0.0/8. With --register, the webhook exists only while the receiver listens.';
  static override examples = [
    'envsnap webhook listen --register',
    'pass show hook-secret | envsnap webhook listen --secret-stdin --port 4781 --forward-to http://127.0.0.1:3000/hooks',
  ];
  static override flags = {
    port: integer({
      helpValue: 'N',
      summary: 'Port to listen on; 0 for any free one.',
      default: 4781,
      min: 0,
      max: 65535,
    }),
    register: boolean({
      summary: 'Create a webhook that delivers here, and delete it at the end.',
      exclusive: ['secret-stdin'],
    }),
    event: string({
      ...eventOptions,
      summary: 'With --register: event to subscribe to; repeatable. By default all.',
      dependsOn: ['register'],
    }),
    'secret-stdin': boolean({
      summary: 'Read the signing secret from standard input [variable: ENVSNAP_WEBHOOK_SECRET].',
      exclusive: ['api-key-stdin'],
    }),
    verify: boolean({
      summary: 'Check signatures; --no-verify accepts everything.',
      allowNo: true,
      default: true,
    }),
    'forward-to': string({ summary: 'Pass each verified delivery on to this URL.', helpValue: 'URL' }),
    count: integer({ helpValue: 'N', summary: 'Stop after this many deliveries.', min: 1 }),
    'json-lines': boolean({ summary: 'Print each delivery as one line of JSON.', exclusive: ['json'] }),
    ...connectionFlags,
  };

  override async run(): Promise<{ url: string; deliveries: ReceivedDelivery[] }> {
    const { flags } = await this.parse(WebhookListen);
    const forwardTo = flags['forward-to'] && checkForwardUrl(flags['forward-to']);
    let secret = flags.register || !flags.verify ? undefined : await this.secret(flags['secret-stdin']);
    const deliveries: ReceivedDelivery[] = [];
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const receiver = await startReceiver({
      port: flags.port,
      secret: () => secret,
      forwardTo,
      onDelivery: (delivery) => {
        deliveries.push(delivery);
        if (flags['json-lines']) this.printAsIs(jsonText(delivery, 0));
        else this.print(renderReceived(delivery, this.screen));
        if (flags.count !== undefined && deliveries.length >= flags.count) finish();
      },
    });
    const unregister = flags.register
      ? await this.register(receiver, flags, (made) => {
          secret = made;
        })
      : undefined;
    const result = { url: receiver.url, deliveries };
    const forget = onInterrupt(async () => {
      await Promise.allSettled([receiver.close(), unregister?.()]);
      if (this.jsonEnabled()) this.logJson(result);
      return true;
    });
    this.note(`Listening on ${receiver.url} (Ctrl-C stops)`);
    await finished;
    forget();
    // The response to the last delivery is sent before the receiver closes.
    await new Promise((resolve) => setImmediate(resolve));
    await receiver.close();
    await unregister?.();
    return result;
  }

  private async secret(fromStdin: boolean): Promise<string> {
    if (fromStdin) return readSecretFromStdin('--secret-stdin', 'signing secret');
    if (process.env.ENVSNAP_WEBHOOK_SECRET) return process.env.ENVSNAP_WEBHOOK_SECRET;
    if (this.canAsk) {
      const { askSecret } = await import('../../terminal/prompt.ts');
      return askSecret('Signing secret of the webhook');
    }
    throw missingFlag(
      '--secret-stdin',
      'checking signatures needs the secret; --register creates a webhook with a new one',
      true,
    );
  }

  /** Makes a webhook that delivers to the receiver; returns how to delete it. */
  private async register(
    receiver: Receiver,
    flags: Parameters<BaseCommand['client']>[0] & { event?: string[] | undefined },
    keepSecret: (secret: string) => void,
  ): Promise<() => Promise<unknown>> {
    try {
      const client = await this.client(flags);
      const webhook = await client.webhooks.create({ url: receiver.url, events: eventsOf(flags.event) });
      keepSecret(webhook.secret);
      return async () => client.webhooks.delete(webhook.id);
    } catch (error) {
      await receiver.close();
      throw error;
    }
  }
}

function checkForwardUrl(value: string): string {
  requireBaseUrl(value.replace(/[?#].*$/s, ''), '--forward-to');
  return value;
}

/** Renders a delivery that arrived at the local receiver, on one line. */
function renderReceived(delivery: ReceivedDelivery, screen: Screen): string {
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
