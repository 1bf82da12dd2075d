// envsnap usage live

import type { LoggedRequest } from '@envsnap/shared';
import { jsonText } from '@envsnap/shared/text/visible';
import { boolean, integer } from '@oclif/core/flags';
import { followRequests } from '../../actions/service/follow-requests.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderRequest, renderRequests } from '../../render/service/usage.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';

export default class UsageLive extends BaseCommand {
  static override summary = 'Show the last requests of the project; --follow goes on until Ctrl-C.';
  static override description =
    'Every look at the feed is a request itself and counts against the rate limit: --follow looks every 5 seconds.';
  static override flags = {
    follow: boolean({ char: 'f', summary: 'Go on showing new requests.', exclusive: ['json'] }),
    limit: integer({
      helpValue: 'N',
      char: 'n',
      summary: 'How many of the last requests to show.',
      default: 100,
      min: 1,
      max: 100,
    }),
    interval: integer({
      helpValue: 'N',
      summary: 'Seconds between two looks, by default 5.',
      min: 1,
      max: 3600,
      dependsOn: ['follow'],
    }),
    'json-lines': boolean({ summary: 'Print each request as one line of JSON.', exclusive: ['json'] }),
    ...connectionFlags,
  };

  override async run(): Promise<{ requests: LoggedRequest[] }> {
    const { flags } = await this.parse(UsageLive);
    const client = await this.client(flags);
    const show = (request: LoggedRequest): void => {
      if (flags['json-lines']) this.printAsIs(jsonText(request, 0));
      else this.print(renderRequest(request, this.screen));
    };
    // From the first line on, Ctrl-C ends the feed as an interruption and not as a death by a signal.
    if (flags.follow) onInterrupt(() => undefined);
    const requests = (await client.usage.live()).requests.slice(0, flags.limit);
    if (!flags.follow && !flags['json-lines']) {
      this.print(renderRequests(requests, this.screen));
      return { requests };
    }
    for (const request of requests.toReversed()) show(request);
    if (flags.follow) {
      const load = async () => (await client.usage.live()).requests;
      await followRequests(load, requests, (flags.interval ?? 5) * 1000, show);
    }
    return { requests };
  }
}
