// envsnap history

import { string as stringArg } from '@oclif/core/args';
import { integer, string } from '@oclif/core/flags';
import { readHistory } from '../actions/comparison/read-history.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionWords } from '../connection/settings.ts';
import type { History as Changes } from '../documents/machine-documents.ts';
import { connectionFlags } from '../flags.ts';
import { renderHistory } from '../render/comparison/history.ts';

export default class History extends BaseCommand {
  static override summary = 'Show when a value changed, over the stored snapshots.';
  static override description =
    'KEY is os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, facts.NAME, system.FACT or metadata.PATH. Of a variable ' +
    'only whether and when it changed is shown, never its value.';
  static override examples = [
    'envsnap history runtimes.node',
    'envsnap history dependencies:package-lock.json/zod --machine build-7',
  ];
  static override args = {
    key: stringArg({ description: 'What to follow.', required: true, ignoreStdin: true }),
  };
  static override flags = {
    machine: string({ summary: 'Only this machine.', helpValue: 'NAME' }),
    snapshots: integer({
      helpValue: 'N',
      summary: 'How many of the newest snapshots to look at.',
      default: 200,
      min: 1,
      max: 1000,
    }),
    ...connectionFlags,
  };

  override async run(): Promise<Changes> {
    const { args, flags } = await this.parse(History);
    const store = await this.snapshotStore(flags);
    const query = { machineName: flags.machine, snapshots: flags.snapshots };
    const history = await readHistory(store, args.key, query);
    this.print(renderHistory(history, this.screen, connectionWords(flags)));
    return history;
  }
}
