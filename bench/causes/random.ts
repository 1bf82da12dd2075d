// A random source that gives the same numbers for the same seed on every machine.

export interface Random {
  /** A number from 0 up to 1. */
  next(): number;
  /** True with a probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A number of the items, in their order. */
  some<T>(items: readonly T[], least: number, most: number): T[];
  hex(length: number): string;
}

/** FNV-1a over the UTF-16 units of a text, as an unsigned 32-bit number. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** Mulberry32, seeded with a text. */
export function createRandom(seed: string): Random {
  let state = hashOf(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  return {
    next,
    chance: (probability) => next() < probability,
    pick,
    some: (items, least, most) => {
      const wanted = least + Math.floor(next() * (most - least + 1));
      const order = items.map((item) => ({ item, key: next() })).sort((x, y) => x.key - y.key);
      const chosen = new Set(order.slice(0, wanted).map(({ item }) => item));
      return items.filter((item) => chosen.has(item));
    },
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
  };
}
