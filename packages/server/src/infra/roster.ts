// Keeps what comes and goes with every request. A Set or Map would do the same, but each time its table is replaced the
// former one keeps pointing to the next; once one of them has grown old in memory, all that follow, and the requests in
// them, stay until the next full garbage collection (docs/decisions/0142).

export interface Roster<Item> extends Iterable<Item> {
  readonly size: number;
  /** Adds an item; the function that it returns removes it again, and must be called once. */
  add(item: Item): () => void;
}

interface Entry<Item> {
  readonly item: Item;
  index: number;
}

/** Creates an empty one. Its order is that of nothing. */
export function createRoster<Item>(): Roster<Item> {
  const entries: Entry<Item>[] = [];
  return {
    get size() {
      return entries.length;
    },
    add(item) {
      const entry = { item, index: entries.length };
      entries.push(entry);
      return () => {
        const last = entries.pop();
        if (!last || last === entry) return;
        entries[entry.index] = last;
        last.index = entry.index;
      };
    },
    *[Symbol.iterator]() {
      // Whoever is told may leave meanwhile.
      for (const { item } of [...entries]) yield item;
    },
  };
}
