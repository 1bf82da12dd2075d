// A list with all of its items, as a server answers one page.

import type { ItemSequence } from '@envsnap/sdk';

/** Reads all items; `named` puts them under the name that they have in an answer. */
export async function wholeList<Item, Named extends object>(
  sequence: ItemSequence<Item>,
  named: (items: Item[]) => Named,
): Promise<Named & { total: number; limit: number; offset: number; next: null }> {
  const items = await sequence.toArray();
  return { ...named(items), total: items.length, limit: items.length, offset: 0, next: null };
}
