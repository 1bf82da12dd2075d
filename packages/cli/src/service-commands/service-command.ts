// Makes an oclif command from a row: one call of the service, its flags, and how its response is shown.

import type { EnvSnap } from '@envsnap/sdk';
import { visible } from '@envsnap/shared/text/visible';
import type { Command } from '@oclif/core/command';
import type { ArgInput, FlagInput } from '@oclif/core/interfaces';
import { type IdSpace, resolveId } from '../actions/references/resolve-id.ts';
import { BaseCommand } from '../base-command.ts';
import type { Connection, ConnectionFlags } from '../connection/settings.ts';
import { exitCodes } from '../errors/cli-error.ts';
import { connectionFlags, idArgument, yesFlag } from '../flags.ts';
import type { SnapshotStore } from '../runs/snapshot-store.ts';
import type { Screen } from '../terminal/terminal.ts';

interface ServiceCall<Flags, Args> {
  readonly flags: Flags & ConnectionFlags;
  readonly args: Args;
  /** For what is printed beside the document, and for questions. */
  readonly command: BaseCommand;
  readonly client: () => Promise<EnvSnap>;
  /** The configured server, or else the runs on this machine. */
  readonly store: () => Promise<SnapshotStore>;
  /** The client with a project: the named one, or else that of the key. */
  readonly project: (
    named: string | undefined,
  ) => Promise<{ connection: Connection; client: EnvSnap; projectId: string }>;
}

interface ServiceRow<Flags extends object, Args extends object, Document> {
  readonly summary: string;
  readonly description?: string;
  readonly examples?: string[];
  readonly args?: ArgInput<Args>;
  /** The connection flags follow them, unless `isLocal` says that the command needs no server. */
  readonly flags?: FlagInput<Flags>;
  readonly isLocal?: boolean;
  /** Does the work; the result is the document of `--json`. */
  readonly ask: (call: ServiceCall<Flags, Args>) => Promise<Document>;
  /** The text for a person, if `ask` has not printed it. */
  readonly show?: (document: Document, screen: Screen) => string;
  /** Whether the program ends with exit code 7 although it got a response. */
  readonly failed?: (document: Document) => boolean;
}

export function serviceCommand<Flags extends object, Args extends object, Document>(
  row: ServiceRow<Flags, Args, Document>,
): Command.Class {
  const { summary, description, examples, args = {}, flags = {}, isLocal = false, ask, show, failed } = row;
  return class extends BaseCommand {
    static override summary = summary;
    static override description = description;
    static override examples = examples as string[];
    static override args = args;
    static override flags = { ...flags, ...(isLocal ? {} : connectionFlags) };

    override async run(): Promise<Document> {
      const parsed = await this.parse(this.ctor);
      const given = parsed.flags as Flags & ConnectionFlags;
      const document = await ask({
        flags: given,
        args: parsed.args as Args,
        command: this,
        client: () => this.client(given),
        store: () => this.snapshotStore(given),
        project: (named) => this.clientAndProject(given, named),
      });
      if (failed?.(document)) this.endWith(exitCodes.failed);
      if (show) this.print(show(document, this.screen));
      return document;
    }
  };
}

/** A command that removes one thing of the project by its id: finds it, asks unless `--yes` is given, removes it. */
export function deletion(row: {
  readonly summary: string;
  readonly ids: (client: EnvSnap) => IdSpace;
  readonly noun: string;
  readonly question: (id: string) => string;
  readonly remove: (client: EnvSnap, id: string) => Promise<unknown>;
  /** The name of the action, for the sentence afterwards and the document. */
  readonly done?: 'deleted' | 'revoked';
}): Command.Class {
  const { summary, ids, noun, question, remove, done = 'deleted' } = row;
  return serviceCommand({
    summary,
    args: { id: idArgument(noun) },
    flags: yesFlag,
    async ask({ args, flags, client: connect, command }) {
      const client = await connect();
      const id = await resolveId(args.id, ids(client));
      await command.confirm(question(id), flags.yes);
      await remove(client, id);
      return { id, [done]: id };
    },
    show: ({ id }) => `${done === 'deleted' ? 'Deleted' : 'Revoked'} ${noun} ${visible(id)}.`,
  });
}
