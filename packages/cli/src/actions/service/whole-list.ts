// Reads a whole list, which the server returns in pages.

import type { ItemSequence } from '@envsnap/sdk';

/** Reads all items; `named` returns them under their name in a response. */
export async function wholeList<Item, Named extends object>(
  sequence: ItemSequence<Item>,
  named: (items: Item[]) => Named,
): Promise<Named & { total: number; limit: number; offset: number; next: null }> {
  const items = await sequence.toArray();
  return { ...named(items), total: items.length, limit: items.length, offset: 0, next: null };
}
