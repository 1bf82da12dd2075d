// Walks a list from its first page: by cursor where the list has them, else by offset.

import { walkByOffset } from './offset-walk.ts';
import { endless, type Page, type WalkOptions } from './page.ts';

/** The pages from one on that is there already. */
export async function* walkFrom<T>(options: WalkOptions<T>, first: Page<T>): AsyncGenerator<T[]> {
  if (first.next !== undefined) {
    yield* walkByCursor(options, first);
    return;
  }
  yield* walkByOffset(options, first);
}

/** A cursor names the last item of its page and not a number of items, so nothing moves under it. */
async function* walkByCursor<T>(
  { fetchPage, idOf, pageSize, wanted, from = 0 }: WalkOptions<T>,
  first: Page<T>,
): AsyncGenerator<T[]> {
  const seen = new Set<string>();
  for (let page = first; ; ) {
    const fresh = page.items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    if (fresh.length > 0) yield fresh;
    if (!page.next) return;
    // A page that leads on always has an item that did not come before.
    if (fresh.length === 0) {
      if (page.total !== undefined && page.total - from > seen.size) throw endless();
      return;
    }
    const limit = Math.min(pageSize, Math.max(1, Math.ceil(wanted) - seen.size));
    page = await fetchPage({ limit, after: page.next, offset: undefined });
  }
}
