// Objects with sorted keys, so that the same content is the same bytes.

/** An object with the entries in the order of their keys' code units; `__proto__` is a key like any other. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
