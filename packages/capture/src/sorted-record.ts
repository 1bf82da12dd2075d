// Sorts by code units, so that the same content always gives the same bytes.

/** An object with the entries in the order of their keys' code units; `__proto__` is a key like any other. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
}

/** The order of two texts by their code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
