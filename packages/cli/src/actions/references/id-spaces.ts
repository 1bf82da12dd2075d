// Where the ids of each kind of thing are listed.

import type { EnvSnap } from '@envsnap/sdk';
import type { IdSpace } from './resolve-id.ts';

/** Snapshots of the project. */
export function snapshotIds(client: EnvSnap): IdSpace {
  return {
    noun: 'snapshot',
    listCommand: 'envsnap snapshot list',
    ids: () => idsOf(client.snapshots.iterate()),
  };
}

/** Files of the project. */
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

/** Webhooks of the project. */
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

/** Members of a project. */
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
