// envsnap open

import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { BaseCommand } from '../base-command.ts';
import { connectionFlags } from '../flags.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';

export default class Open extends BaseCommand {
  static override summary = 'Open the console of the server in a browser, signed in.';
  static override description =
    'Prints a link that signs in whoever opens it first, within a minute, with your key; on a terminal it is opened. PAGE is a page ' +
    'of the console: runs, matrix, compare?a=ID&b=ID.';
  static override examples = ['envsnap open', 'envsnap open runs', "envsnap open 'compare?a=ID&b=ID'"];
  static override args = { page: stringArg({ description: 'Page of the console.', ignoreStdin: true }) };
  static override flags = { ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(Open);
    const client = await this.client(flags);
    const link = await client.shares.consoleLink(args.page === undefined ? {} : { page: args.page });
    this.printAsIs(visible(link.url));
    if (process.stdout.isTTY && !this.jsonEnabled()) openInBrowser(link.url);
    return link;
  }
}
