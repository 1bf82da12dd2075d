// What is common to the commands that remove one thing of the project by its id: a snapshot, a file, a webhook, a key.

import type { EnvSnap } from '@envsnap/sdk';
import { visible } from '@envsnap/shared/text/visible';
import { type IdSpace, resolveId } from './actions/references/resolve-id.ts';
import { BaseCommand } from './base-command.ts';
import { connectionFlags, idArgument, yesFlag } from './flags.ts';

/** Finds the thing, asks unless `--yes` is given, removes it, and says so. */
export abstract class DeleteCommand extends BaseCommand {
  static override args = { id: idArgument('thing') };
  static override flags = { ...yesFlag, ...connectionFlags };

  /** Names what was done, in the sentence afterwards and in the document of `--json`. */
  protected readonly done: 'deleted' | 'revoked' = 'deleted';
  protected abstract idsOf(client: EnvSnap): IdSpace;
  protected abstract questionOf(id: string): string;
  protected abstract remove(client: EnvSnap, id: string): Promise<unknown>;

  override async run() {
    const { args, flags } = await this.parse(this.ctor as typeof DeleteCommand);
    const client = await this.client(flags);
    const space = this.idsOf(client);
    const id = await resolveId(args.id, space);
    await this.confirm(this.questionOf(id), flags.yes);
    await this.remove(client, id);
    this.print(`${this.done === 'deleted' ? 'Deleted' : 'Revoked'} ${space.noun} ${visible(id)}.`);
    return { id, [this.done]: id };
  }
}
