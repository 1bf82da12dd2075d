// Resolves a typed id, or its beginning, to the whole id.

import type { EnvSnap } from '@envsnap/sdk';
import { CliError, exitCodes } from '../../errors/cli-error.ts';

const wholeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const minPrefixLength = 8;

export interface IdSpace {
  readonly noun: string;
  readonly listCommand: string;
  /** All ids, in any order; read only if the text is a beginning. */
  readonly ids: () => AsyncIterable<string> | Promise<Iterable<string>>;
}

/** Whether a text can be an id, or the beginning of one. */
export function looksLikeId(text: string): boolean {
  return text.length >= minPrefixLength && text.length <= 36 && /^[0-9a-f-]+$/i.test(text);
}

/** Accepts a whole id without asking the server. Exit code 4 if no id begins with the text, 2 if several do or it is not an id. */
export async function resolveId(text: string, space: IdSpace): Promise<string> {
  const prefix = text.trim().toLowerCase();
  if (wholeId.test(prefix)) return prefix;
  if (!looksLikeId(prefix)) {
    throw new CliError(`"${text}" is not a ${space.noun} id`, {
      code: 'invalid_id',
      hint: `Give the whole id, or at least its first ${minPrefixLength} characters. ${space.listCommand} shows them.`,
    });
  }
  const matches: string[] = [];
  for await (const id of await space.ids()) {
    if (id.startsWith(prefix)) matches.push(id);
  }
  const [only] = matches;
  if (matches.length === 1 && only) return only;
  if (matches.length === 0) {
    throw new CliError(`no ${space.noun} has an id that begins with ${prefix}`, {
      code: `${space.noun.replaceAll(' ', '_')}_not_found`,
      exitCode: exitCodes.notFound,
      hint: `${space.listCommand} lists them all.`,
    });
  }
  const shown = matches.slice(0, 5).join(', ');
  throw new CliError(`${matches.length} ${space.noun}s have an id that begins with ${prefix}`, {
    code: 'ambiguous_id',
    hint: `Give more characters: ${shown}${matches.length > 5 ? ', …' : ''}.`,
  });
}

export const snapshotIds = spaceOf('snapshot', (client) => client.snapshots.iterate());
export const fileIds = spaceOf('file', (client) => client.files.iterate());
/** Only owners and admins may list them. */
export const keyIds = spaceOf('key', (client) => client.keys.list());
export const webhookIds = spaceOf('webhook', (client) => client.webhooks.list());
export const shareIds = spaceOf('share', (client) => client.shares.iterate());

export function memberIds(client: EnvSnap, projectId: string): IdSpace {
  const ids = () => idsOf(client.team.list(projectId));
  return { noun: 'member', listCommand: 'envsnap team list', ids };
}

/** Where the ids of one kind can be listed. */
function spaceOf(noun: string, list: (client: EnvSnap) => AsyncIterable<{ readonly id: string }>) {
  return (client: EnvSnap): IdSpace => ({
    noun,
    listCommand: `envsnap ${noun} list`,
    ids: () => idsOf(list(client)),
  });
}

async function* idsOf(items: AsyncIterable<{ readonly id: string }>): AsyncIterable<string> {
  for await (const item of items) yield item.id;
}
