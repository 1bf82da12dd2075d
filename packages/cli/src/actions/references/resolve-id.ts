// Turns what a person types for an id, whole or its beginning, into the whole id.

import type { EnvSnap } from '@envsnap/sdk';
import { CliError, exitCodes } from '../../errors/cli-error.ts';

const wholeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const minPrefixLength = 8;

export interface IdSpace {
  readonly noun: string;
  readonly listCommand: string;
  /** All ids, in any order; only read when a beginning is given. */
  readonly ids: () => AsyncIterable<string> | Promise<Iterable<string>>;
}

/** Whether a text can be an id or the beginning of one. */
export function looksLikeId(text: string): boolean {
  return text.length >= minPrefixLength && text.length <= 36 && /^[0-9a-f-]+$/i.test(text);
}

/**
 * The whole id. A whole one is taken as it is, without asking the server. Exit code 4 when none begins so, 2 when
 * several do or the text cannot be an id.
 */
export async function resolveId(text: string, space: IdSpace): Promise<string> {
  const wanted = text.trim().toLowerCase();
  if (wholeId.test(wanted)) return wanted;
  if (!looksLikeId(wanted)) {
    throw new CliError(`"${text}" is not the id of a ${space.noun}`, {
      code: 'invalid_id',
      hint: `Give the whole id, or at least its first ${minPrefixLength} characters. ${space.listCommand} shows them.`,
    });
  }
  const matches: string[] = [];
  for await (const id of await space.ids()) {
    if (id.startsWith(wanted)) matches.push(id);
  }
  const [only] = matches;
  if (matches.length === 1 && only) return only;
  if (matches.length === 0) {
    throw new CliError(`no ${space.noun} has an id that begins with ${wanted}`, {
      code: `${space.noun.replaceAll(' ', '_')}_not_found`,
      exitCode: exitCodes.notFound,
      hint: `${space.listCommand} shows what there is.`,
    });
  }
  const shown = matches.slice(0, 5).join(', ');
  throw new CliError(`${matches.length} ${space.noun}s have an id that begins with ${wanted}`, {
    code: 'ambiguous_id',
    hint: `Give more of it: ${shown}${matches.length > 5 ? ', …' : ''}.`,
  });
}

export function snapshotIds(client: EnvSnap): IdSpace {
  return {
    noun: 'snapshot',
    listCommand: 'envsnap snapshot list',
    ids: () => idsOf(client.snapshots.iterate()),
  };
}

export function fileIds(client: EnvSnap): IdSpace {
  return { noun: 'file', listCommand: 'envsnap file list', ids: () => idsOf(client.files.iterate()) };
}

/** Keys of the project; only owners and admins may list them. */
export function keyIds(client: EnvSnap): IdSpace {
  return {
    noun: 'key',
    listCommand: 'envsnap key list',
    ids: async () => (await client.keys.list()).keys.map((key) => key.id),
  };
}

export function webhookIds(client: EnvSnap): IdSpace {
  return {
    noun: 'webhook',
    listCommand: 'envsnap webhook list',
    ids: async () => (await client.webhooks.list()).webhooks.map((webhook) => webhook.id),
  };
}

/** Shares of the project that have not ended. */
export function shareIds(client: EnvSnap): IdSpace {
  return { noun: 'share', listCommand: 'envsnap share list', ids: () => idsOf(client.shares.iterate()) };
}

export function memberIds(client: EnvSnap, projectId: string): IdSpace {
  return {
    noun: 'member',
    listCommand: 'envsnap team list',
    ids: async () => (await client.team.list(projectId)).members.map((member) => member.id),
  };
}

async function* idsOf(items: AsyncIterable<{ readonly id: string }>): AsyncIterable<string> {
  for await (const item of items) yield item.id;
}
