// Reads values of unknown shape: from `JSON.parse`, the parsers of TOML, and the `Map`s of YAML. Nothing throws, and only own
// properties count. Without zod, so that programs that check nothing do not load it.

/** A map of names to text. Own keys only; may hold a key `__proto__`. */
export type StringMap = Record<string, string>;

/** Whether a value is a plain object; arrays and null are not. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a plain object, otherwise an empty one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

/** An own property with any name; in a `Map`, the value of a key. */
export function field(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The same if it is text. YAML writes a missing value as an empty text, which counts as none. */
export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' && !(found === '' && value instanceof Map) ? found : undefined;
}

/** Entries of a property that is an object or a `Map`, by text; none if it is absent. */
export function entriesOf(value: unknown, name: string): [string, unknown][] {
  const found = field(value, name);
  if (!(found instanceof Map)) return Object.entries(recordOf(found));
  return [...found].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string');
}

/** Items of a property that is a list; none if it is absent. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The text entries of a plain object; none for anything else. */
export function textEntriesOf(value: unknown): [string, string][] {
  return Object.entries(recordOf(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** The texts in a list; none for anything else. */
export function textItemsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
