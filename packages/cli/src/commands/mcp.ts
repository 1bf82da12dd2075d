// envsnap mcp

import { BaseCommand } from '../base-command.ts';
import { connectionWords } from '../connection/settings.ts';
import { connectionFlags } from '../flags.ts';

export default class Mcp extends BaseCommand {
  static override summary = 'Serve tools for agents over standard streams (Model Context Protocol).';
  static override description =
    'For the settings of an agent: command envsnap, argument mcp. The tools compare environments, look at runs and plan a ' +
    'bisection; they write nothing and run nothing.\n' +
    'A host starts its tools with few variables: name the environment that is meant, such as pid:N or shell:interactive.';
  static override enableJsonFlag = false;
  static override flags = { 'base-url': connectionFlags['base-url'], profile: connectionFlags.profile };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { serveAgents } = await import('../mcp/serve.ts');
    await serveAgents(this.storeOnce(flags), connectionWords(flags));
  }
}
