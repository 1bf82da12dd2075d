// envsnap mcp

import { BaseCommand } from '../base-command.ts';
import { connectionWords } from '../connection/settings.ts';
import { connectionFlags } from '../flags.ts';

export default class Mcp extends BaseCommand {
  static override summary = 'Serve tools for agents over standard streams (Model Context Protocol).';
  static override description =
    'In the settings of your agent, set the command to envsnap and its argument to mcp. The tools compare environments, look at ' +
    'runs and plan a bisection; they write nothing and run nothing.\n' +
    'Agents often start their tools with few variables. To compare a full environment, name it: pid:N or shell:interactive.';
  static override enableJsonFlag = false;
  static override flags = { 'base-url': connectionFlags['base-url'], profile: connectionFlags.profile };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { serveAgents } = await import('../mcp/serve.ts');
    await serveAgents(this.storeOnce(flags), connectionWords(flags));
  }
}
